"""What is wrong with the text of a toolset file: its format, and the rules that a schema cannot say."""
