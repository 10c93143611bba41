"""The JSON Schema of toolset files: a base document, and what each kind of callback and source declares beside its code."""
