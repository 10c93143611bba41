"""One tool call: from a command line to a checked, allowed, recorded result."""
