"""Integrations: the toolset in the frameworks that people already have, pytest and OpenTelemetry."""
