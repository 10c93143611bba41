"""A server that runs elsewhere: its events, the scripts that it is asked to run, and the screen that follows them."""
