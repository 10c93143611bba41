"""What utilities of several rooms do with files: read their lines, walk them, resolve, back up and describe them."""
