"""Finds mistakes in the text of a toolset file: its format, and the rules that a schema cannot express."""
