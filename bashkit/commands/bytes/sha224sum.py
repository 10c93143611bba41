"""sha224sum: compute and check SHA224 message digests (GNU coreutils manual, sha2 utilities)."""

from bashkit.commands.bytes._digests import Algorithm, declare

main = declare("sha224sum", Algorithm("SHA224", "sha224", 224), "Print or check SHA224 checksums.")
