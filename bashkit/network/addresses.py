"""Tells addresses of the public internet from all others (IANA IPv4 and IPv6 Special-Purpose Address Registries)."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network

_SPECIAL = tuple(
    ip_network(text)
    for text in (
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",
        "127.0.0.0/8",
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",
        "240.0.0.0/4",
        "2001::/23",  # Teredo among others
        "2001:db8::/32",
        "3fff::/20",
    )
)
_GLOBAL_UNICAST = IPv6Network("2000::/3")  # every other block is local, multicast, reserved, or holds an IPv4 address
# Networks whose addresses hold an IPv4 address, and how many bits follow it.
_EMBEDDING = (
    (IPv6Network("::/96"), 0),
    (IPv6Network("::ffff:0:0/96"), 0),
    (IPv6Network("64:ff9b::/96"), 0),  # NAT64 (RFC 6052)
    (IPv6Network("2002::/16"), 80),  # 6to4
)
_ISATAP = 0x5EFE  # in the middle of an interface identifier, with the flags of RFC 5214 before it


def is_public(text: str) -> bool:
    """Whether an address is part of the public internet; one that holds an IPv4 address is judged by that.

    Args:
        text: An IPv4 or IPv6 address; one with a zone index (``%eth0``) is local.
    """
    return "%" not in text and _is_public(ip_address(text))


def _is_public(address: IPv4Address | IPv6Address) -> bool:
    if isinstance(address, IPv6Address):
        held = _held(address)
        if held is not None and not _is_public(held):
            return False
        if address not in _GLOBAL_UNICAST:
            return any(address in network for network, _ in _EMBEDDING)
    return not any(address in network for network in _SPECIAL)


def _held(address: IPv6Address) -> IPv4Address | None:
    """The IPv4 address in an IPv6 address."""
    number = int(address)
    for network, shift in _EMBEDDING:
        if address in network:
            return IPv4Address(number >> shift & 0xFFFFFFFF)
    return IPv4Address(number & 0xFFFFFFFF) if number >> 32 & 0xFCFFFFFF == _ISATAP else None
