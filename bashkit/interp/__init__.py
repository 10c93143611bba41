"""Tree to running: shell state, compiling to closures, scheduling."""
