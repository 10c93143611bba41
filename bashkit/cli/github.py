"""Workflow commands, by which GitHub Actions shows a message beside a line (GitHub, "Workflow commands")."""

from __future__ import annotations


def annotation(severity: str, message: str, **properties: object) -> str:
    """The command that annotates a line.

    Args:
        severity: ``error`` or ``warning``.
        message: What is said.
        properties: ``file``, ``line``, ``col``, ``endColumn``, ``title``.
    """
    named = ",".join(
        f"{name}={escaped(str(value)).replace(':', '%3A').replace(',', '%2C')}" for name, value in properties.items()
    )
    return f"::{severity} {named}::{escaped(message)}"


def escaped(text: str) -> str:
    """A text as a workflow command holds it, escaped as GitHub's toolkit does."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
