"""The virtual machine, its user, clock and terminal."""
