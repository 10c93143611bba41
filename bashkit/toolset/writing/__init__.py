"""Writing toolset files: a source written out, a new tool added."""
