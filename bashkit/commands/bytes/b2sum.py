"""b2sum: compute and check BLAKE2b message digests (GNU coreutils manual, b2sum invocation)."""

from bashkit.commands.bytes._digests import Algorithm, declare

main = declare("b2sum", Algorithm("BLAKE2b", "blake2b", 512), "Print or check BLAKE2b checksums.")
