"""Describes tools: usage, help pages, system prompts, the commands ``help`` and ``discover``."""
