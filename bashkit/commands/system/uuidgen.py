"""uuidgen: create a new UUID value (uuidgen(1), RFC 4122)."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from bashkit.commands._notation.quoting import mention
from bashkit.interp.utility.command import Arguments, UsageError, command, flag, help_flag, value, version_flag

if TYPE_CHECKING:
    from bashkit.interp.utility.process import Process

_SPACES = {"@dns": uuid.NAMESPACE_DNS, "@url": uuid.NAMESPACE_URL, "@oid": uuid.NAMESPACE_OID, "@x500": uuid.NAMESPACE_X500}
_EPOCH = 0x01B21DD213814000  # hundreds of nanoseconds from 1582-10-15 to 1970-01-01


@command(
    "uuidgen",
    usage="[OPTION]...",
    summary="Create a new UUID value.",
    options=(
        flag("-r", "--random", help="generate random-based uuid"),
        flag("-t", "--time", help="generate time-based uuid"),
        value(
            "-n", "--namespace", metavar="NS", help="generate hash-based uuid in this namespace: a UUID, or @dns @url @oid @x500"
        ),
        value("-N", "--name", metavar="NAME", help="generate hash-based uuid from this name"),
        flag("-m", "--md5", help="generate md5 hash"),
        flag("-s", "--sha1", help="generate sha1 hash"),
        flag("-x", "--hex", help="interpret name as hex string"),
        help_flag("-h"),
        version_flag("-V"),
    ),
    model="util-linux 2.38.1",
)
def main(process: Process, arguments: Arguments) -> int:
    """Print one."""
    hashing = arguments.last("m", "s")
    if hashing is not None:
        if not {"n", "N"} <= {key for key, _ in arguments.given}:
            raise UsageError(f"--{'md5' if hashing == 'm' else 'sha1'} requires --namespace and --name arguments", hint=False)
        made = _hashed(arguments, hashing)
    elif "t" in arguments:
        made = _timed(process)
    else:
        made = uuid.UUID(int=process.system.random.getrandbits(128), version=4)
    process.write(f"{made}\n")
    return 0


def _hashed(arguments: Arguments, hashing: str) -> uuid.UUID:
    space, name = arguments.get("n") or "", arguments.get("N") or ""
    try:
        namespace = _SPACES.get(space) or uuid.UUID(space)
    except ValueError:
        raise UsageError(f"invalid namespace: {mention(space)}", hint=False) from None
    if "x" in arguments:
        try:
            name = bytes.fromhex(name).decode("latin-1")
        except ValueError:
            raise UsageError("not a valid hex string", hint=False) from None
    return uuid.uuid3(namespace, name) if hashing == "m" else uuid.uuid5(namespace, name)


def _timed(process: Process) -> uuid.UUID:
    ticks = int(process.system.now() * 10_000_000) + _EPOCH
    node = process.system.random.getrandbits(48) | 1 << 40  # a random node has the multicast bit (RFC 4122, 4.5)
    clock = process.system.random.getrandbits(14)
    fields = (ticks & 0xFFFFFFFF, ticks >> 32 & 0xFFFF, ticks >> 48 & 0xFFF, clock >> 8, clock & 0xFF, node)
    return uuid.UUID(fields=fields, version=1)
