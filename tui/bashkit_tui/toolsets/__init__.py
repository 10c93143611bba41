"""The open toolsets: which files they are, reading them, what the model sees of them, reviewing what changed."""
