"""Runs a tool call: from a command line to a checked, permitted and recorded result."""
