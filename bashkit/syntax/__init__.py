"""Text to tree: lexer, parser and the node types."""

from bashkit.syntax.parser import DECLARATIONS, RESERVED, Parser

__all__ = ["DECLARATIONS", "RESERVED", "Parser"]
