"""md5sum: compute and check MD5 message digests (GNU coreutils manual, md5sum invocation)."""

from bashkit.commands.bytes._digests import Algorithm, declare

main = declare("md5sum", Algorithm("MD5", "md5", 128), "Print or check MD5 checksums.")
