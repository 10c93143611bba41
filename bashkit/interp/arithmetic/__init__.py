"""Arithmetic expressions: text to tree, tree to number (bash(1), ARITHMETIC EVALUATION)."""
