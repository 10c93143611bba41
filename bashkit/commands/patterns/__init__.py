"""Lines found and changed by regular expressions."""
