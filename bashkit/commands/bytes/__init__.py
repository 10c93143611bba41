"""Bytes, not lines: digests, encodings and dumps."""
