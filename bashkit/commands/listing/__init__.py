"""Utilities that list files and their properties."""

from bashkit.commands._variants import Variant

VARIANTS = {
    "dir": Variant("ls", "-Cb", "List directory contents in columns, with C-style escapes."),
    "vdir": Variant("ls", "-lb", "List directory contents in the long form, with C-style escapes."),
}
