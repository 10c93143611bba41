"""Utilities that treat lines as records: sorting, joining, splitting into fields."""
