"""The text of toolset files: documents with positions, notations, scripts inside of them, YAML as a person writes it."""
