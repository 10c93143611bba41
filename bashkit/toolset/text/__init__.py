"""The text of toolset files: documents with positions, notations, embedded scripts, YAML written for people."""
