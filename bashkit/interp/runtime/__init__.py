"""Scheduling: tasks, pipes, clocks, worker threads, captured output, and how control leaves a command."""
