"""How words of command lines are read, and names, sizes and times written: for utilities of several rooms."""
