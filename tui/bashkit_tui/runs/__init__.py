"""Runs of scripts: one execution, the source of its answers, its trace and files, and the history of runs."""
