"""Utilities that filter text: joining, splitting, cutting to size, layout."""

from bashkit.commands._variants import Variant

VARIANTS = {
    "mac2unix": Variant("dos2unix", "", "Convert text files from the line breaks of old Macs to Unix line breaks.", ("-c",)),
    "unix2dos": Variant("dos2unix", "", "Convert text files from Unix line breaks to DOS line breaks."),
    "unix2mac": Variant("dos2unix", "", "Convert text files from Unix line breaks to those of old Macs.", ("-c",)),
}
