"""Finds tools by plain words."""
