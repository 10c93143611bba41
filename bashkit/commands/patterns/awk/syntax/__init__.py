"""Parses awk source to a tree."""
