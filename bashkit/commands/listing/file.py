"""file: determine file type (POSIX XCU file)."""

from __future__ import annotations

import json
import re
from datetime import UTC
from typing import TYPE_CHECKING

from bashkit.commands._filesystem.lines import read_names
from bashkit.commands._notation.encoding import encode, width
from bashkit.commands._notation.quoting import is_control
from bashkit.commands._notation.strftime import Moment, strftime
from bashkit.commands.archives._compression import CorruptError, expand, gzip_header
from bashkit.interp.runtime.pieces import PIECE
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, value, version_flag
from bashkit.limits import ask

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process

_MAGIC: tuple[tuple[bytes, str, str], ...] = (
    (b"\x89PNG\r\n\x1a\n", "PNG image data", "image/png"),
    (b"\xff\xd8\xff", "JPEG image data", "image/jpeg"),
    (b"GIF87a", "GIF image data, version 87a", "image/gif"),
    (b"GIF89a", "GIF image data, version 89a", "image/gif"),
    (b"%PDF-", "PDF document", "application/pdf"),
    (b"PK\x03\x04", "Zip archive data", "application/zip"),
    (b"\x1f\x8b", "gzip compressed data", "application/gzip"),
    (b"BZh", "bzip2 compressed data", "application/x-bzip2"),
    (b"\xfd7zXZ\x00", "XZ compressed data", "application/x-xz"),
    (b"\x28\xb5\x2f\xfd", "Zstandard compressed data (v0.8+)", "application/zstd"),
    (b"7z\xbc\xaf\x27\x1c", "7-zip archive data", "application/x-7z-compressed"),
    (b"!<arch>\ndebian-binary", "Debian binary package (format 2.0)", "application/vnd.debian.binary-package"),
    (b"!<arch>\n", "current ar archive", "application/x-archive"),
    (b"070701", "ASCII cpio archive (SVR4 with no CRC)", "application/x-cpio"),
    (b"070702", "ASCII cpio archive (SVR4 with CRC)", "application/x-cpio"),
    (b"070707", "ASCII cpio archive (pre-SVR4 or odc)", "application/x-cpio"),
    (b"\xc7\x71", "cpio archive", "application/x-cpio"),
    (b"\x7fELF", "ELF", "application/x-executable"),
    (b"SQLite format 3\x00", "SQLite 3.x database", "application/vnd.sqlite3"),
    (b"RIFF", "RIFF (little-endian) data", "application/octet-stream"),
    (b"OggS", "Ogg data", "application/ogg"),
    (b"ID3", "Audio file with ID3", "audio/mpeg"),
)
_SHELL = "text/x-shellscript"
_JAVASCRIPT = "application/javascript"
_INTERPRETERS = {
    "sh": ("POSIX shell script", _SHELL),
    "bash": ("Bourne-Again shell script", _SHELL),
    "ksh": ("Korn shell script", _SHELL),
    "csh": ("C shell script", _SHELL),
    "tcsh": ("Tenex C shell script", _SHELL),
    "zsh": ("Paul Falstad's zsh script", _SHELL),
    "fish": ("fish shell script", _SHELL),
    "python": ("Python script", "text/x-script.python"),
    "perl": ("Perl script text executable", "text/x-perl"),
    "awk": ("awk script", "text/x-awk"),
    "gawk": ("GNU awk script", "text/x-gawk"),
    "nawk": ("new awk script", "text/x-nawk"),
    "ruby": ("Ruby script", "text/x-ruby"),
    "php": ("PHP script", "text/x-php"),
    "lua": ("Lua script", "text/x-lua"),
    "tclsh": ("Tcl/Tk script", "text/x-tcl"),
    "wish": ("Tcl/Tk script", "text/x-tcl"),
    "node": ("Node.js script executable", _JAVASCRIPT),
}
_SYSTEM = {"/bin", "/usr/bin", "/usr/local/bin"}  # where known interpreters are
_NOT_BY_ENV = {"sh", "csh", "tcsh", "ksh", "awk", "gawk", "nawk"}  # known only by their paths
_UNENDED = {"python", "node"}  # known even if nothing follows the name
_SOURCES: tuple[tuple[re.Pattern[bytes], str, str], ...] = tuple(
    (re.compile(pattern, re.MULTILINE), subject, kind)
    for pattern, subject, kind in (
        (rb"^--- [^\n]*\n\+\+\+ [^\n]*\n@@", "unified diff output", "text/x-diff"),
        (rb"\A(?:diff |Only in |Common subdirectories: )", "diff output", "text/x-diff"),
        (rb"\A\*\*\* [^\n]*\n--- ", "context diff output", "text/x-diff"),
        (rb"\AIndex:", "RCS/CVS diff output", "text/x-diff"),
        (rb"\A-----BEGIN CERTIFICATE-----", "PEM certificate", "text/plain"),
        (rb"\A-----BEGIN CERTIFICATE REQ", "PEM certificate request", "text/plain"),
        (rb"\A-----BEGIN RSA PRIVATE", "PEM RSA private key", "text/plain"),
        (rb"\A-----BEGIN DSA PRIVATE", "PEM DSA private key", "text/plain"),
        (rb"\A-----BEGIN EC PRIVATE", "PEM EC private key", "text/plain"),
        (rb"\A-----BEGIN OPENSSH PRIVATE", "OpenSSH private key", "text/plain"),
        (rb"\A-----BEGIN PGP PUBLIC KEY BLOCK-", "PGP public key block", "application/pgp-keys"),
        (rb"\A-----BEGIN PGP SIGNATURE-", "PGP signature", "application/pgp-signature"),
        (rb"\A-----BEGIN PGP SIGNED MESSAGE-", "PGP signed message", "text/PGP"),
        (rb"\A-----BEGIN PGP MESSAGE-", "PGP message", "application/pgp-encrypted"),
        (rb"\Assh-rsa ", "OpenSSH RSA public key", "text/plain"),
        (rb"\Assh-dss ", "OpenSSH DSA public key", "text/plain"),
        (rb"\Assh-ed25519 ", "OpenSSH ED25519 public key", "text/plain"),
        (rb"\Aecdsa-sha2-nistp", "OpenSSH ECDSA public key", "text/plain"),
        (rb"\ABEGIN:VCARD", "vCard visiting card", "text/vcard"),
        (rb"\ABEGIN:VCALENDAR", "vCalendar calendar file", "text/calendar"),
        (rb"\A(?:From|Date): ", "news or mail", "message/rfc822"),
        (rb"\A(?:Return-Path|Delivered-To): ", "SMTP mail", "message/rfc822"),
        (rb"\AReceived: ", "RFC 822 mail", "message/rfc822"),
        (rb"\A(?:Xref|Path): ", "news", "message/news"),
        (rb"\AMIME-Version: ", "MIME entity", "text/plain"),
        (rb"\A<svg\b", "SVG Scalable Vector Graphics image", "image/svg+xml"),
        (rb"\A<\?(?:php)?\s", "PHP script", "text/x-php"),
        (rb"\A@(?i:echo off|rem)\b", "DOS batch file", "text/x-msdos-batch"),
        (rb"\A\.(?:TH|SH|de|\\\") ", "troff or preprocessor input", "text/troff"),
        (rb"\Apackage [\w:]+;", "Perl5 module source", "text/plain"),
        (rb"^\\documentclass", "LaTeX 2e document", "text/x-tex"),
        (rb"^(?:using namespace |namespace \w+|template ?<)", "C++ source", "text/x-c++"),
        (
            rb"^[ \t]{0,50}(?:#include\b|(?:extern|struct|union)[ \t]|(?:\w+[ \t]+)?main\([^)]{0,200}\)\s{0,50}\{)",
            "C source",
            "text/x-c",
        ),
        (rb"^import (?:java|\")", "Java source", "text/x-java"),
        (
            rb"^(?:from [\w.]+ import |import \w+ as |[ \t]{0,50}def \w+ ?\([^\n]*\):$|if __name__ ?==|class \w+[^\n]*:$)",
            "Python script",
            "text/x-script.python",
        ),
        (rb"\A\"\"\"", "Python script", "text/plain"),
        (rb"^(?:(?:const|let|var) \w+ ?= ?require\(|export (?:default|const)\b)", "JavaScript source", _JAVASCRIPT),
        (rb"^(?:import [^\n;]*\bfrom ['\"]|module\.exports\b|['\"]use strict['\"])", "JavaScript source", _JAVASCRIPT),
        (rb"^(?:all|\.PHONY):", "makefile script", "text/x-makefile"),
    )
)
_HTML = re.compile(rb"<(?:!doctype html|html|head|title|style|script|table|a href=)", re.IGNORECASE)
_UTF16 = {b"\xff\xfe": ("little", "utf-16le"), b"\xfe\xff": ("big", "utf-16be")}
_TEXT_BYTES = bytes({7, 8, 9, 10, 11, 12, 13, 27, *range(32, 127), *range(128, 256)})
_SPECIAL = {
    "directory": ("directory", "inode/directory"),
    "fifo": ("fifo (named pipe)", "inode/fifo"),
    "character": ("character special ({}/{})", "inode/chardevice"),
}
_PROBE = 1 << 20
_7Z_VERSION = 7  # where its second number stands
_ROWS = 10  # lines that are looked at for commas
_COUNTED = 1 << 16  # bytes that they have at most
_CONTROLS = bytes(range(0x80, 0xA0))
_QUOTED = re.compile(rb'"(?:[^"]|"")*"')
_LOOKED_AT = 8192  # bytes in which a source shows itself
# what is said without an encoding
_WHOLE = {"JSON text data", "CSV text", "Perl script text executable", "PEM certificate", "PEM RSA private key",
          "vCard visiting card", "vCalendar calendar file", "SVG Scalable Vector Graphics image", "PEM certificate request",
          "PEM DSA private key", "PEM EC private key", "OpenSSH private key", "PGP public key block", "PGP signature",
          "PGP signed message", "PGP message", "OpenSSH RSA public key", "OpenSSH DSA public key",
          "OpenSSH ED25519 public key", "OpenSSH ECDSA public key"}  # fmt: skip
