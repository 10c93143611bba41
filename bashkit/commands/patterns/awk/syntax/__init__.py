"""awk source to a tree."""
