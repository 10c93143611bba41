"""The inspector's screens."""