_GZIP_HEADER, _XZ_CHECK, _ZIP_HEADER = 10, 7, 30  # sizes of headers, or offsets in them
_UNIX = 3
_EXTENSIONS = {
    "image/png": "png", "image/jpeg": "jpeg/jpg/jpe/jfif", "image/gif": "gif", "application/pdf": "pdf",
    "application/x-bzip2": "bz2", "application/gzip": "gz/tgz/tpz/zabw/svgz/adz/kmy/xcfgz", "application/x-xz": "xz",
    "application/x-tar": "tar/gtar",
}  # fmt: skip
_NAMELESS = "gz/tgz/tpz/ipk/vbox-extpack/svgz/blend/dia/gnucash/rdata/xoj"  # gzip data without a file name
_APPLE = {"image/gif": "8BIMGIFf", "image/jpeg": "8BIMJPEG"}
_PACKED = {"application/gzip": "gzip", "application/x-bzip2": "bzip2", "application/x-xz": "xz"}


@command(
    "file",
    usage="[OPTION...] [FILE...]",
    summary="Determine type of FILEs.",
    options=(
        flag("-b", "--brief", help="do not prepend filenames to output lines"),
        value("-f", "--files-from", metavar="FILE", help="read the filenames to be examined from FILE"),
        value("-F", "--separator", metavar="STRING", help="use string as separator instead of ':'"),
        flag("-i", "--mime", help="output MIME type strings (--mime-type and --mime-encoding)"),
        flag("--mime-type", help="output the MIME type"),
        flag("--mime-encoding", help="output the MIME encoding"),
        flag("-h", "--no-dereference", help="don't follow symlinks (default)"),
        flag("-L", "--dereference", help="follow symlinks"),
        flag("-N", "--no-pad", help="do not pad output"),
        flag("-0", "--print0", help="terminate filenames with ASCII NUL"),
        flag("-n", "--no-buffer", help="(ignored: output is never held back)"),
        flag("-p", "--preserve-date", help="(ignored: reading a file leaves its times alone)"),
        flag("-r", "--raw", help="don't translate unprintable chars to \\ooo"),
        flag("-S", "--no-sandbox", help="(ignored: there is always one)"),
        flag("-z", "--uncompress", help="try to look inside compressed files"),
        flag("-Z", "--uncompress-noreport", help="only print the contents of compressed files"),
        flag("--extension", help="output a slash-separated list of extensions"),
        flag("--apple", help="output the Apple CREATOR/TYPE"),
        version_flag("-v"),
        flag("-E", help="on filesystem errors, issue an error message and exit"),
        flag("-s", "--special-files", help="treat special files as ordinary ones"),
    ),
    model="file 5.44",
)
def main(process: Process, arguments: Arguments) -> int:
    """Print a line for each file."""
    names = arguments.operands[:]
    for listing in arguments.all("f"):
        names.extend(read_names(process, process.open(listing)))
    if not names:
        raise UsageError("Usage: file [-bhiLN0] [--mime-type] [--mime-encoding] FILE ...", hint=False)
    room = max(width(_shown(arguments, name)) for name in names)
    nuls = sum(key == "0" for key, _ in arguments.given)
    status = 0
    for name in names:
        process.budget.tick(100)
        try:
            text = _described(process, arguments, name)
        except _LostError as error:
            text, status = str(error), 1
        shown = "/dev/stdin" if name == "-" else _shown(arguments, name)
        process.write(_head(arguments, shown, room, nuls) + text + ("\0" if nuls > 1 else "\n"))
    return status


