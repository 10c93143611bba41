"""Runs that are over: their records, written as timelines and pages."""
