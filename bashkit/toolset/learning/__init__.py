"""Output schemas from what tools have really printed."""
