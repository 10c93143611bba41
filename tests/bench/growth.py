"""Whether time grows as the work does: scripts at doubling sizes, in bashkit and in GNU bash.

    python -m tests.bench.growth                 all patterns; the table goes to tests/bench/growth.md
    python -m tests.bench.growth queue find      some of them; the table is only printed

A pattern's exponent is the slope of its time over its size, between the sizes that take longest: 1 is linear, 2 quadratic. What a
fixed cost hides at small sizes does not count: sizes double until bashkit takes a tenth of a second, or the pattern's limit is
reached.
"""

from __future__ import annotations

import argparse
import math
import shutil
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from bashkit import Bash, ExecutionLimits

HERE = Path(__file__).parent
ENOUGH = 0.1  # seconds
DOUBLINGS = 2  # measured after that
LIMITS = ExecutionLimits(
    timeout=60,
    max_commands=10**9,
    max_loop_iterations=10**9,
    max_memory_bytes=4 << 30,
    max_output_bytes=1 << 30,
    max_string_bytes=1 << 30,
    max_words=10**8,
    max_files=10**7,
    max_file_system_bytes=1 << 30,
)


@dataclass(frozen=True)
class Pattern:
    """Something whose amount grows.

    Attributes:
        script: Shell source with ``N`` for the size.
        first: The smallest size.
        most: The largest.
        text: ``N`` stands for a text of the script itself, made by this: what is repeated.
    """

    script: str
    first: int = 500
    most: int = 1 << 20
    text: str = ""

    def at(self, size: int) -> str:
        """The script at a size."""
        return self.script.replace("TEXT", self.text * size).replace("SIZE", str(size))


