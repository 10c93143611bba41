"""Runs very many scripts with a toolset on several processes, resumably, and compares two such runs."""
