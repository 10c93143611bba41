"""Names of files, taken apart and resolved."""
