"""What bash itself has: commands that change the shell that runs them."""
