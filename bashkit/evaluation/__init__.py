"""Evaluates how models use a toolset: tasks, real agent loops, transcripts that can be replayed, and comparisons."""
