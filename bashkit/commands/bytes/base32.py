"""base32: encode or decode base32 (GNU coreutils manual, base32)."""

from bashkit.commands.bytes._basenc import BASE32, declare

main = declare("base32", BASE32, "Base32 encode or decode FILE, or standard input, to standard output.")
