"""Text passed through: joined, split, cut to size, laid out."""
