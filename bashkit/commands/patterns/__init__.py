"""Utilities that find and change lines by regular expressions."""

from bashkit.commands._variants import Variant

VARIANTS = {
    "egrep": Variant("grep", "-E", "Search for PATTERNS in each FILE; like grep -E.", speaks_as="grep"),
    "fgrep": Variant("grep", "-F", "Search for PATTERNS in each FILE; like grep -F.", speaks_as="grep"),
    "gawk": Variant("awk"),
}
