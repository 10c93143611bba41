"""The JSON Schema of toolset files: a base document and the schemas that the kinds of callbacks and sources declare."""
