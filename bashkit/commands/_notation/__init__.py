"""Notations that several utilities share: parsing words of command lines, and writing names, sizes and times."""
