"""Checks a loaded toolset: what it refers to, lint rules, examples."""
