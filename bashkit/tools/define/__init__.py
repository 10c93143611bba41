"""Defines tools: definition, schema, arguments and results."""
