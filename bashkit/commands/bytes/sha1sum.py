"""sha1sum: compute and check SHA1 message digests (GNU coreutils manual, sha1sum invocation)."""

from bashkit.commands.bytes._digests import Algorithm, declare

main = declare("sha1sum", Algorithm("SHA1", "sha1", 160), "Print or check SHA1 checksums.")
