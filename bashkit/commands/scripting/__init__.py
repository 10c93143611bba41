"""Utilities about a script's surroundings and small steps of its control flow."""
