"""What is timed: each workload is one script that all engines run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["language", "session", "tools", "import", "utility"]


@dataclass(frozen=True, slots=True)
class Workload:
    """A script and how it is run.

    Attributes:
        name: What the table calls it.
        script: The script.
        repeat: How often it runs in a round; a figure is the time of one run.
        kind: ``language``: a fresh shell for each run; ``session``: one shell for all runs; ``tools``: the script may call the tool
            ``get_user``; ``import``: the time an interpreter takes to import the package; ``utility``: a shell that has the files
            of ``utilities.write_inputs`` in its working directory.
        unseen: Each run gets a text of its own, so that no engine profits from having parsed it before.
    """

    name: str
    script: str
    repeat: int = 1
    kind: Kind = "language"
    unseen: bool = False


def _program(functions: int) -> str:
    """A script of ten lines for each function, of the kind that people write."""
    lines = []
    for number in range(functions):
        lines += [
            f"process_{number}() {{",
            '  local name="$1" count=${2:-0} path',
            '  path="/tmp/${name%.txt}_' + str(number) + '.log"  # where it goes',
            '  if [[ -z "$name" || $count -gt 10 ]]; then',
            '    echo "usage: process NAME [COUNT]" >&2; return 1',
            '  elif [ -f "$path" ]; then cat "$path" | grep -v "^#" | sort -u; fi',
            '  for item in "$@" {a,b}; do case "$item" in -v|--verbose) set -x ;; *.txt) count=$((count + 1)) ;; esac; done',
            '  total=$(printf "%s\\n" "$name" | wc -l) && echo "${total:-none}" > "$path"',
            "}",
            "",
        ]
    return "\n".join(lines)


UTILITY_LOOP = """\
for ((i=0;i<100;i++)); do
  a=$(echo "x,ab$i" | cut -d, -f2); b=$(echo "$a" | tr a-z A-Z); c=$(echo "$b" | sed 's/B/c/'); d=$(echo "$c $i" | awk '{print $2}')
  if echo "$c" | grep -q 5; then e=$(basename "/tmp/$c.txt" .txt); fi
done
echo "$a $b $c $d $e"
"""
AGENT = """\
set -euo pipefail
mkdir -p /tmp/report && cd /tmp/report
cat > people.csv <<'END'
name,team,score
ada,red,31
bob,blue,17
eve,red,22
END
total=0
declare -A teams
while IFS=, read -r name team score; do
  [[ $name == name ]] && continue
  total=$((total + score))
  teams[$team]=$(( ${teams[$team]:-0} + score ))
done < people.csv
for team in $(printf '%s\\n' "${!teams[@]}" | sort); do
  echo "$team: ${teams[$team]}"
done
best=$(tail -n +2 people.csv | sort -t, -k3,3nr | head -n 1 | cut -d, -f1)
if [ "$total" -gt 50 ]; then
  echo "total $total, best ${best^}"
else
  echo "too few: $total" >&2
