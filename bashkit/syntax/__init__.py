"""Text to tree: lexer, parser and the node types."""
