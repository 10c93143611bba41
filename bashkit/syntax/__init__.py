"""Text to tree: lexer, parser and the node types."""

from bashkit.syntax.parser import Parser
from bashkit.syntax.simple_commands import DECLARATIONS
from bashkit.syntax.tokens import RESERVED

__all__ = ["DECLARATIONS", "RESERVED", "Parser"]
