"""The host's setting of which machines scripts may reach, how, and with which credentials."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

from bashkit.errors import DefinitionError
from bashkit.limits import check_count, check_seconds
from bashkit.network.headers import HEADER_NAME

if TYPE_CHECKING:
    from collections.abc import Iterator

PORTS = {"http": 80, "https": 443}
_ENTRY = re.compile(r"(?:(https?)://)?(\*\.)?([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])(?::(\d{1,5}))?/?")
_NAME = re.compile(r"[\w.-]+|[0-9A-Fa-f:.]+")  # a host's name in any script, or an address
_METHOD = re.compile(r"[A-Z]+")


@dataclass(frozen=True, slots=True)
class _Entry:
    """An allowed host: its name, whether its subdomains are allowed instead, and the scheme and port if restricted."""

    host: str
    below: bool
    scheme: str | None
    port: int | None

    @classmethod
    def read(cls, text: str) -> _Entry:
        found = _ENTRY.fullmatch(text) if isinstance(text, str) else None
        if found is None or (found[4] and not 0 < int(found[4]) < 65536):
            raise DefinitionError(
                f"network: {text!r} is not a host; write 'api.example.com', '*.example.com', 'https://host' or 'host:8443'"
            )
        return cls(found[3].lower().strip("[]"), bool(found[2]), found[1], int(found[4]) if found[4] else None)

    def covers(self, scheme: str, host: str, port: int) -> bool:
        if self.below:
            named = host.endswith("." + self.host)
        else:
            named = host == self.host
        return named and self.scheme in {None, scheme} and port == (self.port or PORTS[scheme])


def _texts(name: str, value: object) -> tuple[str, ...]:
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise DefinitionError(f"network: {name} must be a list of texts, not {value!r}")
    found = tuple(value)
    for one in found:
        if not isinstance(one, str):
            raise DefinitionError(f"network: {name} must be a list of texts; {one!r} is not one")
    return found


def _read_headers(headers: object) -> Iterator[tuple[_Entry, tuple[tuple[str, str], ...]]]:
    if not isinstance(headers, Mapping) or not all(isinstance(given, Mapping) for given in headers.values()):
        raise DefinitionError("network: headers are mappings of names to texts, by host")
    for host, given in headers.items():
        for name, text in given.items():
            if (
                not isinstance(name, str)
                or not HEADER_NAME.fullmatch(name)
                or not isinstance(text, str)
                or not text.isprintable()
            ):
                raise DefinitionError(f"network: the header {name!r} for {host} is not a name with a text of one line")
        yield _Entry.read(host), tuple(given.items())


@dataclass(frozen=True, slots=True)
class NetworkPolicy:
    """Decides what scripts may do on the network; without a policy they reach nothing.

    Args:
        allow: Hosts that may be reached: ``"api.example.com"``, ``"*.example.com"`` for the subdomains, each optionally
            restricted by a scheme before (``"https://…"``) or a port after it (``"…:8443"``).
        methods: HTTP methods that may be used.
        headers: Headers that are added to requests, by entries as in ``allow``: credentials that scripts never see.
        max_response_bytes: Maximum bytes of one response.
        timeout: Maximum seconds of one request with all its redirects.
        max_redirects: Maximum redirects of one request; each is checked like a separate request.
        allow_private: Also allow loopback and private addresses. For tests only, because it opens the host's own network to
            scripts.

    Raises:
        DefinitionError: An entry, a method, a header or a number is malformed.
    """

    allow: Iterable[str] = ()
    methods: Iterable[str] = ("GET", "HEAD")
    headers: Mapping[str, Mapping[str, str]] = field(default_factory=dict, repr=False)
    max_response_bytes: int = 10 << 20
    timeout: float = 30.0
    max_redirects: int = 10
    allow_private: bool = False
    _allowed: tuple[_Entry, ...] = field(init=False, repr=False, default=())
    _methods: frozenset[str] = field(init=False, repr=False, default=frozenset())
    _headers: tuple[tuple[_Entry, tuple[tuple[str, str], ...]], ...] = field(init=False, repr=False, default=())

    def __post_init__(self) -> None:
        allow, methods = _texts("allow", self.allow), _texts("methods", self.methods)
        wrong = next((method for method in methods if not _METHOD.fullmatch(method)), None)
        if wrong is not None:
            raise DefinitionError(f"network: {wrong!r} is not a method; write it as 'GET'")
        check_count("network: max_response_bytes", self.max_response_bytes)
        check_seconds("network: timeout", self.timeout)
        check_count("network: max_redirects", self.max_redirects, 0)
        object.__setattr__(self, "allow", allow)
        object.__setattr__(self, "methods", methods)
        object.__setattr__(self, "_allowed", tuple(map(_Entry.read, allow)))
        object.__setattr__(self, "_methods", frozenset(methods))
        object.__setattr__(self, "_headers", tuple(_read_headers(self.headers)))

    def public(self) -> dict[str, Any]:
        """The settings as plain data, without credentials."""
        names = ("max_response_bytes", "timeout", "max_redirects", "allow_private")
        return {"allow": list(self.allow), "methods": list(self.methods)} | {name: getattr(self, name) for name in names}

    def refusal(self, method: str, scheme: str, host: str, port: int) -> str | None:
        """Why a request is refused, and which setting would allow it; None if it is allowed."""
        named = _NAME.fullmatch(host) is not None
        if not named or not any(entry.covers(scheme, host.lower(), port) for entry in self._allowed):
            shown = host if port == PORTS[scheme] else f"{host}:{port}"
            return f"the network policy does not allow this host; Bash(network=NetworkPolicy(allow=[{shown!r}])) would"
        if method not in self._methods:
            return f"the network policy does not allow {method}; Bash(network=NetworkPolicy(methods=[{method!r}])) would"
        return None

    def private(self, address: str) -> bool:
        """Whether an address is refused because it is not part of the public internet."""
        if self.allow_private:
            return False
        from bashkit.network.addresses import is_public

        return not is_public(address)

    def credentials(self, scheme: str, host: str, port: int) -> dict[str, str]:
        """The headers to add to a request."""
        return {name: text for entry, given in self._headers if entry.covers(scheme, host.lower(), port) for name, text in given}


def policy_of(value: NetworkPolicy | Mapping[str, Any]) -> NetworkPolicy:
    """A policy, which may be given as a dictionary of its arguments; ``allow`` must be among them.

    Raises:
        DefinitionError: An argument is unknown or wrong.
    """
    if isinstance(value, NetworkPolicy):
        return value
    known = [one.name for one in fields(NetworkPolicy) if one.init]
    unknown = next((key for key in value if key not in known), None)
    if unknown is not None:
        raise DefinitionError(f"network: unknown key {unknown!r}; there are {', '.join(known)}")
    if "allow" not in value:
        raise DefinitionError("network: allow is missing: it lists the hosts that scripts may reach")
    return NetworkPolicy(**value)
