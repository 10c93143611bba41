"""Utilities for modes and owners of files."""
