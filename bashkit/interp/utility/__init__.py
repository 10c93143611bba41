"""What a utility is: its declaration, and the process that it may touch."""