PATTERNS = {
    # queues and stacks
    "queue: a=(${a[@]:1})": Pattern('a=({1..SIZE}); while ((${#a[@]})); do a=("${a[@]:1}"); done', 100),
    "queue: unset 'a[0]' and a=(${a[@]})": Pattern(
        "a=({1..SIZE}); while ((${#a[@]})); do unset 'a[0]'; a=(\"${a[@]}\"); done", 100
    ),
    "queue with a moving head": Pattern("a=({1..SIZE}); h=0; while ((h < SIZE)); do x=${a[h]}; unset 'a[h]'; ((++h)); done"),
    "stack: unset 'a[-1]'": Pattern("a=({1..SIZE}); while ((${#a[@]})); do unset 'a[-1]'; done"),
    "shift through arguments": Pattern("set -- {1..SIZE}; while (($#)); do shift; done"),
    "shift 2 with case": Pattern(
        "set -- $(printf -- '--a %d ' {1..SIZE}); while (($#)); do case $1 in --a) x=$2; shift 2;; esac; done"
    ),
    # arrays
    "append to an array": Pattern("for ((i = 0; i < SIZE; i++)); do a+=($i); done"),
    "prepend to an array": Pattern('for ((i = 0; i < SIZE; i++)); do a=($i "${a[@]}"); done', 100),
    "assign elements": Pattern("for ((i = 0; i < SIZE; i++)); do a[i]=$i; done"),
    "assign keys": Pattern("declare -A m; for ((i = 0; i < SIZE; i++)); do m[k$i]=$i; done"),
    "count by keys": Pattern("declare -A m; for ((i = 0; i < SIZE; i++)); do ((m[$((i % 100))]++)); done"),
    "go through keys": Pattern(
        'declare -A m; for ((i = 0; i < SIZE; i++)); do m[$i]=1; done; for k in "${!m[@]}"; do x=${m[$k]}; done'
    ),
    "length in a loop": Pattern("a=({1..SIZE}); for ((i = 0; i < ${#a[@]}; i++)); do :; done"),
    "copy an array": Pattern('a=({1..SIZE}); b=("${a[@]}"); c=("${b[@]/1/2}"); d=("${c[@]#2}")'),
    "sort an array through sort": Pattern('a=({SIZE..1}); mapfile -t b < <(printf "%s\\n" "${a[@]}" | sort -n)'),
    "join an array": Pattern('a=({1..SIZE}); IFS=,; x="${a[*]}"'),
    "split into an array": Pattern('x=$(seq -s, SIZE); IFS=, read -ra a <<< "$x"'),
    "slices of ten": Pattern('a=({1..SIZE}); for ((i = 0; i < SIZE; i += 10)); do b=("${a[@]:i:10}"); done'),
    "search in an array": Pattern('a=({1..SIZE}); [[ " ${a[*]} " == *" SIZE "* ]]'),
    "a sparse array": Pattern("for ((i = 0; i < SIZE; i++)); do a[i * 1000]=1; done; x=${#a[@]}"),
    # strings
    "append to a string": Pattern("x=; for ((i = 0; i < SIZE; i++)); do x+=abc; done"),
    "append by assignment": Pattern('x=; for ((i = 0; i < SIZE; i++)); do x="${x}a"; done'),
    "characters of a string": Pattern(
        "x=$(head -c SIZE /dev/zero | tr '\\0' a); for ((i = 0; i < SIZE; i++)); do c=${x:i:1}; done"
    ),
    "eat a string from the front": Pattern(
        "x=$(head -c SIZE /dev/zero | tr '\\0' a); while [[ $x ]]; do x=${x:1}; done", 500, 1 << 17
    ),
    "eat words from the front": Pattern(
        "x=$(seq -s' ' SIZE); while [[ $x == *' '* ]]; do w=${x%% *}; x=${x#* }; done", 100, 1 << 14
    ),
    "eat a path from the back": Pattern("x=$(seq -s/ SIZE); while [[ $x == */* ]]; do x=${x%/*}; done", 100, 1 << 14),
    "replace everywhere": Pattern("x=$(seq -s, SIZE); y=${x//,/;}"),
    "replace a class": Pattern("x=$(seq -s, SIZE); y=${x//[0-9]/}"),
    "upper case": Pattern("x=$(seq -s, SIZE | tr 0-9 a-j); y=${x^^}"),
    "trim by extglob": Pattern("shopt -s extglob; x=$(printf '%*s' SIZE ''); y=${x##+([[:space:]])}"),
    "a regex over a long string": Pattern("x=$(seq -s, SIZE); [[ $x =~ ^([0-9]+,)*[0-9]+$ ]]"),
    "a regex loop": Pattern("x=$(seq -s, SIZE); while [[ $x =~ ^([0-9]+),(.*)$ ]]; do x=${BASH_REMATCH[2]}; done", 100, 1 << 14),
    "a pattern with stars": Pattern("x=$(head -c SIZE /dev/zero | tr '\\0' a); [[ $x == *a*a*a*b ]]"),
    # loops and functions
    "while read": Pattern("seq SIZE | while read -r x; do :; done"),
    "while read from a string": Pattern('x=$(seq SIZE); while read -r l; do :; done <<< "$x"'),
    "read with fields": Pattern("seq SIZE | while IFS=, read -r a b; do :; done"),
    "mapfile": Pattern("mapfile -t a < <(seq SIZE)"),
    "lines to the end of a file": Pattern("for ((i = 0; i < SIZE; i++)); do echo $i >> f; done"),
    "redirections in a loop": Pattern("for ((i = 0; i < SIZE; i++)); do echo $i > f; done"),
    "recursion": Pattern("f() { (($1 == 0)) || f $(($1 - 1)); }; for ((i = 0; i < SIZE; i++)); do f 20; done", 100),
    "many functions": Pattern("TEXT echo", 500, 1 << 16, "f() { echo a; }\n"),
    "functions that are called": Pattern("f() { :; }; for ((i = 0; i < SIZE; i++)); do f $i; done"),
    "locals": Pattern("f() { local a=$1 b=$2; }; for ((i = 0; i < SIZE; i++)); do f 1 2; done"),
    "command substitutions": Pattern("for ((i = 0; i < SIZE; i++)); do x=$(echo $i); done", 100),
    "pipelines": Pattern("for ((i = 0; i < SIZE; i++)); do echo $i | cat > /dev/null; done", 50),
    "background jobs": Pattern("for ((i = 0; i < SIZE; i++)); do : & done; wait", 50, 1 << 13),
    "a case with many words": Pattern(
        "for ((i = 0; i < 100; i++)); do case b in TEXT b) :;; esac; done", 100, 1 << 14, "a) :;; "
    ),
    "eval that defines": Pattern('for ((i = 0; i < SIZE; i++)); do eval "v$i=$i"; done', 100),
    "printf -v": Pattern("for ((i = 0; i < SIZE; i++)); do printf -v x %05d $i; done"),
    "printf with many arguments": Pattern("printf '%s\\n' {1..SIZE} > /dev/null"),
    "traps in a loop": Pattern("for ((i = 0; i < SIZE; i++)); do trap : EXIT; done"),
    # sources
    "a long script": Pattern("TEXT", 500, 1 << 17, "echo a > /dev/null\n"),
    "a long line": Pattern("TEXT :", 500, 1 << 17, "true; "),
    "many words": Pattern(": TEXT", 500, 1 << 18, "word "),
    "a long here-document": Pattern("cat > /dev/null <<'E'\nTEXTE\n", 500, 1 << 20, "line\n"),
    "nested parentheses": Pattern("((1)); x=$((TEXT 1))", 500, 1 << 17, "1 + "),
    "many quotes": Pattern(": TEXT", 500, 1 << 17, "'a'\"b\"c "),
    "a pipeline of cats": Pattern("echo a TEXT > /dev/null", 10, 1 << 9, "| cat "),
    "braces": Pattern(": {1..SIZE}"),
    "braces of braces": Pattern(": {1..SIZE}{a,b,c}"),
    "aliases": Pattern("shopt -s expand_aliases\nTEXT", 500, 1 << 15, "alias a='echo b'\n"),
    # files
    "many files": Pattern("mkdir d; cd d; for ((i = 0; i < SIZE; i++)); do : > f$i; done; set -- *", 100, 1 << 15),
    "a glob in a loop": Pattern(
        "mkdir d; cd d; : > a; touch f{1..200}; for ((i = 0; i < SIZE; i++)); do set -- *; done", 50, 1 << 13
    ),
    "deep directories": Pattern("mkdir -p TEXT; cd TEXT; pwd > /dev/null", 50, 1 << 10, "d/"),
    "find": Pattern("mkdir d; cd d; touch {1..SIZE}; find . -name '*1*' > /dev/null", 100, 1 << 16),
    "find -exec ;": Pattern("mkdir d; cd d; touch {1..SIZE}; find . -type f -exec true {} ';'", 20, 1 << 12),
    "find -exec +": Pattern("mkdir d; cd d; touch {1..SIZE}; find . -type f -exec echo {} + > /dev/null", 100, 1 << 16),
    "xargs": Pattern("seq SIZE | xargs -n 10 echo > /dev/null", 100, 1 << 15),
    "grep -r": Pattern(
        "mkdir d; cd d; for ((i = 0; i < SIZE; i++)); do echo $i > f$i; done; grep -r 7 . > /dev/null", 100, 1 << 14
    ),
    "ls -l": Pattern("mkdir d; cd d; touch {1..SIZE}; ls -l > /dev/null", 100, 1 << 15),
    "cp -r": Pattern("mkdir d; touch d/{1..SIZE}; cp -r d e", 100, 1 << 15),
    "tar": Pattern("mkdir d; touch d/{1..SIZE}; tar cf a.tar d; tar tf a.tar > /dev/null", 100, 1 << 14),
    # utilities
    "sort": Pattern("seq SIZE | sort > /dev/null"),
    "sort -k": Pattern("seq SIZE | sed 's/$/ a b/' | sort -k2,2 -k1,1nr > /dev/null"),
    "uniq -c": Pattern("seq SIZE | uniq -c > /dev/null"),
    "sed s": Pattern("seq SIZE | sed 's/1/2/g' > /dev/null"),
    "sed with all lines": Pattern("seq SIZE | sed ':a;N;$!ba;s/\\n/,/g' > /dev/null"),
    "sed that deletes lines one by one": Pattern("seq SIZE > f; for ((i = 0; i < 20; i++)); do sed -i 1d f; done"),
    "awk": Pattern("seq SIZE | awk '{ s += $1; a[$1 % 10] = a[$1 % 10] \"x\" } END { print s }' > /dev/null", 500, 1 << 18),
    "awk that joins": Pattern("seq SIZE | awk '{ s = s \",\" $0 } END { print length(s) }' > /dev/null", 500, 1 << 18),
    "grep -f": Pattern("seq SIZE > f; seq 1000 | grep -F -x -f f > /dev/null", 500, 1 << 17),
    "join": Pattern("seq -w SIZE > a; join a a > /dev/null"),
    "comm": Pattern("seq -w SIZE > a; seq -w 1 2 SIZE > b; comm a b > /dev/null"),
    "paste": Pattern("seq SIZE | paste -sd, > /dev/null"),
    "diff of few changes": Pattern("seq SIZE > a; sed 7d a > b; diff a b > /dev/null; :"),
    "tr and fold": Pattern("seq SIZE | tr -d '\\n' | fold -w 10 > /dev/null"),
    "column -t": Pattern("seq SIZE | paste - - - - | column -t > /dev/null", 500, 1 << 16),
    "jq over a list": Pattern("seq SIZE | jq -s 'map(. + 1) | add' > /dev/null"),
    "jq for each line": Pattern("seq SIZE | jq '. + 1' > /dev/null"),
    "base64": Pattern("seq SIZE | base64 | base64 -d > /dev/null"),
}


