"""What is wrong with a loaded toolset, and what could be better: targets, lint rules, examples."""
