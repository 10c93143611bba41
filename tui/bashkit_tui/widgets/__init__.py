"""The parts of the inspector's screens."""
