"""Runs of scripts: one execution, where its answers come from, its trace and files, and the history of runs."""
