"""Utilities that filter text: joining, splitting, cutting to size, layout."""
