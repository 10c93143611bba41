"""Transfers from and to the web."""
