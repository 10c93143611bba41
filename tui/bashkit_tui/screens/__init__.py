"""Screens that open over the main screen; the panes and the application push them."""
