"""Where the time of the longest turn of the event loop goes, in one script or in very many.

``python -m tests.hostile.turns NAME`` runs the hostile cases with NAME in their names, ``-c SCRIPT`` a script, and ``--characters [FIRST]``
every character and pair of characters a million times over in every place of the grammar, as the input of utilities and as their
operand, and names those where a turn is too long.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import selectors
import signal
import time
from collections import Counter
from typing import TYPE_CHECKING

from bashkit import Bash, ExecutionLimits
from bashkit.worker import preload
from tests.hostile.harness import GRACE, TIME_LIMIT, TURN, read_cases

if TYPE_CHECKING:
    from types import FrameType

SAMPLE = 0.002  # seconds of the processor between two looks at where it is
SIZE = 1_000_000  # characters of a text
PIECES = (
    *"a1.+-=,:;/^~!@#%&|?*[]{}()<>'\"`$\\é\t\n ",
    *(
        "\\\n",
        "$x",
        "${x}",
        '"$x"',
        "$(:)",
        "$((1))",
        "<(:)",
        "?(a)",
        "{a,b}",
        "[!a]",
        "[[",
        "]]",
        "((",
        "}}",
        "&&",
        "''",
        "a=",
        "a b ",
    ),
    *("a;", "a\n", "\\x", "1+", "1,", "a[1]", "x?1:", "~:", "<<a\n"),
)
PLACES = r"""
: @
x=@
a=(@)
a=([@]=1)
declare -A m=(@)
a[@]=1
declare @
@=1
@
echo >@
[[ @ == a ]]
[[ a == @ ]]
[[ a =~ @ ]]
[ @ ]
case @ in a) ;; esac
case a in @) ;; esac
for i in @; do :; done
@() { :; }
f() { @; }
alias q='@'
: "@"
: $'@'
: $(@)
: `@`
: {@}
: {1..@}
: $((@))
((@))
let @
: ${@}
: ${a-@}
: ${x/@/b}
: ${x/b/@}
: ${x:@}
: ${x#@}
cat << E > /dev/null; @
x='@'; [[ $x == *b ]]; [[ b =~ $x ]]; [[ $x =~ (a|b)*c ]]
x='@'; shopt -s extglob; case $x in +(a|b)c) ;; esac
x='@'; : $x; set -- $x; a=($x); IFS=,:; : $x
x='@'; : ${x^^} ${x//a/b} ${x%%b*} ${x#*b} ${x@Q} ${x@E} ${x@P}
x='@'; : $((x)); let x
x='@'; printf "$x" > /dev/null; printf '%q%b' "$x" "$x" > /dev/null; echo -e "$x" > /dev/null
x='@'; read a b c <<< $x; mapfile -t y <<< "$x"
x='@'; printf '%s\n' "$x" | while read -r l; do :; done
x='@'; eval "$x"; bash -c "$x"
x='@'; declare -p x > /dev/null; export x; env > /dev/null
x='@'; compgen -W "$x" > /dev/null
x='@'; trap "$x" USR1; trap -p > /dev/null
""".strip().splitlines()
UTILITIES = r"""
awk '{ print $1, NF }'
awk -F, '{ n += gsub(/a/, "b"); print $2, length($0), index($0, "ab") } END { print n }'
awk -F '[,;]+' '{ print toupper($0) substr($0, 5); n = split($0, parts, /a|b/) }'
awk -v RS= '{ print match($0, /(a|b)*c/) }'
awk -f -
sed 's/a/b/g; y/a/c/; /x*y/p'
sed -E 's/(a|b)+/[&]/2g; N; P; D'
sed -n 'l; $='
sed -f -
sort
sort -n -k 2
sort -t, -k 3h -u
sort -V
uniq -c
cut -c 5-
cut -d, -f 2
tr a-z A-Z
tr -cs a b
grep -o a
grep -nE '(a|b)*c'
grep -w a
grep -iv ab
grep -P '(?<=a)b'
grep -f - /etc/passwd
rg -c 'a.*b'
wc -wL
fold -s -w 10
fmt
nl
rev
tac
head -c -1
tail -c 5
column -t
paste -s
expand
unexpand -a
pr -2
od -c
xxd
hexdump -C
base64 | base64 -d
base32 -d
cksum
jq .
jq -R length
jq -Rs 'split(",") | length'
jq -f -
yq .
yq -p toml .
yq -p xml .
yq -p csv .
xmllint -
xmllint --html -
bc
dc
sqlite3
diff - /etc/passwd
comm - /etc/passwd
join - /etc/passwd
numfmt --to=iec
factor
strings
cat -A
split -l 10
csplit - 5
tsort
gzip | gunzip
tar t
patch
file -
envsubst
date -f -
xargs echo
xargs -n 1 -I {} echo {}
tee out
cmp - /etc/passwd
iconv -t utf-16
dos2unix
sponge out
ed out
read -r -d '' x y
mapfile -d, x
bash
sh -n
bash -x
python3 -
basenc -d --base32hex
uudecode
uuencode x
xz | unxz
zstd | unzstd
bzip2 | bunzip2
parallel echo
shuf
ts
md5sum -c
look a
more
less
cpio -t
ar t -
dd conv=ucase
openssl base64 -d
diff3 - /etc/passwd /etc/group
sdiff - /etc/passwd
tree --fromfile
html-to-markdown
unix2dos
cal -
column -t -s ,
sort -R
sort -g
sed -z 's/b*$//'
awk '/a/, /b/ { s = s $1 } END { printf "%s %d", s, s }'
grep -x -F -e a -e b
grep -A 1 -c b
paste -d '\0\t' - -
yq -o json .
yq -p ini .
sqlite3 :memory: '.mode csv' '.import /dev/stdin t' 'select count(*) from t'
while IFS= read -r -n 1 c; do :; done
getopts ab:c x "$x"
""".strip().splitlines()
OPERANDS = r"""
expr "$x" : "$x"
expr "$x" + 1
seq "$x"
basename "$x" "$x"
dirname "$x"
realpath -m "$x"
readlink -f "$x"
find / -maxdepth 1 -name "$x" -o -regex "$x"
find / -maxdepth 1 -printf "$x"
test "$x"
[ "$x" = "$x" -a "$x" -nt "$x" ]
getopt -o "$x" -- "$x"
date -d "$x"
date "+$x"
sed "$x"
sed "s/$x/$x/"
awk "$x"
awk "BEGIN { printf \"$x\" }"
jq -n "$x"
grep "$x" /etc/passwd
grep -E "$x" /etc/passwd
grep -P "$x" /etc/passwd
tr "$x" "$x"
cut -f "$x"
sort -k "$x"
env "$x" true
touch "$x"
mkdir -p "$x"
cd "$x"
stat -c "$x" /
ls "$x"
numfmt --format "$x" 1
umask "$x"
kill "$x"
alias "$x"
set -o "$x"
shopt "$x"
declare -i "n=$x"
unset "$x"
bc <<< "$x"
trap true "$x"
printf "%$x" 1
printf -v "$x" 1
wait "$x"
type "$x"
command -v "$x"
tar cf - "$x"
xargs -I "$x" echo
curl "$x"
yq -n "$x"
dc -e "$x"
fold -w "$x"
head -n "$x"
sleep "$x"
timeout "$x" true
chmod "$x" /tmp
join -o "$x" /etc/passwd /etc/passwd
pr -h "$x" /etc/passwd
column -t -s "$x" /etc/passwd
csplit /etc/passwd "$x"
xmllint --xpath "$x" /dev/null
openssl dgst "$x"
rg "$x" /etc
rg -g "$x" a /etc
""".strip().splitlines()


class Turns(selectors.DefaultSelector):
    """Measures the turns of an event loop; a signal that comes every few milliseconds says what they do.

    Attributes:
        longest: The processor seconds of the longest turn since ``forget``, and what they went to.
    """

    def __init__(self) -> None:
        super().__init__()
        self._begin = self._looked = self._collecting = 0.0
        self._spent: Counter[str] = Counter()
        self.forget()
        signal.signal(signal.SIGPROF, self._look)
        signal.setitimer(signal.ITIMER_PROF, SAMPLE, SAMPLE)
        gc.callbacks.append(self._collected)

    def forget(self) -> None:
        """Begin anew."""
        self.longest: tuple[float, Counter[str]] = 0.0, Counter()
        self._start()

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """As ever: a turn ends here, and another begins."""
        taken = time.thread_time() - self._begin
        if taken > self.longest[0]:
            self.longest = taken, self._spent
        try:
            return super().select(timeout)
        finally:
            self._start()

    def _start(self) -> None:
        self._begin = self._looked = time.thread_time()
        self._spent = Counter()

    def _look(self, number: int, frame: FrameType | None) -> None:
        """Count the time since the last look for the lines that run now; in a call of C this comes when that has ended."""
        now = time.thread_time()
        lines = []
        while frame is not None and len(lines) < 4:
            lines.append(f"{'/'.join(frame.f_code.co_filename.split('/')[-3:])}:{frame.f_lineno} {frame.f_code.co_name}")
            frame = frame.f_back
        self._spent[" < ".join(lines)] += now - self._looked
        self._looked = now

    def _collected(self, phase: str, info: dict[str, int]) -> None:
        now = time.thread_time()
        if phase == "stop":
            self._spent["(the garbage collector)"] += now - self._collecting
            self._looked = now
        self._collecting = now


async def _run(turns: Turns, script: str, limits: ExecutionLimits, stdin: str = "") -> tuple[str | None, float]:
    """The error of a script, and how many seconds it took."""
    for _ in range(2):  # what was made before is over
        await asyncio.sleep(0.001)
    turns.forget()
    begin = time.monotonic()
    result = await Bash(limits=limits).execute(script, stdin=stdin)
    taken = time.monotonic() - begin
    await asyncio.sleep(0)
    return result.error, taken


def _report(turns: Turns, name: str, error: str | None, seconds: float) -> None:
    longest, spent = turns.longest
    print(f"{longest * 1000:4.0f} ms  {name!r}, {seconds:.1f} s{f', {error}' if error else ''}")
    for place, part in spent.most_common(3):
        if part > TURN / 10:
            print(f"     {part * 1000:4.0f} {place}", flush=True)


async def _search(turns: Turns, first: int) -> None:
    piped = [f"x='@'; printf '%s\\n' \"$x\" | {utility} > /dev/null 2>&1" for utility in UTILITIES]
    named = [f"x='@'; {utility} < /dev/null > /dev/null 2>&1" for utility in OPERANDS]
    for number, place in enumerate(PLACES + piped + named):
        for piece in PIECES if number >= first else ():
            if "'@'" in place and "'" in piece:
                continue
            script = place.replace("@", piece * (SIZE // len(piece)))
            error, seconds = await _run(turns, script, ExecutionLimits(timeout=1))
            if turns.longest[0] > TURN or seconds > 1 + GRACE or error in {"internal", "crash"}:
                _report(turns, f"{number}: {place}  with  {piece}", error, seconds)


async def _main(options: argparse.Namespace, turns: Turns) -> None:
    if options.characters is not None:
        await _search(turns, options.characters)
    elif options.script is not None:
        _report(turns, options.script, *await _run(turns, options.script, ExecutionLimits(timeout=TIME_LIMIT)))
    for case in read_cases() if options.name else ():
        if options.name in case.id:
            limits = ExecutionLimits(**{"timeout": TIME_LIMIT} | case.limits)
            _report(turns, case.id, *await _run(turns, case.script, limits, case.stdin or ""))


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", nargs="?", help="a part of the name of hostile cases")
    parser.add_argument("-c", dest="script", metavar="SCRIPT")
    parser.add_argument(
        "--characters", nargs="?", type=int, const=0, metavar="FIRST", help="search, from this place of the grammar on"
    )
    preload()
    turns: list[Turns] = []

    def loop() -> asyncio.AbstractEventLoop:
        turns.append(Turns())
        return asyncio.SelectorEventLoop(turns[0])

    with asyncio.Runner(loop_factory=loop) as runner:
        runner.get_loop()
        runner.run(_main(parser.parse_args(), turns[0]))
    signal.setitimer(signal.ITIMER_PROF, 0)


if __name__ == "__main__":
    main()