fi
grep -c red people.csv | sed 's/$/ in red/'
awk -F, 'NR > 1 { n[$2]++ } END { for (t in n) print t, n[t] }' people.csv | sort
"""

WORKLOADS: tuple[Workload, ...] = (
    Workload("empty loop", "for ((i=0;i<100000;i++)); do :; done"),
    Workload("for over words", "n=0; for x in {1..100000}; do n=$x; done; echo $n"),
    Workload("while and [ ]", "i=0; while [ $i -lt 50000 ]; do i=$((i+1)); done"),
    Workload("while and [[ ]]", "i=0; while [[ $i -lt 50000 ]]; do ((i++)); done"),
    Workload("arithmetic", "s=0; for ((i=1;i<=50000;i++)); do ((s = (s*31 + i) % 1000003)); done; echo $s"),
    Workload("nested loops", "n=0; for ((i=0;i<200;i++)); do for ((j=0;j<200;j++)); do n=$((n+i*j)); done; done; echo $n"),
    Workload(
        "if and case",
        "for ((i=0;i<20000;i++)); do case $i in *7) a=x;; *[02468]) a=y;; *) a=z;; esac; if [ $a = y ]; then b=$i; fi; done",
    ),
    Workload("string building", 's=; for ((i=0;i<30000;i++)); do s+=x; t="$i:$t"; t=${t:0:20}; done; echo ${#s}'),
    Workload("substitution ${x//}", "s=abcdefghij; for ((i=0;i<30000;i++)); do t=${s//c/X}; u=${t#a}; v=${#u}; done"),
    Workload(
        "long string ${x//}",
        "s=abc; for ((i=0;i<12;i++)); do s=$s$s; done; for ((i=0;i<20;i++)); do t=${s//b/xy}; t=${t//[ax]/-}; done; echo ${#t}",
    ),
    Workload(
        "case conversion, substring",
        "s='Hello World'; for ((i=0;i<30000;i++)); do a=${s^^}; b=${s:6:5}; c=${s/o/0}; done; echo $a$b$c",
    ),
    Workload("function calls", "f() { local x=$1; return 0; }; for ((i=0;i<30000;i++)); do f $i; done"),
    Workload(
        "recursion",
        "fib() { (($1<2)) && { r=$1; return; }; fib $(($1-1)); local a=$r; fib $(($1-2)); ((r+=a)); }; fib 19; echo $r",
    ),
    Workload("arrays", "a=(); for ((i=0;i<30000;i++)); do a+=($i); done; s=0; for x in ${a[@]}; do ((s+=x)); done; echo $s"),
    Workload(
        "array elements",
        "for ((i=0;i<30000;i++)); do a[i]=$((i*2)); done; s=0; for ((i=0;i<30000;i++)); do ((s+=a[i])); done; echo $s",
    ),
    Workload(
        "associative arrays",
        "declare -A m; for ((i=0;i<30000;i++)); do k=k$((i%100)); m[$k]=$((${m[$k]:-0}+1)); done; echo ${#m[@]}",
    ),
    Workload(
        "[[ =~ ]]",
        "n=0; for ((i=0;i<20000;i++)); do [[ item-$i =~ ^item-([0-9]+)5$ ]] && n=$((n+BASH_REMATCH[1]%7)); done; echo $n",
    ),
    Workload("command substitution", "for ((i=0;i<500;i++)); do x=$(echo $i); done", repeat=2),
    Workload("pipelines", "for ((i=0;i<100;i++)); do echo $i | { read x; echo $x; } > /dev/null; done", repeat=2),
    Workload("pipes into utilities", UTILITY_LOOP, repeat=2),
    Workload(
        "read loop", "s=0; while read -r a b; do s=$((s+b)); done < <(for ((i=0;i<20000;i++)); do echo line $i; done); echo $s"
    ),
    Workload("here-documents", "for ((i=0;i<5000;i++)); do read x <<E\nline $i\nE\ndone; echo $x"),
    Workload("here-strings", 'for ((i=0;i<5000;i++)); do IFS=, read -r a b <<< "$i,x"; done; echo $a$b'),
    Workload("printf", "for ((i=0;i<20000;i++)); do printf '%05d %s\\n' $i x; done > /dev/null"),
    Workload("printf -v", "for ((i=0;i<20000;i++)); do printf -v x '%03d-%s' $i a; done; echo $x"),
    Workload("echo", "for ((i=0;i<30000;i++)); do echo line $i; done > /dev/null"),
    Workload("word splitting", "s='a b c d e f g h'; n=0; for ((i=0;i<10000;i++)); do set -- $s; n=$((n+$#)); done; echo $n"),
    Workload("parse 500 lines", _program(50), unseen=True),
    Workload("an agent's script", AGENT, repeat=10, unseen=True),
    Workload("parse 10 000 lines", _program(1000), unseen=True),
    Workload("fresh shell + echo", "echo hello", repeat=50),
    Workload("small executes", "x=$((x+1)); [ $x -gt 0 ] && echo $x", repeat=200, kind="session"),
    Workload("echo in a session", "echo hello", repeat=500, kind="session"),
    Workload("one tool call", "get_user --id 1", repeat=20, kind="tools"),
    Workload(
        "ten tool calls with jq", "for i in 1 2 3 4 5 6 7 8 9 10; do get_user --id $i | jq -r .name; done", repeat=3, kind="tools"
    ),
    Workload("cold import", "", kind="import"),
)
