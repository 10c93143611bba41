"""Utilities for bytes: digests, encodings and dumps."""

from bashkit.commands._variants import Variant

_CHOOSING = ("--algorithm", "--untagged", "--debug")  # options that cksum needs
_ENCODINGS = ("--base64", "--base64url", "--base32", "--base32hex", "--base16", "--base2msbf", "--base2lsbf", "--z85")

VARIANTS = {
    "hd": Variant("hexdump", "-C", "Display file contents in hexadecimal and ASCII."),
    "b2sum": Variant("cksum", "-a blake2b --untagged", "Print or check BLAKE2b checksums.", _CHOOSING),
    "base32": Variant("basenc", "--base32", "Base32 encode or decode FILE, or standard input, to standard output.", _ENCODINGS),
    "base64": Variant("basenc", "--base64", "Base64 encode or decode FILE, or standard input, to standard output.", _ENCODINGS),
    **{
        f"{name}sum": Variant("cksum", f"-a {name} --untagged", f"Print or check {name.upper()} checksums.", (*_CHOOSING, "-l"))
        for name in ("md5", "sha1", "sha224", "sha256", "sha384", "sha512")
    },
}
