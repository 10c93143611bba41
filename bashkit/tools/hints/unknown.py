"""What following a program may come to besides a value."""

UNKNOWN = object()  # a value that is not followed


class FailedError(Exception):
    """The program fails here, as jq would say itself."""


class SpentError(Exception):
    """The program takes too many steps to be followed further."""
