"""curl: transfer data from or to a server (curl(1)); only HTTP, and only where the host's NetworkPolicy allows it, and files."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING
from urllib.parse import quote

from bashkit.commands._http import HttpError, Request, Response, fetch, split
from bashkit.commands._notation.counts import clamped
from bashkit.commands._notation.durations import seconds
from bashkit.commands.web import _fileurls
from bashkit.commands.web._transfers import basic, content, encode, multipart, remote_name, url_encoded, with_query
from bashkit.interp.utility.command import Arguments, Command, HelpRequested, UsageError, command, flag, value
from bashkit.syntax.digits import is_digits

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process

_USAGE, _UNWRITABLE, _READ = 2, 23, 26
_HTTP_ERROR = 22
_STATUS = {
    "scheme": 1, "url": 3, "resolve": 6, "connect": 7, "refused": 7, "timeout": 28, "tls": 35, "redirects": 47, "empty": 52,
    "header": 43, "receive": 56, "encoding": 61, "certificate": 60, "size": 63,
    "unwritable": 23, "read": 26, "range": 33, "resume": 36, "file": 37,
}  # fmt: skip
_REDIRECTS = 50
_AGENT = "curl/7.88.1"
_VARIABLE = re.compile(r"%\{([a-z_]+)\}|%header\{([^}]*)\}|%(%)|\\([nrt\\])")
_ADVICE = "curl: try 'curl --help' or 'curl --manual' for more information\n"

OPTIONS = (
    value("-A", "--user-agent", metavar="NAME", help="send User-Agent NAME to server"),
    value("-b", "--cookie", metavar="DATA", help="send cookies: NAME=VALUE; ..."),
    value("-c", "--cookie-jar", metavar="FILE", help="write the cookies received to FILE"),
    flag("--compressed", help="request compressed response"),
    value("--connect-timeout", metavar="SECONDS", help="(ignored: -m limits the whole transfer)"),
    flag("--create-dirs", help="create necessary local directory hierarchy"),
    value("-d", "--data", "--data-ascii", metavar="DATA", help="HTTP POST data; @FILE reads it"),
    value("--data-binary", metavar="DATA", help="HTTP POST binary data"),
    value("--data-raw", metavar="DATA", help="HTTP POST data, '@' allowed"),
    value("--data-urlencode", metavar="DATA", help="HTTP POST data url encoded"),
    value("-D", "--dump-header", metavar="FILE", help="write the received headers to FILE"),
    value("-e", "--referer", metavar="URL", help="referrer URL"),
    flag("-f", "--fail", help="fail fast with no output on HTTP errors"),
    flag("--fail-with-body", help="fail on HTTP errors but save the body"),
    value("-F", "--form", metavar="NAME=CONTENT", help="specify multipart MIME data"),
    flag("-G", "--get", help="put the post data in the URL and use GET"),
    flag("-g", "--globoff", help="(URLs are never expanded)"),
    value("-H", "--header", metavar="HEADER", help="pass custom header(s) to server"),
    flag("-I", "--head", help="show document info only"),
    flag("-i", "--include", help="include protocol response headers in the output"),
    value("--json", metavar="DATA", help="HTTP POST JSON"),
    flag("-k", "--insecure", help="(ignored: certificates are always checked)"),
    flag("-L", "--location", "--location-trusted", help="follow redirects"),
    value("-m", "--max-time", metavar="SECONDS", help="maximum time allowed for transfer"),
    value("--max-filesize", metavar="BYTES", help="maximum file size to download"),
    value("--max-redirs", metavar="NUM", help="maximum number of redirects allowed"),
    flag("-N", "--no-buffer", help="(ignored: output is never held back)"),
    flag("--no-progress-meter", help="(there is no progress meter)"),
    value("--oauth2-bearer", metavar="TOKEN", help="OAuth 2 bearer token"),
    value("-o", "--output", metavar="FILE", help="write to FILE instead of stdout"),
    value("--output-dir", metavar="DIR", help="directory to save files in"),
    flag("-O", "--remote-name", help="write output to a file named as the remote file"),
    value("-r", "--range", metavar="RANGE", help="retrieve only the bytes within RANGE"),
    value("-X", "--request", metavar="METHOD", help="specify request method to use"),
    value("--retry", "--retry-delay", "--retry-max-time", metavar="NUM", help="(ignored: a transfer is tried once)"),
    flag("--retry-connrefused", "--retry-all-errors", help="(ignored: a transfer is tried once)"),
    flag("-S", "--show-error", help="show error even when -s is used"),
    flag("-s", "--silent", help="silent mode"),
    value("-T", "--upload-file", metavar="FILE", help="transfer local FILE to destination"),
    flag("-#", "--progress-bar", help="(there is no progress meter)"),
    value("--url", metavar="URL", help="URL to work with"),
    value("-u", "--user", metavar="USER:PASSWORD", help="server user and password"),
    flag("-v", "--verbose", help="make the operation more talkative"),
    flag("-V", help="show version number and quit"),
    value("-w", "--write-out", metavar="FORMAT", help="use output FORMAT after completion"),
    flag("-Z", "--parallel", help="(ignored: transfers follow each other)"),
    flag("-0", "--http1.0", "--http1.1", "--http2", "--tlsv1.2", "--tlsv1.3", help="(ignored: the host chooses the version)"),
    flag("-4", "--ipv4", help="(ignored: the host resolves names)"),
    flag("-6", "--ipv6", help="(ignored: the host resolves names)"),
    flag("-q", "--disable", help="(ignored: there is no configuration file)"),
)
_SUMMARY = "Transfer data from or to a server, where the host's network policy allows it."


@command("curl", usage="[OPTION]... URL...", summary=_SUMMARY, options=None, usage_status=_USAGE, model="curl 7.88.1")
def main(process: Process, arguments: Arguments) -> int:
    """Transfer every URL; curl's own exit statuses."""
    try:
        parsed = _DECLARED.parse(arguments.operands)
    except HelpRequested:
        raise
    except UsageError as error:
        process.say(f"curl: {_complaint(error.message)}\n{_ADVICE}")
        return _USAGE
    if "V" in parsed:
        process.write(main.version())
        return 0
    urls = [*parsed.all("url"), *parsed.operands]
    if not urls:
        process.say(_ADVICE)
        return _USAGE
    transfer = _Transfer(process, parsed)
    status = 0
    for index, url in enumerate(urls):
        process.budget.tick(30)
        status = transfer.run(url, index)
    return status


