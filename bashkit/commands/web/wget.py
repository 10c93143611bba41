"""wget: download files from the web (GNU wget manual); only where the host's NetworkPolicy allows it."""

from __future__ import annotations

import re
from email.utils import formatdate, parsedate_to_datetime
from typing import TYPE_CHECKING

from bashkit.commands._http import HttpError, Request, Response, fetch, split
from bashkit.commands._notation.counts import clamped
from bashkit.commands._notation.durations import seconds
from bashkit.commands._notation.quoting import mention
from bashkit.commands._notation.strftime import Moment
from bashkit.commands.web._transfers import basic, content, encode
from bashkit.commands.web._weblinks import links, local_name, resolved, with_ending
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, help_flag, value, version_flag
from bashkit.syntax.digits import is_digits

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process

_FAILED, _IO, _NETWORK, _TLS, _PROTOCOL, _SERVER = 1, 3, 4, 5, 7, 8
_REDIRECTS, _MOST_BACKUPS = 20, 99
_WHOLE = 200  # the status of a response that is not only a part
_UNCHANGED = 304
_STATUS = {
    "url": _FAILED,
    "header": _FAILED,
    "scheme": _FAILED,
    "tls": _TLS,
    "certificate": _TLS,
    "redirects": _SERVER,
    "empty": _NETWORK,
    "size": _IO,
}
_STORELESS = (
    "--no-cache", "--no-config", "--no-cookies", "--no-dns-cache", "--no-glob", "--no-hsts", "--no-http-keep-alive", "--no-iri",
    "--no-netrc", "--no-proxy",
)  # fmt: skip
_PACE = ("-w", "--wait", "--limit-rate")
_RETRYING = ("-t", "--tries", "--waitretry", "--retry-on-http-error")

_NEGATIONS = {
    "-nv": "--no-verbose",
    "-nc": "--no-clobber",
    "-nd": "--no-directories",
    "-nH": "--no-host-directories",
}
_FOLLOWING = "the links of a page are never followed: name every URL, or list them in a file for -i"


