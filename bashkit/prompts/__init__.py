"""What the model sees: help, system prompts, snapshots."""
