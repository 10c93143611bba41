"""bashkit: one bash tool in which every tool you declare is a command."""
