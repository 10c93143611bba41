"""Structured data, each form with its query language: JSON, YAML, XML, SQL."""
