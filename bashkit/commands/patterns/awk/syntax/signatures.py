"""The functions of awk with their numbers of arguments, and the names of its special variables (gawk manual)."""

from __future__ import annotations

# name: fewest and most arguments
BUILTINS: dict[str, tuple[int, int]] = {
    "and": (0, 99),
    "asort": (1, 3),
    "asorti": (1, 3),
    "atan2": (2, 2),
    "close": (1, 2),
    "compl": (1, 1),
    "cos": (1, 1),
    "exp": (1, 1),
    "fflush": (0, 1),
    "gensub": (3, 4),
    "gsub": (2, 3),
    "index": (2, 2),
    "int": (1, 1),
    "isarray": (1, 1),
    "length": (0, 1),
    "log": (1, 1),
    "lshift": (2, 2),
    "match": (2, 3),
    "mktime": (1, 2),
    "or": (0, 99),
    "patsplit": (2, 4),
    "rand": (0, 0),
    "rshift": (2, 2),
    "sin": (1, 1),
    "split": (2, 4),
    "sprintf": (0, 999),
    "sqrt": (1, 1),
    "srand": (0, 1),
    "strftime": (0, 3),
    "strtonum": (1, 1),
    "sub": (2, 3),
    "substr": (2, 3),
    "system": (1, 1),
    "systime": (0, 0),
    "tolower": (1, 1),
    "toupper": (1, 1),
    "typeof": (1, 2),
    "xor": (0, 99),
}

# Arguments that are arrays, by position.
ARRAY_ARGUMENTS: dict[str, tuple[int, ...]] = {
    "split": (1, 3),
    "patsplit": (1, 3),
    "match": (2,),
    "asort": (0, 1),
    "asorti": (0, 1),
}

SPECIAL_ARRAYS = frozenset({"ENVIRON", "ARGV", "PROCINFO"})
SPECIALS = SPECIAL_ARRAYS | {
    "ARGC",
    "ARGIND",
    "CONVFMT",
    "ERRNO",
    "FIELDWIDTHS",
    "FILENAME",
    "FNR",
    "FPAT",
    "FS",
    "IGNORECASE",
    "NF",
    "NR",
    "OFMT",
    "OFS",
    "ORS",
    "RLENGTH",
    "RS",
    "RSTART",
    "RT",
    "SUBSEP",
}
