"""Reading a toolset file: YAML with positions, its notations, and what it includes."""
