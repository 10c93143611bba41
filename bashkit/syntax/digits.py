"""What numbers are made of for the shell and its utilities: the digits of ASCII, and no others that Unicode has."""

SPACE = " \t\n\v\f\r"  # what isspace(3) says is white space


def is_digits(text: str) -> bool:
    """Whether a text is made of decimal digits, one at least."""
    return text.isdecimal() and text.isascii()
