"""Utilities that list files and their properties."""