def _head(arguments: Arguments, name: str, room: int, nuls: int) -> str:
    """What stands before the type of a file: its name, a separator, and blanks up to the column of the types.

    Args:
        arguments: The options.
        name: The name as it is printed.
        room: The columns of the longest name.
        nuls: How often ``-0`` is given; twice, a NUL is all that follows the name.
    """
    if "b" in arguments:
        return ""
    if nuls > 1:
        return f"{name}\0"
    padding = "" if "N" in arguments else " " * (room - width(name))
    return f"{name}{chr(0) * nuls}{arguments.get('F', ':')}{padding} "


def _shown(arguments: Arguments, name: str) -> str:
    """A name as it is printed: unprintable characters as their octal numbers."""
    if "r" in arguments:
        return name
    return "".join(["".join(f"\\{byte:03o}" for byte in encode(char)) if is_control(char) else char for char in name])


class _LostError(Exception):
    """A file cannot be looked at, and that is an error (``-E``)."""


def _described(process: Process, arguments: Arguments, name: str) -> str:
    description, kind, encoding = _examined(process, arguments, name)
    if "extension" in arguments:
        return _NAMELESS if kind == "application/gzip" and ", was " not in description else _EXTENSIONS.get(kind, "???")
    if "apple" in arguments:
        return _APPLE.get(kind, "UNKNUNKN")
    of_type, of_encoding = ("i" in arguments or key in arguments for key in ("mime-type", "mime-encoding"))
    if of_type:
        return f"{kind}; charset={encoding}" if of_encoding and encoding not in {"", kind} else kind
    return encoding or "binary" if of_encoding else description


