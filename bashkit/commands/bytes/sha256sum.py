"""sha256sum: compute and check SHA256 message digests (GNU coreutils manual, sha2 utilities)."""

from bashkit.commands.bytes._digests import Algorithm, declare

main = declare("sha256sum", Algorithm("SHA256", "sha256", 256), "Print or check SHA256 checksums.")
