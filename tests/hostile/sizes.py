"""Sizes that no sane person gives: every option and operand of every utility and builtin gets them, with inputs of several shapes.

``python -m tests.hostile.sizes [--name NAME] [--all] [-v]`` runs them all, many in one process, and names those that do not hold: an
internal error, more memory than the limits allow, or more time.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import selectors
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

from bashkit.builtins import declarations
from bashkit.commands import command_names, find_command
from tests.hostile.harness import GRACE, MEMORY, PATIENCE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

TIME_LIMIT = 0.5  # seconds for each script
VALUES = (
    "0", "1", "-1", "+1", "2147483648", "9223372036854775808", "18446744073709551616", "1000000000000000000", "100000000", "-100000000",
    "1e400", "1e18", "1K", "9E", "", "9" * 5000, "1." + "9" * 5000, "nan", "inf", "0x7fffffffffffffff", "1,9999999999", "1-9999999999", "x",
)  # fmt: skip
INPUTS = ("empty", "line", "lines", "deep")
_AT_ONCE = 100  # scripts between two reports of progress
_SOMEBODY_ELSE = re.compile(r"bashkit\.commands\.(web|archives)\b|\.data\.(jq|sqlite3)\b")
_ENDING = frozenset(("exit", "logout", "exec", "return", "kill"))  # they end the shell that runs them

# What is not said by an option with an argument; @ stands for the value.
TEMPLATES = """
dd if=/in/lines of=out bs=@
dd if=/in/lines of=out ibs=@ obs=@
dd if=/in/lines of=out cbs=@ conv=block
dd if=/in/lines of=out cbs=@ conv=unblock
dd if=/dev/zero of=out count=@
dd if=/in/lines of=out skip=@
dd if=/in/lines of=out seek=@
find / -maxdepth @
find / -mindepth @ -maxdepth @
find / -size @
find / -size +@c
find / -mtime @
find / -mmin -@
find / -newermt @
find / -links @ -inum @ -uid @ -gid @
find / -perm @
find /in -printf %@p
find /in -printf %.@p
find /in -printf %T@
expr @ + 1
expr @ '*' @
expr @ / @
expr @ % 7
expr substr abc @ @
expr @ '<' 1
seq @ 3
seq 1 @ 5
seq 1 @ | head -n 2
seq -@ @ | head -n 2
seq -w @ | head -n 2
seq -f %@g 3
seq -f %.@g 3
factor @
factor @ @ @
printf %@d 1
printf %.@d 1
printf %@s a
printf %.@f 1
printf %.@s abc
printf '%*d' @ 1
printf '%.*e' @ 1
printf %d @
printf %x @
printf %f @
printf %c @
printf '%(%Y)T' @
printf '%(%@Y)T' 0
sleep @
timeout @ true
timeout -k @ 1 true
numfmt --format %@f 1
numfmt --format %.@f 1
numfmt --format %0@.@f 1
numfmt --to=iec @
numfmt --from=auto --to=si @
numfmt --padding @ 1
numfmt --field @ < /in/lines
awk 'BEGIN{printf "%@d", 1}'
awk 'BEGIN{printf "%*d", "@", 1}'
awk 'BEGIN{print substr("abc", "@", "@")}'
awk -v n=@ 'BEGIN{x = n + 0; print x, int(x), sprintf("%c%d%x", x, x, x)}'
awk -v n=@ 'BEGIN{print strftime("%Y", n), mktime(n " 1 1 0 0 0"), lshift(n, n), rshift(1, n)}'
awk -v n=@ '{$n = 1} END{print NF}' /in/lines
awk -v n=@ 'BEGIN{NF = n; print}'
sed -n @p /in/lines
sed @q /in/lines
sed 's/a/b/@' /in/line
sed '1~@d' /in/lines
sed '@!d' /in/lines
sed '1,+@d' /in/lines
sed -n 'l @' /in/line
sed 'q@' /in/lines
cut -c @ /in/lines
cut -f 1-@ /in/lines
cut -b @- /in/line
tr '[a*@]' b < /in/line
tr a '[b*@]' < /in/line
tr 'a-z' '[b*@]c' < /in/line
head -@ /in/lines
tail -@ /in/lines
tail +@ /in/lines
fold -@ /in/line
pr -@ /in/lines
pr +@ /in/lines
nl -v @ /in/lines
sort +@ /in/lines
sort -k @,@ /in/lines
sort -k 1.@ /in/lines
sort -n -k @n /in/lines
uniq -@ /in/lines
uniq +@ /in/lines
split -@ /in/lines
csplit /in/lines @
csplit /in/lines 1 '{@}'
csplit /in/lines /1/+@
xargs -n @ echo < /in/lines
bc <<< @
bc <<< '2^@'
bc <<< 'scale=@; 1/3'
bc <<< 'obase=@; 99'
bc <<< 'ibase=@; 99'
bc <<< 'sqrt(@)'
bc <<< 'a[@]=1; a[@]'
bc -l <<< 'e(@)'
bc -l <<< 's(@)'
bc -l <<< 'scale=@; a(1)'
dc -e '@ 2 ^ p'
dc -e '2 @ ^ p'
dc -e '@ k 1 3 / p'
dc -e '@ o 99 p'
dc -e '@ i 99 p'
dc -e '1 @ :a @ ;a p'
dc -e '2 @ 7 | p'
dc -e '@ v p'
date -d @
date -d @@
date -d '@ days'
date -d '1 Jan @'
date -d '@-01-01'
date +%@Y
date -d '@ months ago'
cal @
cal 1 @
touch -d @ f
touch -t @ f
truncate -s @ f
truncate -s +@ f
truncate -s %@ f
head -c @ /dev/zero | wc -c
yes @ | head -n 1
chmod @ /in/line
chown @ /in/line
nice -n @ true
od -A d -t x@ /in/lines
od -w@ /in/lines
od -j @ /in/lines
od -S @ /in/lines
hexdump -n @ /in/lines
hexdump -e '@/1 "%x"' /in/lines
hexdump -e '1/@ "%x"' /in/lines
hexdump -e '1/1 "%@x"' /in/lines
xxd -c @ /in/lines
xxd -g @ /in/lines
xxd -s @ /in/lines
xxd -r -p /in/line
diff -U @ /in/lines /in/empty
diff -y -W @ /in/lines /in/empty
diff --tabsize=@ -t /in/lines /in/line
cmp -n @ /in/lines /in/line
cmp -i @:@ /in/lines /in/line
jot @
tput cup @ @
stty cols @
getconf @
ulimit -f @
read -n @ < /in/line
read -N @ < /in/line
read -t @ < /in/line
read -u @ x
shift @
set -- a; shift @
break @
for i in 1; do continue @; done
mapfile -n @ < /in/lines
mapfile -s @ < /in/lines
mapfile -O @ < /in/lines
mapfile -c @ -C : < /in/lines
umask @
let 'x=@'
let 'x=2**@'
let 'x=1<<@'
test @ -eq 1
test -t @
wait @
fc -l @
history @
trap : @
getopts a x @
declare -i x=@
printf -v 'a[@]' 1
pushd +@
dirs +@
popd -@
""".strip().splitlines()


@dataclass(frozen=True, slots=True)
class Sized:
    """One script: whose it is, and its text."""

    name: str
    script: str


def sized(*, everything: bool = False) -> Iterator[Sized]:
    """All scripts; those whose utilities are looked after elsewhere only with ``everything``."""
    for name in command_names():
        found = find_command(name)
        if found is None or (not everything and _SOMEBODY_ELSE.search(getattr(found.run, "__module__", ""))):
            continue
        for option in found.options or ():
            if option.metavar:
                yield from _with_option(name, option.names, option.optional)
        for value in VALUES:
            yield Sized(name, f"{name} {quote(value)} < /in/lines")
            yield Sized(name, f"{name} {quote(value)} {quote(value)} /in/lines")
        for shape in INPUTS:
            yield Sized(name, f"{name} < /in/{shape}")
            yield Sized(name, f"{name} /in/{shape} /in/lines")
    for name, declared in sorted(declarations().items()):
        shell = "( {} )" if name in _ENDING else "{}"
        for value in VALUES:
            yield Sized(name, shell.format(f"{name} {quote(value)} < /in/lines"))
            for letter in sorted(set(re.findall(r"-([a-zA-Z])\b", declared.usage))):
                yield Sized(name, shell.format(f"{name} -{letter} {quote(value)} x < /in/lines"))
    for template in TEMPLATES:
        for value in VALUES:
            yield Sized(template.split()[0], template.replace("@", value if "'" in template or '"' in template else quote(value)))


def _with_option(name: str, names: tuple[str, ...], optional: bool) -> Iterator[Sized]:
    option = names[0]
    for index, value in enumerate(VALUES):
        separator = "=" if option.startswith("--") else "" if optional else " "
        given = f"{name} {option}{separator}{quote(value)}"
        yield Sized(name, f"{given} < /in/{INPUTS[index % len(INPUTS)]}")
        yield Sized(name, f"{given} /in/lines")
        yield Sized(name, f"{given} /in/line")


def broken(scripts: Iterable[Sized], *, strict: bool = False) -> list[str]:
    """Run the scripts, and say which do not hold and why.

    Args:
        scripts: What to run; they share processes, and one that hangs or dies is found by what it left unanswered.
        strict: Time counts too.
    """
    left = list(scripts)
    found: list[str] = []
    while left:
        done, complaints = _run(left, strict=strict)
        found += complaints
        if done < len(left) and not complaints:
            found.append(f"nothing ran from {left[done].script!r:.200}")
            break
        left = left[done:]
    return found


def _run(scripts: list[Sized], *, strict: bool) -> tuple[int, list[str]]:
    """Run scripts in one process; how many of them are done, the last one perhaps by ending it."""
    environment = {"PATH": os.environ.get("PATH", ""), "PYTHONPATH": os.pathsep.join(sys.path)}
    child = subprocess.Popen(
        [sys.executable, str(Path(__file__).with_name("sizes_child.py"))],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
        start_new_session=True,
        bufsize=0,
    )
    assert child.stdin is not None and child.stdout is not None
    found: list[str] = []
    selector = selectors.DefaultSelector()
    selector.register(child.stdout, selectors.EVENT_READ)
    try:
        for number, one in enumerate(scripts):
            child.stdin.write(json.dumps({"script": one.script, "timeout": TIME_LIMIT}).encode() + b"\n")
            line = _line(child.stdout, selector)
            if line is None:
                return number + 1, [*found, f"{one.name}: {one.script!r:.200}: hangs, or takes its host with it"]
            found += [f"{one.name}: {one.script!r:.200}: {problem}" for problem in _problems(json.loads(line), strict=strict)]
        return len(scripts), found
    finally:
        child.kill()
        child.wait()
        child.stdin.close()
        child.stdout.close()
        selector.close()


def _line(stream: Any, selector: selectors.BaseSelector) -> bytes | None:
    """The next line, or None where none comes in time."""
    line = b""
    end = time.monotonic() + TIME_LIMIT + PATIENCE
    while not line.endswith(b"\n"):
        if not selector.select(max(0.0, end - time.monotonic())):
            return None
        block = stream.read(65536)
        if not block:
            return None
        line += block
    return line


def _problems(answer: dict[str, Any], *, strict: bool) -> list[str]:
    found = []
    if answer["error"] in {"internal", "crash"} or "internal error" in answer["stderr"]:
        found.append(f"internal error: {answer['stderr'][-300:]}")
    if answer["growth"] > MEMORY:
        found.append(f"the host grew by {answer['growth']:.0f} MB")
    if strict and answer["seconds"] > TIME_LIMIT + GRACE:
        found.append(f"took {answer['seconds']:.1f} s")
    return found


def main() -> int:
    """Run what was asked for; the status is 1 if anything did not hold."""
    parser = argparse.ArgumentParser(prog="python -m tests.hostile.sizes", description="Run every utility with every size.")
    parser.add_argument("--name", help="one utility or builtin")
    parser.add_argument("--all", action="store_true", help="those too that have tests of their own for this")
    parser.add_argument("--part", default="0/1", help="a part of them: 0/2 is every second one from the first")
    options = parser.parse_args()
    first, of = map(int, options.part.split("/"))
    scripts = [one for one in sized(everything=options.all) if options.name in {None, one.name}][first::of]
    failed = 0
    for start in range(0, len(scripts), _AT_ONCE):
        for problem in broken(scripts[start : start + _AT_ONCE], strict=True):
            failed += 1
            print(problem, flush=True)
        done = min(start + _AT_ONCE, len(scripts))
        print(f"{done} of {len(scripts)} scripts, {failed} problems, at {scripts[done - 1].name}", file=sys.stderr, flush=True)
    print(f"{len(scripts)} scripts, {failed} problems")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
