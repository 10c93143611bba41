"""Texts that need no screen: numbers, paths, problems and diffs in words, and fuzzy matching."""
