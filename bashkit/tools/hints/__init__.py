"""What a script is told of its likely mistakes, from the data that it has read."""
