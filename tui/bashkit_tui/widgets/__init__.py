"""Widgets that several panes and screens share."""
