"""Utilities that find and change lines by regular expressions."""

from bashkit.commands._variants import Variant

VARIANTS = {
    "egrep": Variant("grep", "-E", "Search for PATTERNS in each FILE; like grep -E.", speaks_as="grep"),
    "fgrep": Variant("grep", "-F", "Search for PATTERNS in each FILE; like grep -F.", speaks_as="grep"),
    "gawk": Variant("awk"),
    "bzgrep": Variant("zgrep", "", "Search for PATTERNS in FILEs that bzip2 may have compressed."),
    "xzgrep": Variant("zgrep", "", "Search for PATTERNS in FILEs that xz may have compressed."),
    "zegrep": Variant("zgrep", "-E", "Search for PATTERNS in FILEs that may be compressed; like zgrep -E."),
    "zfgrep": Variant("zgrep", "-F", "Search for PATTERNS in FILEs that may be compressed; like zgrep -F."),
}
