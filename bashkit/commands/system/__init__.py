"""Utilities about the virtual machine, its user, clock and terminal."""
