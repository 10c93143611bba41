"""Utilities that transfer data from and to the web."""
