"""Callbacks that send one HTTP request per call, to allowed hosts only, with credentials that scripts never see."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from bashkit.errors import CallbackNotFoundError, DefinitionError, ToolError
from bashkit.network import NetworkPolicy
from bashkit.tools import json_text
from bashkit.tools.define.result import ToolResult
from bashkit.toolset.callback import TIMEOUT, Callback
from bashkit.toolset.callbacks.http import template as request
from bashkit.toolset.callbacks.http.files import SessionFile, with_files
from bashkit.toolset.callbacks.http.multipart import KIND as MULTIPART
from bashkit.toolset.callbacks.http.multipart import multipart
from bashkit.toolset.callbacks.http.pages import Pages, add, names_next, same_origin
from bashkit.toolset.callbacks.http.schema import REQUEST_SCHEMA

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Mapping
    from pathlib import Path

    from bashkit.interp.utility.process import Process
    from bashkit.network.client import Response
    from bashkit.tools.define.arguments import ToolArgs
    from bashkit.toolset.declaration import Declaration

MAX_RESPONSE = 10 << 20  # bytes
_MAX_REDIRECTS = 5
_SHOWN = 500  # characters of an error's body
_NOT_ALLOWED = 126
_NOT_TEXT = 23  # the status of curl(1) where output cannot be written
_STATUS = {
    "timeout": 124,
    "refused": _NOT_ALLOWED,
    "private": _NOT_ALLOWED,
    "missing": 127,
}  # exit statuses; 1 for any other failure
_FORM = "application/x-www-form-urlencoded"


@dataclass(frozen=True, slots=True)
class HttpCallback(Callback):
    """An HTTP request as a callback. Arguments replace ``{name}`` in its texts.

    Attributes:
        method: The method.
        url: The address; arguments are percent-encoded.
        headers: Header texts.
        query: What follows ``?``.
        basic: The text ``user:password`` for basic authentication, or "".
        body: The body to send, as JSON, or as a form if the Content-Type says so; None for no body.
        allow: Hosts that may be reached; if empty, the URL's own.
        allow_private: Loopback and private addresses may be reached.
        timeout: Seconds for a request, redirects included.
        fallbacks: The defaults of arguments in the address, which a call may leave out.
        files: The arguments that are paths of files of the session, whose contents are sent.
        output: The argument that is the path of the session's file for the answer, or "".
        pages: How all pages of an answer are got; None if it has no pages.
        place: ``file:line:column`` of the declaration, for messages.
        stubbed: Stubs replace callbacks, so nothing is sent.
    """

    method: str
    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, Any] = field(default_factory=dict)
    body: Any = None
    allow: tuple[str, ...] = ()
    allow_private: bool = False
    timeout: float = TIMEOUT
    fallbacks: Mapping[str, Any] = field(default_factory=dict)
    files: tuple[str, ...] = ()
    output: str = ""
    pages: Pages | None = None
    basic: str = field(default="", repr=False)
    place: str = ""
    stubbed: bool = False

    key = "http"
    noun = "an HTTP callback"
    summary = "an HTTP request"
    rank = 30
    properties: ClassVar = {"http": REQUEST_SCHEMA}
    sees_secrets = False
    defaults = "omit"

    @classmethod
    def read(cls, tool: Declaration) -> HttpCallback:
        """Make the callback; its placeholders and hosts are checked."""
        value = tool.callback["http"]
        path = (*tool.path, "callback", "http")
        target = cls(
            value.get("method", "GET"),
            value["url"],
            headers=dict(value.get("headers", {})),
            query=dict(value.get("query", {})),
            basic=value.get("basic", ""),
            body=value.get("body"),
            allow=tuple(value.get("allow", ())),
            allow_private=value.get("allow_private", False),
            timeout=tool.timeout or TIMEOUT,
            fallbacks=_defaults(tool.parameters or {}, request.placeholders(value["url"])),
            files=tuple(value.get("files", ())),
            output=value.get("output", ""),
            pages=Pages(**value["pages"]) if "pages" in value else None,
            place=tool.place("callback", "http"),
            stubbed=tool.around.stubbed,
        )
        for key in ("url", "headers", "query", "basic"):
            tool.check_texts((*path, key), value.get(key))
        tool.check_hosts((*path, "allow"), value.get("allow", ()))
        parameters = tool.parameters
        for name in [] if parameters is None else [name for name in target.placeholders() if name not in parameters]:
            tool.document.at(path, f"{{{name}}} is not a parameter of input_schema", hint="write {{ and }} for braces", key=True)
        if target.lets_arguments_choose_the_host(tool.around.variables):
            hint = "name the hosts: allow: [api.example.com]"
            tool.document.at((*path, "url"), "an argument decides which host is asked", hint=hint)
        return target

    def write(self, folder: Path) -> dict[str, Any]:  # noqa: ARG002 - no path is in it
        """Write ``callback: {http: …}``."""
        found: dict[str, Any] = {} if self.method == "GET" else {"method": self.method}
        found["url"] = self.url
        for key, given in (("headers", self.headers), ("query", self.query)):
            if given:
                found[key] = dict(given)
        if self.basic:
            found["basic"] = self.basic
        if self.body is not None:
            found["body"] = self.body
        if self.files:
            found["files"] = list(self.files)
        if self.output:
            found["output"] = self.output
        if self.pages is not None:
            found["pages"] = {name: value for name, value in asdict(self.pages).items() if value != getattr(Pages(), name)}
        if self.allow:
            found["allow"] = list(self.allow)
        if self.allow_private:
            found["allow_private"] = True
        return {"callback": {"http": found}}

    def lets_arguments_choose_the_host(self, variables: Iterable[str]) -> bool:
        """Whether an argument decides which host is contacted, while no list of hosts restricts it."""
        if self.allow or self.url.startswith("${"):
            return False
        try:
            known = request.Values(dict.fromkeys(self.placeholders(), "x"), dict.fromkeys(variables, "x"))
            return request.has_holes(request.url_of(self.url, known)[1])
        except ToolError:
            return False  # the unknown variable has been reported

    @property
    def target(self) -> str:
        """Method and address, with variables and arguments as written in the file."""
        return f"{self.method} {self.url}"

    def resolve(self) -> NetworkPolicy | None:
        """Return the allowed hosts; None if they follow from the URL, whose variables are not known yet.

        Raises:
            CallbackNotFoundError: httpx is missing, or a host in ``allow`` is malformed.
        """
        from bashkit.network.client import HttpError, library

        try:
            library()
            return self._policy(self.allow) if self.allow else None
        except (HttpError, DefinitionError) as error:
            raise CallbackNotFoundError(str(error)) from error

    def placeholders(self) -> list[str]:
        """The names of the arguments that the request needs to know."""
        parts = [self.url, dict(self.headers), dict(self.query), self.body]
        named = [name for part in parts for name in request.placeholders(part)]
        others = [*self.files, self.output, self.pages.all if self.pages is not None else ""]
        return list(dict.fromkeys(named + [name for name in others if name]))

    async def __call__(self, args: ToolArgs) -> ToolResult:
        """Send the request and return the body of a 2xx answer, JSON on one line.

        Raises:
            ToolError: The answer has another status, no answer arrived, the host is not allowed, or an argument names a file.
        """
        named = next((name for name in (*self.files, self.output) if args.get(name) is not None), None)
        if named is not None:
            raise ToolError(f"--{named} is a file of a session: the tool is called from a script")
        if self._wants_all(args.params):
            return ToolResult(await self._all_pages(args.params, args.env, int))
        answer = await self._answer(args.params, args.env)
        return ToolResult(answer.body if is_binary(answer) else _one_line(answer.body))

    def in_shell(self, process: Process, args: ToolArgs, timeout: float | None = None) -> ToolResult:
        """Send the request for a command of a shell, whose files it may send and write.

        Raises:
            TimeoutError: It took too long.
            ToolError: As for a call without a shell; or a file cannot be read or written, or a binary answer would be shown.
        """
        if self._wants_all(args.params):
            every: Callable[[], Awaitable[str] | str] = partial(self._all_pages, args.params, args.env, process.hold)
            return ToolResult(process.system.call(every, timeout=timeout))
        params = with_files(process, args.params, self.files)
        sent: Callable[[], Awaitable[Response] | Response] = partial(self._answer, params, args.env)
        answer = process.system.call(sent, timeout=timeout)
        name = params.get(self.output) if self.output else None
        kind = answer.header("content-type") or "unknown kind"
        if name is not None:
            if name == "-":
                return ToolResult(answer.body)
            return ToolResult(f"saved {len(answer.body)} bytes of {kind} as {name}\n", files={name: answer.body})
        if not is_binary(answer):
            return ToolResult(_one_line(answer.body))
        if process.stdout.shown:
            how = (
                f"--{self.output} FILE saves it, > FILE and | COMMAND take it" if self.output else "> FILE and | COMMAND take it"
            )
            raise ToolError(f"the answer is {len(answer.body)} bytes of {kind}, which is not text: {how}", _NOT_TEXT)
        return ToolResult(answer.body)

    def _wants_all(self, params: Mapping[str, Any]) -> bool:
        return self.pages is not None and params.get(self.pages.all) is True

    async def _all_pages(self, params: Mapping[str, Any], env: Mapping[str, str], charge: Callable[[int], object]) -> str:
        """Return all pages as one JSON value in the form of a page.

        Args:
            params, env: The arguments of the call.
            charge: Called with the bytes of each page before it is kept; it may raise to end the call.
        """
        assert self.pages is not None
        start, _ = self._address(request.Values({**self.fallbacks, **params}, env))
        url: str | None = start
        seen: set[str] = set()
        whole: Any = None
        counted = True
        while url is not None and url not in seen:
            if not same_origin(start, url):
                raise ToolError("the next page is on another host", _NOT_ALLOWED)
            answer = await self._answer(params, env, url)
            charge(len(answer.body))
            try:
                page = json_text.decode(answer.body.decode("utf-8"))
            except ValueError:
                raise ToolError("a page is not JSON") from None
            whole = add(whole, page) if seen else page
            seen.add(url)
            counted = counted and not names_next(answer, page)
            url = self.pages.after(answer, page, url, counted)
        return json_text.encode(whole) + "\n"

    async def _answer(self, params: Mapping[str, Any], env: Mapping[str, str], page: str = "") -> Response:
        """Send the request, or that for the page with a URL, and return its 2xx answer."""
        if self.stubbed:
            raise ToolError("stubs replace callbacks, and this tool has no stub: nothing was sent")
        from bashkit.network.client import HttpError, Request, fetch

        values = request.Values({**self.fallbacks, **params}, env)
        url, policy = self._address(values)
        url = page or url
        headers = self._headers(values)
        content = self._content(values, headers)
        try:
            answer = await fetch(policy, Request(self.method, url, tuple(headers.items()), content, follow=_MAX_REDIRECTS))
        except HttpError as error:
            raise ToolError(str(error), _STATUS.get(error.kind, 1)) from None
        if not 200 <= answer.status < 300:
            shown = _short(answer.body)
            raise ToolError(f"HTTP {answer.status} {answer.reason}".rstrip() + (f": {shown}" if shown else ""))
        return answer

    def _policy(self, allow: tuple[str, ...]) -> NetworkPolicy:
        return NetworkPolicy(
            allow=allow,
            methods=[self.method, "GET"],
            max_response_bytes=MAX_RESPONSE,
            timeout=self.timeout,
            allow_private=self.allow_private,
        )

    def _address(self, values: request.Values) -> tuple[str, NetworkPolicy]:
        url, authority = request.url_of(self.url, values)
        query = request.query_of(self.query, values)
        if query:
            url += ("&" if "?" in url else "?") + query
        if self.allow:
            return url, self._policy(self.allow)
        if request.has_holes(authority):
            raise ToolError("an argument decides which host is asked: the callback needs a list of hosts, allow", _NOT_ALLOWED)
        return url, self._policy((_host_of(authority),))

    def _headers(self, values: request.Values) -> dict[str, str]:
        from bashkit.tools.execute.contract import version

        found = {"accept": "application/json, */*;q=0.8", "user-agent": f"bashkit/{version()}"}
        for name, template in self.headers.items():
            text = request.header_of(template, values, parts=name.lower() == "cookie")
            if text is not None:
                found[name.lower()] = text
        if self.basic:
            user = request.basic_of(self.basic, values)
            found.setdefault("authorization", f"Basic {user}")
        return found

    def _content(self, values: request.Values, headers: dict[str, str]) -> bytes | None:
        if self.body is None:
            return None
        body = request.body_of(self.body, values)
        if body is request.MISSING:
            if not isinstance(self.body, dict):
                return None
            body = {}
        kind = headers.setdefault("content-type", "application/json").partition(";")[0].strip().lower()
        if isinstance(body, SessionFile):
            return body.data
        if kind == MULTIPART and isinstance(body, dict):
            headers["content-type"], content = multipart(body)
            return content
        if kind == _FORM and isinstance(self.body, dict):
            return request.form_of(self.body, values).encode()
        if isinstance(body, str) and "json" not in kind:
            return body.encode("utf-8", "surrogateescape")
        return json_text.encode(body).encode("utf-8", "replace")


def _defaults(parameters: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """The defaults of those of the parameters."""
    parts = {name: parameters.get(name) for name in names}
    return {name: part["default"] for name, part in parts.items() if isinstance(part, dict) and "default" in part}


def _host_of(authority: str) -> str:
    """The scheme, host and port of an address, as an entry for ``allow``."""
    from bashkit.network.client import HttpError, split

    try:
        parts, _, _ = split(authority)
    except HttpError as error:
        raise ToolError(str(error)) from None
    if parts.username is not None:
        raise ToolError("the address contains credentials: put them into headers")
    return authority


def is_binary(answer: Response) -> bool:
    """Whether the body of an answer is not text: it is not called text, and has NUL or is not UTF-8."""
    kind = (answer.header("content-type") or "").partition(";")[0].strip().lower()
    if kind.startswith("text/"):
        return False
    try:
        answer.body.decode("utf-8")
    except UnicodeDecodeError:
        return True
    return b"\0" in answer.body


def _one_line(body: bytes) -> bytes:
    """JSON on one line, unchanged if it is on one line already; other text is returned as it is."""
    stripped = body.strip()
    if not stripped.startswith((b"{", b"[")):
        return stripped + b"\n" if stripped and b"\n" not in stripped else body
    if b"\n" in stripped:
        try:
            stripped = json_text.encode(json_text.decode(stripped.decode("utf-8"))).encode()
        except ValueError:
            return body
    return stripped + b"\n"


def _short(body: bytes) -> str:
    text = " ".join(body.decode("utf-8", "replace").split())
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