def _examined(process: Process, arguments: Arguments, name: str) -> tuple[str, str, str]:
    """Description, MIME type and encoding."""
    if name == "-":
        return _inside(process, arguments, process.stdin.read(_PROBE))
    path = process.path(name)
    try:
        stat = process.fs.stat(path, follow="L" in arguments)
    except OSError as error:
        if "E" in arguments:
            raise _LostError(f"ERROR: cannot stat `{name}' ({error.strerror})") from None
        problem = f"cannot open `{name}' ({error.strerror})"
        return problem, problem, problem
    if stat.type == "symlink":
        broken = "" if process.fs.exists(path) else "broken "
        target = _shown(arguments, process.fs.readlink(path))
        return f"{broken}symbolic link to {target}", "inode/symlink", "" if broken else "binary"
    if stat.type in _SPECIAL:
        description, kind = _SPECIAL[stat.type]
        return description.format(*stat.device), kind, "binary"
    if stat.size and not process.fs.access(path, "r"):
        may = [text for want, text in (("w", "writable, "), ("x", "executable, ")) if process.fs.access(path, want)]
        problem = f"{''.join(may)}regular file, no read permission"
        return problem, problem, problem
    return _inside(process, arguments, process.open(name).read(_PROBE) if stat.size else b"")


def _inside(process: Process, arguments: Arguments, data: bytes) -> tuple[str, str, str]:
    """The type of content, with ``-z`` of the compressed content in it."""
    packed = classify(data)
    kind = _PACKED.get(packed[1]) if "z" in arguments or "Z" in arguments else None
    if kind is None:
        return packed
    try:
        description, inner, encoding = classify(expand(data, kind, process.budget)[:_PROBE])
    except CorruptError as error:
        description, inner, encoding = f"ERROR:[{kind}: {error}]", "application/x-decompression-error-gzip", "binary"
    if "Z" in arguments:
        return description, inner, encoding
    outer = packed[0].partition(", original size")[0]
    report = "" if "mime-type" in arguments else f" compressed-encoding={packed[1]}; charset=binary"
    return f"{description} ({outer})", inner, encoding + report


