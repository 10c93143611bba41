"""Writes toolset files: imports a source, adds a new tool."""
