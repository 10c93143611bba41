"""Utilities about a script's surroundings and small steps of its control flow."""

from bashkit.commands._variants import Variant

VARIANTS = {
    "[": Variant("test"),
    "pkill": Variant("pgrep", "", "Signal the processes of this sandbox whose name matches PATTERN.", ("-d", "-l", "-a", "-v")),
}
