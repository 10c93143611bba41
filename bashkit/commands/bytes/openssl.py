"""openssl: digests, base64 and random bytes, as far as openssl(1) is used for them in scripts."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import freed, slurp
from bashkit.commands._notation.counts import clamped
from bashkit.interp.utility.command import Arguments, HelpRequested, command
from bashkit.syntax.digits import is_digits

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process

_DIGESTS = {
    "md5": ("MD5", "md5"), "sha1": ("SHA1", "sha1"), "sha224": ("SHA2-224", "sha224"), "sha256": ("SHA2-256", "sha256"),
    "sha384": ("SHA2-384", "sha384"), "sha512": ("SHA2-512", "sha512"), "sha3-224": ("SHA3-224", "sha3_224"),
    "sha3-256": ("SHA3-256", "sha3_256"), "sha3-384": ("SHA3-384", "sha3_384"), "sha3-512": ("SHA3-512", "sha3_512"),
    "blake2b512": ("BLAKE2B-512", "blake2b"), "blake2s256": ("BLAKE2S-256", "blake2s"),
}  # fmt: skip
_VERSION = "OpenSSL 3.0.17 1 Jul 2025 (bashkit: dgst, base64, rand)\n"
_LINE = 64  # base64 digits in a line
_BLOCK = 65536
_MOST = 1 << 31


class _Refused(Exception):  # noqa: N818 - a command line that is refused, with its message
    pass


@command(
    "openssl",
    usage="dgst|DIGEST|base64|enc -base64|rand|version [OPTION]... [FILE]...",
    summary="Digests, base64 and random bytes.",
    options=None,
    notes="  dgst [-DIGEST] [-r] [-hex|-binary] [-c] [-hmac KEY] [-out FILE] [FILE]...\n"
    "  DIGEST [OPTION]... [FILE]...    md5, sha1, sha224, sha256, sha384, sha512, sha3-256, blake2b512 …\n"
    "  base64|enc -base64 [-d|-e] [-A] [-in FILE] [-out FILE]\n  rand [-hex|-base64] [-out FILE] COUNT\n  version",
    model="OpenSSL 3.0.17",
)
def main(process: Process, arguments: Arguments) -> int:
    """Run one of its commands; 1 when that fails."""
    name, *words = arguments.operands or ["help"]
    if name in {"help", "--help", "-help"}:
        raise HelpRequested(main.help())
    if name in {"version", "-v", "--version"}:
        process.write(_VERSION)
        return 0
    try:
        if name == "dgst" or name in _DIGESTS:
            return _digest(process, name, words)
        if name in {"base64", "enc"}:
            return _base64(process, name, words)
        if name == "rand":
            return _random(process, words)
    except _Refused as reason:
        process.say(f"{name}: {reason}\n{name}: Use -help for summary.\n")
        return 1
    process.say(f"Invalid command '{name}'; type \"help\" for a list.\n")
    return 1


def _options(words: list[str], flags: set[str], values: set[str]) -> tuple[dict[str, str], list[str]]:
    """Sort words into options, which have one dash or two and come first, and operands.

    Raises:
        _Refused: An option is unknown, or lacks its argument.
    """
    found: dict[str, str] = {}
    rest = list(words)
    while rest and rest[0].startswith("-") and len(rest[0]) > 1:
        word = rest.pop(0)
        key = word.removeprefix("--") if word.startswith("--") else word[1:]
        if not key:
            break
        if key in values:
            if not rest:
                raise _Refused(f"Option {word} needs a value")
            found[key] = rest.pop(0)
        elif key in flags:
            found[key] = ""
        else:
            raise _Refused(f"Unknown option or message digest: {key}" if "hmac" in values else f"Unknown option: {key}")
    return found, rest


def _read(process: Process, name: str) -> bytes | None:
    """The content of a file; None, and a message, if it cannot be read."""
    try:
        return slurp(process, process.open(name))
    except OSError as error:
        process.say(f"{name}: {error.strerror}\n")
        return None


def _write(process: Process, options: dict[str, str], data: bytes) -> None:
    if "out" not in options:
        process.stdout.write(data)
        return
    stream = process.create(options["out"])
    try:
        stream.write(data)
    finally:
        process.close(stream)


def _digest(process: Process, name: str, words: list[str]) -> int:
    options, files = _options(words, {"r", "hex", "binary", "c", "d", *_DIGESTS}, {"hmac", "out"})
    chosen = next((key for key in reversed(options) if key in _DIGESTS), name if name in _DIGESTS else "sha256")
    title, algorithm = _DIGESTS[chosen]
    if chosen == "sha256" and "sha256" not in {name, *options}:
        title = "SHA256"  # the digest that is taken when none is given
    if "hmac" in options and files:
        title = f"HMAC-{title}"
    status = 0
    output: list[bytes] = []
    for file in files or ["-"]:
        with freed(process):
            data = _read(process, file)
            if data is None:
                status = 1
                continue
            process.budget.tick(len(data) >> 9)
            if "hmac" in options:
                made = hmac.digest(options["hmac"].encode("utf-8", "surrogateescape"), data, algorithm)
            else:
                made = hashlib.new(algorithm, data, usedforsecurity=False).digest()
        shown = "stdin" if not files else file
        text = made.hex(":") if "c" in options and "r" not in options else made.hex()
        if "binary" in options:
            output.append(made)
        elif "r" in options:
            output.append(f"{text} *{shown}\n".encode("utf-8", "surrogateescape"))
        else:
            output.append(f"{title}({shown})= {text}\n".encode("utf-8", "surrogateescape"))
    _write(process, options, b"".join(output))
    return status


def _base64(process: Process, name: str, words: list[str]) -> int:
    options, rest = _options(words, {"d", "e", "A", "a", "base64"}, {"in", "out"})
    if name == "enc" and not options.keys() & {"a", "base64"}:
        raise _Refused("there are no ciphers in this sandbox: only -base64")
    if rest:
        raise _Refused(f"Extra (unknown) options: {rest[0]!r}" if len(rest) == 1 else f"Extra (unknown) options: {rest}")
    with freed(process):
        data = _read(process, options.get("in", "-"))
        if data is None:
            return 1
        process.budget.string(2 * len(data))
        process.budget.tick(len(data) >> 6)
        if "d" not in options:
            width = 0 if "A" in options else _LINE
            text = base64.b64encode(data)
            lines = [text[start : start + width] + b"\n" for start in range(0, len(text), width)] if width else [text]
            _write(process, options, b"".join(lines))
            return 0
        text = data.strip() if "A" in options else data.translate(None, b" \t\n\v\f\r")
        try:
            _write(process, options, base64.b64decode(text, validate=True))
        except (binascii.Error, ValueError):
            process.say("error reading input file\n")
            return 1
    return 0


def _random(process: Process, words: list[str]) -> int:
    options, rest = _options(words, {"hex", "base64"}, {"out"})
    if len(rest) != 1 or not is_digits(rest[0]):
        raise _Refused("a number of bytes is needed" if not rest else f"Extra arguments given: {' '.join(rest)}")
    count = clamped(rest[0])
    if count >= _MOST:
        raise _Refused(f'Can\'t parse "{rest[0][:40]}" as a number')
    process.budget.string(2 * count)
    process.budget.tick(count >> 6)
    data = process.system.random.randbytes(count)
    if "hex" in options:
        data = data.hex().encode() + b"\n"
    elif "base64" in options:
        text = base64.b64encode(data)
        data = b"".join(text[start : start + _LINE] + b"\n" for start in range(0, len(text), _LINE))
    _write(process, options, data)
    return 0
