"""Structured data, with a query language for each format: JSON, YAML, XML, SQL."""