def classify(data: bytes) -> tuple[str, str, str]:
    """Classify content by its first bytes or as text: description, MIME type and encoding."""
    if not data:
        return "empty", "inode/x-empty", "binary"
    for magic, description, kind in _MAGIC:
        if data.startswith(magic):
            encoding = "binary" if data.translate(None, _TEXT_BYTES) else _encoding(data)[1]
            return _detailed(data, description), kind, encoding
    if data[257:262] == b"ustar":
        return f"POSIX tar archive{' (GNU)' if data[257:265] == b'ustar  ' + bytes(1) else ''}", "application/x-tar", "binary"
    if data[:2] in _UTF16 and len(data) % 2 == 0:
        order, encoding = _UTF16[data[:2]]
        return f"Unicode text, UTF-16, {order}-endian text{_line_ends(data[2:].replace(bytes(1), b''))}", "text/plain", encoding
    if data.translate(None, _TEXT_BYTES):
        return "data", "application/octet-stream", "binary"
    if len(data) == 1:
        return "very short file (no magic)", "application/octet-stream", "binary"
    name, encoding = _encoding(data)
    kind, subject = _text_kind(data)
    if subject in _WHOLE or subject.startswith("PostScript"):
        return subject, kind, encoding
    description = f"{subject}, {name} text" if subject else f"{name} text"
    if subject.endswith("script") and subject != "makefile script" and not data.startswith(b"<?"):
        description += " executable"
    return description + _line_ends(data), kind, encoding


def _detailed(data: bytes, description: str) -> str:
    if description == "PNG image data" and len(data) >= 29:
        width, height = int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
        color = {0: "grayscale", 2: "RGB", 3: "colormap", 4: "gray+alpha", 6: "RGBA"}.get(data[25], "unknown")
        interlaced = "interlaced" if data[28] else "non-interlaced"
        return f"PNG image data, {width} x {height}, {data[24]}-bit/color {color}, {interlaced}"
    if description.startswith("GIF") and len(data) >= 10:
        return f"{description}, {int.from_bytes(data[6:8], 'little')} x {int.from_bytes(data[8:10], 'little')}"
    packed = _packed(data, description)
    if packed:
        return packed
    if description == "7-zip archive data" and len(data) > _7Z_VERSION:
        return f"{description}, version {data[_7Z_VERSION - 1]}.{data[_7Z_VERSION]}"
    if description == "PDF document":
        version = re.match(rb"%PDF-(\d+\.\d+)", data)
        return f"PDF document, version {version[1].decode()}" if version else description
    return description


def _packed(data: bytes, description: str) -> str:
    """Describe the header of compressed data; empty for any other data."""
    if description == "gzip compressed data" and len(data) > _GZIP_HEADER:
        flags, modified, method, system = data[3], int.from_bytes(data[4:8], "little"), data[8], data[9]
        text = f'{description}, was "{gzip_header(data)[0]}"' if flags & 8 else description
        if modified:
            text += f", last modified: {strftime('%a %b %e %H:%M:%S %Y', Moment.of(modified, UTC))}"
        text += {2: ", max compression", 4: ", max speed"}.get(method, "") + (", from Unix" if system == _UNIX else "")
        return text + (f", original size modulo 2^32 {int.from_bytes(data[-4:], 'little')}" if len(data) < _PROBE else "")
    if description == "bzip2 compressed data" and data[3:4].isdigit():
        return f"{description}, block size = {data[3:4].decode()}00k"
    if description == "XZ compressed data" and len(data) > _XZ_CHECK:
        check = {0: "NONE", 1: "CRC32", 4: "CRC64", 10: "SHA-256"}.get(data[_XZ_CHECK] & 15)
        return f"{description}, checksum {check}" if check else description
    if description == "Zip archive data" and len(data) >= _ZIP_HEADER:
        version, method = data[4], int.from_bytes(data[8:10], "little")
        how = {0: "store", 8: "deflate"}.get(method)
        return f"{description}, at least v{version // 10}.{version % 10} to extract" + (
            f", compression method={how}" if how else ""
        )
    return ""


