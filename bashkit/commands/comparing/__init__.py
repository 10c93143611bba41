"""Two files against each other, and the differences applied."""
