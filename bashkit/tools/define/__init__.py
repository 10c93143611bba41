"""What a tool is: its definition, schema, arguments and results."""
