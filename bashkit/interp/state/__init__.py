"""The state of a shell: variables, options, functions, traps, jobs; what a subshell copies."""
