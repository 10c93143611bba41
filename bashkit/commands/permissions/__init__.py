"""Modes and owners of files."""
