"""What is said about tools: usage, help pages, system prompts, the commands ``help`` and ``discover``."""