@command(
    "wget",
    usage="[OPTION]... [URL]...",
    summary="Download files from the web, where the host's network policy allows it.",
    options=(
        value("-a", "--append-output", metavar="FILE", help="append messages to FILE"),
        value("--body-data", "--post-data", metavar="STRING", help="send STRING as data (POST)"),
        value("--body-file", "--post-file", metavar="FILE", help="send contents of FILE (POST)"),
        flag("--content-on-error", help="output the received content on server errors"),
        value("--header", metavar="STRING", help="insert STRING among the headers"),
        value("--http-user", "--user", metavar="USER", help="set http user"),
        value("--http-password", "--password", metavar="PASS", help="set http password"),
        value("-i", "--input-file", metavar="FILE", help="download URLs found in FILE"),
        value("--max-redirect", metavar="NUMBER", help="maximum redirections allowed per page"),
        value("--method", metavar="HTTPMethod", help="use method HTTPMethod in the request"),
        flag("-nc", help="(see --no-clobber)"),
        flag("--no-clobber", help="skip downloads that would overwrite existing files"),
        flag("--no-check-certificate", help="(ignored: certificates are always checked)"),
        flag("-N", "--timestamping", help="don't re-retrieve files unless newer than local"),
        flag("--no-if-modified-since", help="with -N, compare what the server answers, and do not ask it to"),
        flag("--no-verbose", help="turn off verboseness, without being quiet"),
        value("-o", "--output-file", metavar="FILE", help="log messages to FILE"),
        value("-O", "--output-document", metavar="FILE", help="write documents to FILE"),
        value("-P", "--directory-prefix", metavar="PREFIX", help="save files to PREFIX/.."),
        value("--progress", metavar="TYPE", help="(ignored: no progress is shown)"),
        flag("-q", "--quiet", help="quiet (no output)"),
        value("--referer", metavar="URL", help="include Referer header"),
        flag("-S", "--server-response", help="print server response"),
        flag("--show-progress", help="(ignored: no progress is shown)"),
        flag("--spider", help="don't download anything"),
        value(*_RETRYING, metavar="NUMBER", help="(ignored: a download is tried once)"),
        value(
            "-T",
            "--timeout",
            "--connect-timeout",
            "--read-timeout",
            "--dns-timeout",
            metavar="SECONDS",
            help="set all timeout values",
        ),
        value("-U", "--user-agent", metavar="AGENT", help="identify as AGENT"),
        flag("-v", "--verbose", help="be verbose (default)"),
        version_flag("-V"),
        flag(*_STORELESS, help="(ignored: nothing is kept from one download to the next)"),
        value(*_PACE, metavar="VALUE", help="(ignored: the host decides about the pace)"),
        flag("--random-wait", help="(ignored: the host decides about the pace)"),
        flag("--retry-connrefused", help="(ignored: a download is tried once)"),
        flag("--no-directories", "--auth-no-challenge", help="(ignored: this is the default)"),
        flag("--no-use-server-timestamps", help="(ignored: a file has the time of its download)"),
        flag("-E", "--adjust-extension", help="save HTML/CSS documents with proper extensions"),
        value("-B", "--base", metavar="URL", help="resolve links of the input file (-i -F) relative to URL"),
        flag("-F", "--force-html", help="treat input file as HTML"),
        flag("--save-headers", help="save the HTTP headers to file"),
        value("--start-pos", metavar="OFFSET", help="start downloading from zero-based position OFFSET"),
        value("--default-page", metavar="NAME", help="change the default page name (normally index.html)"),
        flag("--delete-after", help="delete files locally after downloading them"),
        value("--backups", metavar="N", optional=True, help="before writing file X, rotate up to N backup files"),
        flag("--no-host-directories", help="with -x, don't create host directories"),
        flag("--protocol-directories", help="with -x, use protocol name in directories"),
        value("--cut-dirs", metavar="NUMBER", help="with -x, ignore NUMBER remote directory components"),
        help_flag("-h"),
        flag("-r", "--recursive", "-m", "--mirror", help="(refused: name every URL, or list them in a file for -i)"),
        flag("-x", "--force-directories", help="force creation of directories"),
        flag("-4", "-6", "--inet4-only", "--inet6-only", help="(ignored: the host resolves names)"),
    ),
    usage_status=2,
    rewrite=lambda words: [_NEGATIONS.get(word, word) for word in words],
    model="GNU Wget 1.21.3",
)
def main(process: Process, arguments: Arguments) -> int:
    """Download every URL; 4 for a network failure, 8 for an error of the server."""
    if "r" in arguments:
        process.say(f"wget: {_FOLLOWING}\n")
        return 2
    start = arguments.get("start-pos")
    if start is not None and not is_digits(start):
        process.say(f"wget: --start-pos: Invalid byte value {mention(start)}\n")
        return 2
    if "N" in arguments and "no-clobber" in arguments:
        process.say("Can't timestamp and not clobber old files at the same time.\nUsage: wget [OPTION]... [URL]...\n")
        return _FAILED
    listed = arguments.get("i")
    urls = [*arguments.operands, *(_listed(process, arguments, listed) if listed is not None else ())]
    if not urls and listed is not None:
        process.say(f"No URLs found in {listed}.\n")
        return 0
    if not urls:
        process.say("wget: missing URL\nUsage: wget [OPTION]... [URL]...\n\nTry `wget --help' for more options.\n")
        return _FAILED
    download = _Download(process, arguments)
    download.begin()
    status = 0
    for url in urls:
        process.budget.tick(30)
        status = download.run(url if "://" in url else f"http://{url}") or status
    download.finish()
    return status


def _listed(process: Process, arguments: Arguments, file: str) -> list[str]:
    """The URLs in the file of ``-i``: one on each line, or with ``-F`` the links of a page."""
    text = content(process, file).decode("utf-8", "surrogateescape")
    base = arguments.get("B") or ""
    if "F" not in arguments:
        return [(resolved(line.strip(), base) if base else None) or line.strip() for line in text.splitlines() if line.strip()]
    own, found = links(text, process.budget)
    process.budget.words(len(found))
    urls = []
    for link in found:
        url = resolved(link, base or own)
        if url is None:
            process.say(f"{file}: Cannot resolve incomplete link {link}.\n")
        else:
            urls.append(url)
    return list(dict.fromkeys(urls))


def _length(response: Response) -> int:
    """The length that a server announces, or 0."""
    text = response.header("content-length") or ""
    return int(text) if re.fullmatch("[0-9]{1,18}", text) else 0


def _modified(response: Response) -> float | None:
    """When a server's file was changed; None if it does not say that."""
    try:
        return parsedate_to_datetime(response.header("last-modified") or "").timestamp()
    except ValueError:
        return None


