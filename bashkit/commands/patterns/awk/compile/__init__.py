"""Compiles the tree of an awk program to a Python function."""
