"""Utilities that compare two files, or apply differences."""

from bashkit.commands._variants import Variant

VARIANTS = {
    "zcmp": Variant("zdiff", "", "Compare files, which may be compressed, byte by byte."),
}