class _Download:
    """The downloads of one command line."""

    def __init__(self, process: Process, arguments: Arguments) -> None:
        self._process = process
        self._arguments = arguments
        self._brief = "no-verbose" in arguments
        self._quiet = "q" in arguments
        self._stamping = "N" in arguments and "O" not in arguments
        self._document: list[bytes] = []
        self._log: list[str] = []

    def _say(self, text: str, *, always: bool = False) -> None:
        if self._quiet or (self._brief and not always):
            return
        if self._arguments.last("o", "a"):
            self._log.append(text)
        else:
            self._process.say(text)

    def _time(self) -> str:
        process = self._process
        moment = Moment.of(process.system.now(), process.system.timezone(process.env.get("TZ", "")))
        return f"{moment.local:%Y-%m-%d %H:%M:%S}"

    def begin(self) -> None:
        """Say what options do not do together."""
        if "N" in self._arguments and not self._stamping:
            self._say("WARNING: timestamping does nothing in combination with -O. See the manual\nfor details.\n\n", always=True)

    def finish(self) -> None:
        """Write the output kept until the end: the document of ``-O`` and the log."""
        target = self._arguments.get("O")
        if target not in {None, "-"} and self._document:
            self._store(target or "", b"".join(self._document))
        log = self._arguments.last("o", "a")
        if log is not None:
            stream = self._process.create(self._arguments.get(log) or "", append=log == "a")
            stream.write(encode("".join(self._log)))
            self._process.close(stream)

    def run(self, url: str) -> int:
        """Download one URL and return the exit status."""
        arguments = self._arguments
        try:
            split(url)
        except HttpError as error:
            return self._failure(url, error)
        name = self._name(url)
        if "no-clobber" in arguments and "O" not in arguments and self._process.fs.exists(self._process.path(name)):
            self._say(f"File {mention(name)} already there; not retrieving.\n\n", always=True)
            return 0
        if "spider" in arguments:
            self._say("Spider mode enabled. Check if remote file exists.\n")
        self._say(f"--{self._time()}--  {url}\n")
        try:
            request = self._request(url, name)
            response = fetch(self._process, request)
        except HttpError as error:
            return self._failure(url, error)
        except OSError as error:
            self._process.warn(f"{error.filename}: {error.strerror}")
            return _IO
        return self._received(response, name)

    def _request(self, url: str, name: str) -> Request:
        arguments = self._arguments
        data = arguments.get("body-data")
        file = arguments.get("body-file")
        body = content(self._process, file) if file is not None else encode(data) if data is not None else None
        method = (arguments.get("method") or ("HEAD" if "spider" in arguments else "POST" if body is not None else "GET")).upper()
        headers = {"user-agent": ("User-Agent", arguments.get("U") or "Wget/1.21.3"), "accept": ("Accept", "*/*")}
        if body is not None:
            headers["content-type"] = ("Content-Type", "application/x-www-form-urlencoded")
        if arguments.get("referer"):
            headers["referer"] = ("Referer", arguments.get("referer") or "")
        user = arguments.get("http-user")
        if user is not None:
            headers["authorization"] = ("Authorization", basic(f"{user}:{arguments.get('http-password') or ''}"))
        start = arguments.get("start-pos")
        if start is not None:
            headers["range"] = ("Range", f"bytes={int(start[:18])}-")
        if self._stamping and "no-if-modified-since" not in arguments and self._process.fs.exists(self._process.path(name)):
            moment = formatdate(self._process.fs.stat(self._process.path(name)).mtime, usegmt=True)
            headers["if-modified-since"] = ("If-Modified-Since", moment)
        for text in arguments.all("header"):
            name, colon, field = text.partition(":")
            if not colon or "\n" in text or "\r" in text:
                raise UsageError(f"--header: Invalid header {mention(text)}.", hint=False)
            headers[name.strip().lower()] = (name.strip(), field.strip())
        most = arguments.get("max-redirect") or str(_REDIRECTS)
        limit = arguments.get("T")
        try:
            timeout = seconds(limit) if limit else None
        except ValueError:
            raise UsageError(f"--timeout: Invalid time period {mention(limit or '')}", hint=False) from None
        return Request(
            method,
            url,
            tuple(headers.values()),
            body,
            follow=clamped(most) if is_digits(most) else _REDIRECTS,
            timeout=timeout or None,
        )

    def _name(self, url: str) -> str:
        return local_name(url, self._arguments)

    def _free(self, name: str) -> str:
        """Find an unused name: with a number, or after the existing file is moved away."""
        arguments, fs, path = self._arguments, self._process.fs, self._process.path
        if "no-clobber" in arguments or "N" in arguments or "x" in arguments or not fs.exists(path(name)):
            return name
        if "backups" in arguments:
            count = arguments.get("backups") or "1"
            for number in range(min(int(count[:3]) if is_digits(count) else 0, _MOST_BACKUPS), 0, -1):
                older = f"{name}.{number - 1}" if number > 1 else name
                if fs.exists(path(older)):
                    fs.rename(path(older), path(f"{name}.{number}"))
            return name
        number = 1
        while fs.exists(path(f"{name}.{number}")):
            number += 1
        return f"{name}.{number}"

    def _failure(self, url: str, error: HttpError) -> int:
        try:
            _, host, port = split(url)
        except HttpError:
            host, port = url, 0
        if error.kind == "resolve":
            self._say(f"Resolving {host} ({host})... failed: Name or service not known.\n")
            if not self._quiet:
                self._process.warn(f"unable to resolve host address {mention(host)}")
        elif error.kind == "connect":
            self._say(f"Connecting to {host}:{port}... failed: Connection refused.\n")
        elif not self._quiet:
            self._process.warn(str(error))
        return _STATUS.get(error.kind, _NETWORK)

    def _received(self, response: Response, name: str) -> int:
        arguments, process = self._arguments, self._process
        _, host, port = split(response.url)
        self._say(f"Connecting to {host}:{port}... connected.\nHTTP request sent, awaiting response... ")
        if "S" in arguments:
            lines = [
                f"{response.version} {response.status} {response.reason}",
                *(f"{key}: {text}" for key, text in response.headers),
            ]
            process.say("\n".join(f"  {line}" for line in lines) + "\n")
        else:
            self._say(f"{response.status} {response.reason}\n")
        if response.status >= 400:
            if "spider" in arguments:
                self._say("Remote file does not exist -- broken link!!!\n\n")
            else:
                self._say(f"{self._time()} ERROR {response.status}: {response.reason}.\n\n", always=True)
            if "content-on-error" not in arguments:
                return _SERVER
        if self._stamping and self._is_current(response, name):
            return 0
        kind = (response.header("content-type") or "").partition(";")[0]
        size = len(response.body) if "spider" not in arguments else _length(response)
        self._say(f"Length: {size} [{kind}]\n")
        if "spider" in arguments:
            self._say("Remote file exists.\n\n")
            return 0
        target = arguments.get("O")
        data = self._data(response)
        if target == "-":
            self._say(f"Saving to: {mention('STDOUT')}\n\n")
            process.stdout.write(data)
        else:
            name = target or self._free(with_ending(name, kind) if "E" in arguments else name)
            self._say(f"Saving to: {mention(name)}\n\n")
            if target is not None:
                self._document.append(data)
            else:
                self._store(name, data)
                if self._stamping and "delete-after" not in arguments:
                    self._stamp(response, name)
        if self._brief:
            self._say(f'{self._time()} URL:{response.url} [{size}/{size}] -> "{name}" [1]\n', always=True)
        else:
            self._say(f"{self._time()} - {mention(name)} saved [{size}/{size}]\n\n")
        return _SERVER if response.status >= 400 else 0

    def _is_current(self, response: Response, name: str) -> bool:
        """Whether the file is there already, and the server's is no newer; that is said (wget(1), --timestamping)."""
        if response.status == _UNCHANGED:
            self._say(f"File {mention(name)} not modified on server. Omitting download.\n\n")
            return True
        remote = _modified(response)
        if remote is None or not self._process.fs.exists(self._process.path(name)):
            return False
        local = self._process.fs.stat(self._process.path(name))
        if remote > local.mtime or len(response.body) != local.size:
            return False
        if "no-if-modified-since" in self._arguments:
            self._say(f"Server file no newer than local file {mention(name)} -- not retrieving.\n\n")
            return True
        self._say(f"Server ignored If-Modified-Since header for file {mention(name)}.\n")
        self._say("You might want to add --no-if-modified-since option.\n\n")
        return True

    def _stamp(self, response: Response, name: str) -> None:
        """Give a file the time that the server's has."""
        modified = _modified(response)
        if modified is not None:
            self._process.fs.utime(self._process.path(name), None, modified)
        elif response.header("last-modified") is None:
            self._say("Last-modified header missing -- time-stamps turned off.\n")
        else:
            self._say("Last-modified header invalid -- time-stamp ignored.\n")

    def _data(self, response: Response) -> bytes:
        """What is saved of a response."""
        body = response.body
        if response.status == _WHOLE:
            body = body[int((self._arguments.get("start-pos") or "0")[:18]) :]  # the server has not left it out
        if "save-headers" not in self._arguments:
            return body
        lines = [f"{response.version} {response.status} {response.reason}", *(f"{key}: {text}" for key, text in response.headers)]
        return encode("".join(f"{line}\r\n" for line in lines) + "\r\n") + body

    def _store(self, name: str, data: bytes) -> None:
        process = self._process
        if ("P" in self._arguments or "x" in self._arguments) and "/" in name.strip("/"):
            process.fs.makedirs(process.path(name.rpartition("/")[0]))
        stream = process.create(name)
        stream.write(data)
        process.close(stream)
        if "delete-after" in self._arguments:
            process.fs.unlink(process.path(name))
