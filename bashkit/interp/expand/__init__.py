"""Expansion: words to closures that give strings, arguments, patterns and numbers (bash(1), EXPANSION).

The package knows the shell's state and nothing of running commands: command and process substitution are declared from outside
(``words.compiles``). Its own kinds of parts are declared by the modules that are imported here.
"""

from bashkit.interp.expand import arithmetic_words, strings

__all__ = ["arithmetic_words", "strings"]
