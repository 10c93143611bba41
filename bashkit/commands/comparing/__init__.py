"""Utilities that compare two files, or apply differences."""
