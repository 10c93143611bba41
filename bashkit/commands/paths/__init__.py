"""Utilities that split and resolve file names."""
