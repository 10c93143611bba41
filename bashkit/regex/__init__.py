"""POSIX and GNU patterns, translated for the engines underneath."""