def ours(script: str) -> float:
    """Seconds in a fresh session."""
    bash = Bash(limits=LIMITS)
    start = time.perf_counter()
    done = bash.execute_sync(script)
    taken = time.perf_counter() - start
    if done.error:
        raise RuntimeError(f"{script[:200]}: {done.stderr[-300:]}")
    return taken


def theirs(script: str) -> float | None:
    """Seconds in GNU bash; None where it cannot run that."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "s"
        file.write_text(script)
        start = time.perf_counter()
        try:
            done = subprocess.run(["bash", file], cwd=folder, capture_output=True, timeout=10, check=False)
        except subprocess.TimeoutExpired:
            return None
        taken = time.perf_counter() - start
    return None if b"too long" in done.stderr or done.returncode > 128 else taken


def sizes(pattern: Pattern) -> list[int]:
    """The sizes to measure, the last one within the limit."""
    size = pattern.first
    while size < pattern.most >> DOUBLINGS and min(ours(pattern.at(size)) for _ in range(2)) < ENOUGH:
        size *= 2
    return [size << step for step in range(DOUBLINGS + 1)]


def slope(times: list[float | None]) -> float | None:
    """The exponent of the growth over all doublings; None if a time is missing."""
    known = [value for value in times if value is not None]
    return math.log2(known[-1] / known[0]) / (len(known) - 1) if len(known) == len(times) and known[0] > 0 else None


def row(name: str, pattern: Pattern) -> str:
    """A line of the table."""
    at = sizes(pattern)
    mine: list[float | None] = [min(ours(pattern.at(size)) for _ in range(3)) for size in at]
    gnu = [min((theirs(pattern.at(size)) or math.inf) for _ in range(2)) for size in at] if shutil.which("bash") else []
    known: list[float | None] = [None if math.isinf(value) else value for value in gnu]
    cells = [name.replace("|", "\\|"), str(at[-1]), _seconds(mine[-1]), _exponent(slope(mine))]
    cells += [_seconds(known[-1]), _exponent(slope(known))] if known else ["–", "–"]
    return f"| {' | '.join(cells)} |"


def _seconds(value: float | None) -> str:
    return "–" if value is None else f"{value * 1000:.0f}"


def _exponent(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f}"


def main() -> None:
    """Measure what was asked for, and print or write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    names = parser.parse_args().names
    lines = ["| pattern | size | bashkit, ms | exponent | GNU bash, ms | exponent |", "|---|---:|---:|---:|---:|---:|"]
    print("\n".join(lines))
    for name, pattern in PATTERNS.items():
        if names and not any(part in name for part in names):
            continue
        lines.append(row(name, pattern))
        print(lines[-1], flush=True)
    if not names:
        head = "# Growth\n\nMade by `python -m tests.bench.growth`; an exponent of 1 is linear, 2 quadratic.\n\n"
        (HERE / "growth.md").write_text(head + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