def _encoding(data: bytes) -> tuple[str, str]:
    if data.isascii():
        return "ASCII", "us-ascii"
    bom = data.startswith(b"\xef\xbb\xbf")
    try:
        data[: len(data) - 3 if len(data) == _PROBE else None].decode("utf-8")
    except UnicodeDecodeError:
        return (
            ("Non-ISO extended-ASCII", "unknown-8bit")
            if len(data.translate(None, _CONTROLS)) < len(data)
            else ("ISO-8859", "iso-8859-1")
        )
    return ("Unicode text, UTF-8 (with BOM)" if bom else "Unicode text, UTF-8"), "utf-8"


def _text_kind(data: bytes) -> tuple[str, str]:
    """MIME type and subject of a text; an empty subject for plain text."""
    first = data.lstrip()
    if data.startswith(b"#!"):
        return _script(data)
    if first[:1] in {b"{", b"["} and _is_json(data):
        return "application/json", "JSON text data"
    if _is_csv(data):
        return "text/csv", "CSV text"
    if re.match(rb"<\?xml\b[^>]{0,200}>\s*<svg\b", first):
        return "image/svg+xml", "SVG Scalable Vector Graphics image"
    if re.match(rb"<\?xml\b", first):
        return "text/xml", "XML 1.0 document"
    postscript = re.match(rb"%!(?:PS-Adobe-(\d\.\d))?( EPS)?", data)
    if postscript is not None:
        level = f" conforming DSC level {postscript[1].decode()}" if postscript[1] else ""
        return "application/postscript", f"PostScript document text{level}{', type EPS' if postscript[2] else ''}"
    packed = re.match(rb"begin [0-7]{3} ([^\r\n]+)", data)
    if packed is not None:
        return "text/plain", f'uuencoded or xxencoded text, file name "{packed[1].decode("utf-8", "replace")}"'
    head = data[:_LOOKED_AT]
    if re.match(_HTML, first):
        return "text/html", "HTML document"
    found = next(((kind, subject) for pattern, subject, kind in _SOURCES if pattern.search(head)), None)
    return found or (("text/html", "HTML document") if re.search(_HTML, head) else ("text/plain", ""))


def _script(data: bytes) -> tuple[str, str]:
    """MIME type and subject of what says its interpreter in the first line."""
    line = data[2:].split(b"\n", 1)[0].decode("utf-8", "replace").strip(" \t\r")
    command = re.sub(r"^/usr/bin/env\s+", "", line)
    by_env = command != line
    folder, _, program = (command.split() or [""])[0].rpartition("/")
    program = re.sub(r"^python[0-9.]+$", "python", program)
    known = (by_env and not folder and program not in _NOT_BY_ENV) or (not by_env and folder in _SYSTEM)
    if b"\n" not in data and " " not in command and program not in _UNENDED:
        known = False
    subject, kind = _INTERPRETERS.get(program if known else "", (f"a {command} script", "text/plain"))
    return kind, subject


def _is_json(data: bytes) -> bool:
    if len(data) == _PROBE:
        return False
    try:
        json.loads(data)
    except (ValueError, RecursionError):
        return False
    return True


def _is_csv(data: bytes) -> bool:
    """Whether the first lines, of which there are some, have the same number of commas outside of quotes."""
    plain = _QUOTED.sub(b"", data[:_COUNTED])
    lines = plain.split(b"\n", _ROWS)[:-1]
    commas = {line.count(b",") for line in lines}
    return len(lines) > 2 and len(commas) == 1 and 0 not in commas and not any(b'"' in line for line in lines)


def _longest(data: bytes) -> int:
    """The bytes of the longest line."""
    longest = begun = 0
    for start in range(0, len(data), PIECE):
        first, *others = map(len, data[start : start + PIECE].split(b"\n"))
        begun += first
        if others:
            longest = max(longest, begun, *others[:-1])
            begun = others[-1]
        ask(PIECE >> 6)
    return max(longest, begun)


def _line_ends(data: bytes) -> str:
    """What is said of the lines of a text, and of its control characters."""
    longest = _longest(data)
    long = f", with very long lines ({longest})" if longest > 300 else ""
    both = data.count(b"\r\n")
    counts = {"CRLF": both, "CR": data.count(b"\r") - both, "LF": data.count(b"\n") - both}
    kinds = [kind for kind, count in counts.items() if count]
    ends = "" if kinds == ["LF"] else f", with {', '.join(kinds) or 'no'} line terminators"
    marks = ((b"\x1b", "escape sequences"), (b"\b", "overstriking"))
    return long + ends + "".join(f", with {what}" for mark, what in marks if mark in data)
