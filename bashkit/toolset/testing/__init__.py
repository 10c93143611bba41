"""Runs a toolset without its real callbacks: stubs, recordings, and the tests of a toolset file."""
