"""What is wrong with a toolset file, and what could be better."""
