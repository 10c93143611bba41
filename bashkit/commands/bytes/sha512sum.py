"""sha512sum: compute and check SHA512 message digests (GNU coreutils manual, sha2 utilities)."""

from bashkit.commands.bytes._digests import Algorithm, declare

main = declare("sha512sum", Algorithm("SHA512", "sha512", 512), "Print or check SHA512 checksums.")
