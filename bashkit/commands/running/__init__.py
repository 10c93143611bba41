"""Utilities that run other commands."""
