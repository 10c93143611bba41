"""Finding tools by plain words."""
