"""Toolset files: loading with positions, checking, compiling."""
