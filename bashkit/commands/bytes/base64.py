"""base64: encode or decode base64 (GNU coreutils manual, base64)."""

from bashkit.commands.bytes._basenc import BASE64, declare

main = declare("base64", BASE64, "Base64 encode or decode FILE, or standard input, to standard output.")
