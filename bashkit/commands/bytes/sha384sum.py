"""sha384sum: compute and check SHA384 message digests (GNU coreutils manual, sha2 utilities)."""

from bashkit.commands.bytes._digests import Algorithm, declare

main = declare("sha384sum", Algorithm("SHA384", "sha384", 384), "Print or check SHA384 checksums.")