_DECLARED = Command("curl", main.run, "[OPTION]... URL...", _SUMMARY, OPTIONS, _USAGE, model="curl 7.88.1")


def _complaint(message: str) -> str:
    """Translate an error of the option parser to curl's words."""
    found = re.search(r"unrecognized option '([^'=]*)|invalid option -- '(.)'", message)
    if found:
        return f"option {found[1] or '-' + found[2]}: is unknown"
    found = re.search(r"option '([^']*)' requires|requires an argument -- '(.)'", message)
    if found:
        return f"option {found[1] or '-' + found[2]}: requires parameter"
    return message


class _Transfer:
    """The transfers of one command line."""

    def __init__(self, process: Process, arguments: Arguments) -> None:
        self._process = process
        self._arguments = arguments
        self._quiet = "s" in arguments and "S" not in arguments
        self._outputs = [(key, text) for key, text in arguments.given if key in {"o", "O"}]
        self._cookies: dict[str, str] = {}

    def _fail(self, status: int, message: str) -> int:
        if not self._quiet:
            self._process.say(f"curl: ({status}) {message}\n")
        return status

    def run(self, url: str, index: int) -> int:
        """Transfer one URL and return the exit status."""
        arguments = self._arguments
        try:
            path = _fileurls.path_of(url)
            response = self._fetched(url) if path is None else self._local(path, url)
        except OSError as error:
            return self._fail(_READ, f"Failed to open {error.filename}")
        except HttpError as error:
            status = _STATUS.get(error.kind, 56)
            self._write_out(None, url, status)
            return self._fail(status, str(error))
        failed = response.status >= 400 and ("f" in arguments or "fail-with-body" in arguments)
        status = 0
        try:
            if not (failed and "f" in arguments):
                self._deliver(response, url, index)
        except OSError:
            return self._fail(_UNWRITABLE, "Failure writing output to destination")
        self._keep_cookies(response)
        if failed:
            status = self._fail(_HTTP_ERROR, f"The requested URL returned error: {response.status}")
        self._write_out(response, url, status)
        return status

    def _fetched(self, url: str) -> Response:
        """Ask a server."""
        request = self._request(url)
        response = fetch(self._process, request)
        for one in [*response.history, response] if "v" in self._arguments else []:
            self._talk(one, request)
        return response

    def _local(self, path: str, url: str) -> Response:
        """Read or, with ``-T``, write a file of the session."""
        process, upload = self._process, self._arguments.get("T")
        if upload is None:
            response = _fileurls.read(process, path, url, self._arguments.get("r"))
        else:
            name = upload.rpartition("/")[2] if path.endswith("/") else ""
            response = _fileurls.write(process, path + name, url + quote(name), self._to_upload(upload))
        if "v" in self._arguments:
            process.say("* Closing connection 0\n")
        return response

    def _to_upload(self, name: str) -> bytes:
        """The file of ``-T``.

        Raises:
            HttpError: It cannot be read.
        """
        try:
            return content(self._process, name)
        except OSError:
            self._process.say(f"curl: Can't open '{name}'!\n{_ADVICE}")
            raise HttpError("read", "Failed to open/read local data from file/application") from None

    # -- the request -----------------------------------------------------------------------------------------------------

    def _request(self, url: str) -> Request:
        arguments = self._arguments
        body, kind = self._body()
        if "G" in arguments and body is not None:
            url, body, kind = with_query(url, body), None, ""
        method = "HEAD" if "I" in arguments else "POST" if body is not None else "GET"
        upload = arguments.get("T")
        if upload is not None:
            body, kind, method = self._to_upload(upload), "", "PUT"
            if url.endswith("/"):
                url += quote(upload.rpartition("/")[2])
        method = (arguments.get("X") or method).upper()
        headers = self._headers(kind)
        limit = arguments.get("max-filesize")
        follow = 0
        if "L" in arguments:
            most = arguments.get("max-redirs") or str(_REDIRECTS)
            follow = clamped(most) if is_digits(most) else _REDIRECTS
        address, _, _ = split(url)
        full = url if "://" in url else address.geturl()
        return Request(
            method,
            full,
            tuple(headers),
            body,
            follow=follow,
            timeout=self._seconds(arguments.get("m")),
            limit=clamped(limit) if limit and is_digits(limit) else None,
            keep_method="X" in arguments,
        )

    def _seconds(self, text: str | None) -> float | None:
        if text is None:
            return None
        try:
            return seconds(text) or None
        except ValueError:
            raise UsageError(
                f"option -m: expected a proper numerical parameter\n{_ADVICE.strip()}", hint=False, status=_USAGE
            ) from None

    def _body(self) -> tuple[bytes | None, str]:
        """The body to send, and its content type."""
        process, arguments = self._process, self._arguments
        forms = arguments.all("F")
        if forms:
            kind, data = multipart(process, forms)
            return data, kind
        pieces: list[bytes] = []
        as_json = False
        for key, text in arguments.given:
            if text is None:
                continue
            if key in {"d", "data-binary", "json"} and text.startswith("@"):
                data = content(process, text[1:])
                pieces.append(data.translate(None, b"\r\n") if key == "d" else data)
            elif key in {"d", "data-binary", "data-raw", "json"}:
                pieces.append(encode(text))
            elif key == "data-urlencode":
                pieces.append(url_encoded(process, text))
            as_json = as_json or key == "json"
        if not pieces:
            return None, ""
        if as_json:
            return b"".join(pieces), "application/json"
        return b"&".join(pieces), "application/x-www-form-urlencoded"

    def _headers(self, kind: str) -> list[tuple[str, str]]:
        arguments = self._arguments
        headers = {"user-agent": ("User-Agent", arguments.get("A") or _AGENT), "accept": ("Accept", "*/*")}
        if kind:
            headers["content-type"] = ("Content-Type", kind)
        if kind == "application/json":
            headers["accept"] = ("Accept", "application/json")
        for key, name in (("e", "Referer"), ("r", "Range"), ("b", "Cookie")):
            text = arguments.get(key)
            if text and not (key == "b" and "=" not in text):
                headers[name.lower()] = (name, f"bytes={text}" if key == "r" else text)
        if "compressed" in arguments:
            headers["accept-encoding"] = ("Accept-Encoding", "gzip, deflate")
        credentials, token = arguments.get("u"), arguments.get("oauth2-bearer")
        if credentials is not None:
            headers["authorization"] = ("Authorization", basic(credentials))
        elif token is not None:
            headers["authorization"] = ("Authorization", f"Bearer {token}")
        for text in arguments.all("H"):
            lines = (
                content(self._process, text[1:]).decode("utf-8", "surrogateescape").splitlines()
                if text.startswith("@")
                else [text]
            )
            for line in lines:
                name, colon, field = line.partition(":")
                if colon and not field.strip():
                    headers.pop(name.strip().lower(), None)
                elif colon:
                    headers[name.strip().lower()] = (name.strip(), field.strip())
                elif name.endswith(";"):
                    headers[name[:-1].lower()] = (name[:-1], "")
        return list(headers.values())

    # -- the response ----------------------------------------------------------------------------------------------------

    def _head(self, response: Response) -> bytes:
        lines = [f"{name}: {text}" for name, text in response.headers]
        if response.version:  # that of a server, not of a file
            version = response.version if response.version.startswith("HTTP/1") else "HTTP/2"
            lines.insert(0, f"{version} {response.status} {response.reason}".rstrip())
        return encode("\r\n".join(lines) + "\r\n\r\n") if lines else b""

    def _deliver(self, response: Response, url: str, index: int) -> None:
        process, arguments = self._process, self._arguments
        heads = b"".join(self._head(one) for one in [*response.history, response])
        dump = arguments.get("D")
        if dump is not None:
            self._store(dump, heads)
        if "I" in arguments and not response.version:
            heads = heads.removesuffix(b"\r\n")  # of a file only the lines
        data = heads if "I" in arguments else (heads if "i" in arguments else b"") + response.body
        target = self._outputs[index] if index < len(self._outputs) else None
        if target is None or target[1] == "-":
            process.stdout.write(data)
            return
        name = target[1] if target[0] == "o" else remote_name(url)
        if not name:
            raise OSError(url)
        folder = arguments.get("output-dir")
        self._store(f"{folder.rstrip('/')}/{name}" if folder else name, data)

    def _store(self, name: str, data: bytes) -> None:
        process = self._process
        if name == "-":
            process.stdout.write(data)
            return
        if "create-dirs" in self._arguments and "/" in name:
            process.fs.makedirs(process.path(name.rpartition("/")[0]))
        stream = process.create(name)
        try:
            stream.write(data)
        finally:
            process.close(stream)

    def _keep_cookies(self, response: Response) -> None:
        jar = self._arguments.get("c")
        if jar is None:
            return
        host = split(response.url)[1] if response.version else ""  # files have no cookies
        for one in [*response.history, response]:
            for name, text in one.headers:
                if name.lower() == "set-cookie":
                    key, _, rest = text.partition("=")
                    self._cookies[key.strip()] = rest.partition(";")[0]
        lines = [f"{host}\tFALSE\t/\tFALSE\t0\t{name}\t{text}\n" for name, text in self._cookies.items()]
        self._store(jar, encode("# Netscape HTTP Cookie File\n# https://curl.se/docs/http-cookies.html\n\n" + "".join(lines)))

    def _talk(self, response: Response, request: Request) -> None:
        parts, host, port = split(response.url)
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        lines = [f"*   Trying {response.address[0]}:{port}...", f"* Connected to {host} ({response.address[0]}) port {port} (#0)"]
        lines += [f"> {request.method} {path} HTTP/1.1", *(f"> {name}: {text}" for name, text in response.sent), "> "]
        lines += [f"< {line}" for line in self._head(response).decode("utf-8", "surrogateescape").split("\r\n")[:-1]]
        self._process.say("\n".join(lines) + "\n")

    def _write_out(self, response: Response | None, url: str, status: int) -> None:
        form = self._arguments.get("w")
        if form is None:
            return
        if form.startswith("@"):
            form = content(self._process, form[1:]).decode("utf-8", "surrogateescape")
        took = response.seconds if response else 0.0
        known = {
            "http_code": f"{response.status if response else 0:03d}",
            "response_code": f"{response.status if response else 0:03d}",
            "size_download": str(len(response.body) if response else 0),
            "content_type": (response.header("content-type") or "") if response else "",
            "url_effective": response.url if response else url, "url": url,
            "num_redirects": str(len(response.history) if response else 0), "time_total": f"{took:.6f}",
            "time_connect": f"{took:.6f}", "time_starttransfer": f"{took:.6f}", "time_namelookup": f"{0:.6f}",
            "time_appconnect": f"{0:.6f}", "time_pretransfer": f"{took:.6f}", "time_redirect": f"{0:.6f}",
            "exitcode": str(status), "http_version": (response.version.removeprefix("HTTP/") if response else "") or "0",
            "redirect_url": (response.header("location") or "") if response else "",
            "method": self._arguments.get("X") or ("HEAD" if "I" in self._arguments else "POST" if self._posts() else "GET"),
            "errormsg": "", "scheme": response.url.partition(":")[0].upper() if response else "",
            "remote_ip": response.address[0] if response else "", "remote_port": str(response.address[1]) if response else "0",
            "speed_download": "0", "size_header": "0", "size_request": "0", "size_upload": "0", "num_connects": "1",
            "ssl_verify_result": "0", "filename_effective": self._arguments.get("o") or "",
        }  # fmt: skip
        if response is not None:
            known["header_json"] = json.dumps({name.lower(): [text] for name, text in response.headers})

        def fill(found: re.Match[str]) -> str:
            if found[1]:
                return known.get(found[1], "")
            if found[2]:
                return (response.header(found[2]) or "") if response else ""
            return "%" if found[3] else {"n": "\n", "r": "\r", "t": "\t", "\\": "\\"}[found[4]]

        self._process.write(_VARIABLE.sub(fill, form))

    def _posts(self) -> bool:
        data = {"d", "data-binary", "data-raw", "data-urlencode", "json", "F"} & {key for key, _ in self._arguments.given}
        return bool(data) and "G" not in self._arguments
