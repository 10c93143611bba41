"""The parts of bashkit that read what a stranger wrote, each with what it is fed in a search for crashes.

    python tests/fuzz/components.py NAME [--minutes 10] [--seed N] [--corpus FOLDER]

searches with atheris, guided by coverage, if it is installed; what fails is written to standard error as a script. Hypothesis puts the same parts
to the test in ``test_components.py``. A part fails when it ends in an internal error, in an exception that is not its own, or long after its time.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tempfile
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

TIME_LIMIT = 0.5  # seconds that a script has
LATE = 1.5  # seconds of the processor after which it should have ended
LONGEST = 4096  # bytes of an input
LINES = "abc 12 x\n,, \t\n-1.5 é A\n"
RECORDS = '{"a":[1,null,"x"],"b":{"c":2.5}} [1,[2]] "é" null\n'


@dataclass(frozen=True, slots=True)
class Component:
    """A part that reads what a stranger wrote.

    Attributes:
        run: Feeds it a text; raises what is a fault.
        tokens: Tells what its language is made of.
    """

    run: Callable[[str], None]
    tokens: Callable[[], tuple[str, ...]]


def _scripts(*scripts: str) -> Callable[[str], None]:
    """Feed a text to scripts: as the file ``t`` and the variable ``t``, or in the place of ``@`` in a script that has it."""

    def run(text: str) -> None:
        from bashkit import Bash, ExecutionLimits

        text = text.replace("\0", "")
        limits = ExecutionLimits(timeout=TIME_LIMIT, max_memory_bytes=32 << 20, max_commands=5000, max_loop_iterations=5000)
        for script in scripts:
            bash = Bash(limits=limits, files={"/t": text, "/in": LINES, "/records": RECORDS}, env={"t": text}, cwd="/case")
            begin = time.process_time()
            result = bash.execute_sync(script.replace("@", text))
            taken = time.process_time() - begin
            assert result.error not in {"internal", "crash"}, f"{script}: {result.stderr}"
            assert taken < LATE, f"{script}: {taken:.1f} seconds"

    return run


def _flags(text: str) -> None:
    """Call a tool with the words of a text."""
    from bashkit import ScriptedTool, ToolDef

    schema = {
        "type": "object",
        "properties": {
            "id": {"type": "integer"},
            "names": {"type": "array", "items": {"type": "string"}},
            "filter": {"type": "object", "properties": {"a": {"type": "number"}, "on": {"type": "boolean"}}},
            "any": {},
        },
        "required": ["id"],
    }
    tool = ScriptedTool("t", tools=[(ToolDef("call", "Call it.").with_schema(schema), str)])
    words = " ".join("'" + word.replace("'", "'\\''") + "'" for word in text.replace("\0", "").split(" "))
    result = tool.execute_sync(f"call {words}; call --help {words}")
    assert result.error not in {"internal", "crash"}, result.stderr


def _toolset(text: str) -> None:
    """Load a text as a toolset file."""
    from bashkit.toolset import load_partly

    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "t.yaml"
        path.write_text(text, encoding="utf-8", errors="surrogateescape")
        load_partly(path, environ={})


def _snapshot(text: str) -> None:
    """Read a snapshot that is damaged, and restore what it says: of ``7 {}`` the second part takes the place of its piece number 7."""
    from bashkit import Bash, SnapshotError
    from bashkit.bash.snapshot import Snapshot

    pieces = [*_snapshot_pieces()]
    place, _, junk = text.partition(" ")
    pieces[int(place[:9]) % len(pieces) if place.isascii() and place.isdecimal() else 0] = junk
    try:
        bash = Bash.from_snapshot(Snapshot.from_bytes("".join(pieces).encode("utf-8", "surrogateescape")))
    except SnapshotError:
        return
    result = bash.execute_sync("declare -p > /dev/null; declare -f; trap; ls -lR / > /dev/null")
    assert result.error in {None, "parse"}, result.stderr


@cache
def _snapshot_pieces() -> tuple[str, ...]:
    """The tokens of the snapshot of a session that has something of every kind."""
    from bashkit import Bash

    bash = Bash()
    bash.execute_sync(
        "f() { :; }; a=(1 2); declare -A m=([k]=v); trap 'echo x' EXIT; alias e=echo; echo x > file; ln -s file link; mkfifo p"
    )
    return tuple(re.findall(r'"(?:[^"\\]|\\.)*"|[-.\w]+|.', bash.snapshot().to_bytes().decode(), re.DOTALL))


def _snapshot_tokens() -> tuple[str, ...]:
    return (
        *(f"{place} " for place in range(len(_snapshot_pieces()))),
        *_snapshot_pieces(),
        "null",
        "[]",
        "{}",
        "-1",
        "1e99",
        '""',
        ",",
        ":",
    )


_BLANKS = " \n\t;"
_SHELL = tuple(
    "if then else elif fi for in do done while until case esac function select time coproc ! [[ ]] { } ( ) (( )) && || | & ;; ;& ;;& < > >> << <<- <<< >& <& &> "
    "$( ` ' \" $' $\" \\ ${ } $(( $[ # * ? [ ] ~ = += == =~ 1 0 -1 a x y @ $x $@ $* $# $? $! EOF a=( a[ declare local export eval echo printf read set -- :".split()
)
_PATTERN = tuple(
    "a b . * + ? ^ $ ( ) | [ ] [^ - {1,3} {2} {,1} {9999} \\( \\) \\1 \\b \\w \\d \\n \\< [[:alpha:]] [[:x:]] [[=a=]] [[.-.]] (?: (?= \\x41 é , \\".split()
)
COMPONENTS = {
    "lexer": Component(_scripts("@"), lambda: (*_SHELL, *_BLANKS)),
    "parser": Component(_scripts("false && {\n@\n}; f() {\n@\n}; declare -f f; f"), lambda: (*_SHELL, *_BLANKS)),
    "expansion": Component(
        _scripts("a=(1 'b c' é); declare -A m=([k]=v); x=abcabc; set -- p 'q r'; echo \"${@}\" ${@}; for w in @; do echo \"<$w>\"; done"),
        lambda: tuple("x a m a[@] a[*] a[-1] m[k] # ## % %% / // /# /% ^ ^^ , ,, :- := :+ :? : 1 -1 @Q @E @P @A @a @K @U ! !x !a[@] * ? [ ] b $x $1 $@ ${ } \" ' ~ { , .. $( $(( )".split()),
    ),
    "arithmetic": Component(
        _scripts('x=3 y=x a=(1 2 3); echo $((@)); ((@)); let "$t"; echo ${a[$t]}; echo ${x:$t}; [[ $t -eq 1 ]]'),
        lambda: tuple("1 0 -1 x y a[1] a[ ] ( ) + - * / % ** << >> < > <= >= == != & ^ | && || ? : = += *= ++ -- ! ~ , 2# 64#_ 0x 08 9223372036854775807 $x $(".split()),
    ),
    "glob": Component(
        _scripts("shopt -s extglob globstar nocaseglob; touch a ab .c 'd e'; [[ abcab == $t ]]; case aab in $t) echo 1;; esac; x=aabbc; echo ${x##$t} ${x%$t} ${x//$t/y} $t; find . -name \"$t\""),
        lambda: tuple("* ? ** / [ ] [! [^ a b c - [[:alpha:]] [[:x:]] [[=a=]] [[.a.]] !( @( *( +( ?( ) | \\ . .. é".split()),
    ),
    "regex": Component(
        _scripts('grep -E -- "$t" in /in; grep -- "$t" /in; grep -P -- "$t" /in; grep -oEi -- "$t" /in; rg -- "$t" /in; [[ abc =~ $t ]]; expr abc : "$t"; nl -b p"$t" /in; sed -E "s/$t/x/" /in'),
        lambda: _PATTERN,
    ),
    "awk": Component(
        _scripts("awk -f /t /in"),
        lambda: (*tuple('BEGIN END { } ( ) [ ] $1 $0 $ NF NR x y a[1] in delete print printf getline < > >> | "cat" "a" /a/ ~ !~ ! + - * / % ^ ** ++ -- = += ? : && || , ; if else while do for break continue next exit return function f( substr( split( sub( gsub( match( sprintf( length toupper( strftime( 1 -1 1e9 \\ "%c%d%s" @'.split()), " ", "\n"),
    ),
    "sed": Component(
        _scripts("sed -f /t /in", "sed -n -E -f /t /in"),
        lambda: (*tuple("s / /a/ s/a/b/ s/a/b/2gp y/ab/cd/ a\\ i\\ c\\ d D p P n N g G h H x l q Q = : t b T r w e { } ; , ! $ 1 2 1~2 +1 ~2 0,/a/ \\ & \\1 \\n \\( \\) F z I M".split()), "\n", " "),
    ),
    "jq": Component(
        _scripts("jq -c -f /t /records", 'jq -r "$t" /records'),
        lambda: (*tuple('. .a .b .[] .[0] .[1:] [ ] { } ( ) | , : ; + - * / % == != < and or not // ? .. $x as reduce foreach if then else elif end try catch def f: select( map( keys length type add sort_by( group_by( to_entries tostring tonumber test( split( join( @base64 @csv "a" "\\(.)" 1 -1 1e9 null true limit( first range( input'.split()), " "),
    ),
    "printf": Component(
        _scripts('printf -- "$t" 1 -2 abc 1.5; printf -v v -- "$t"; /usr/bin/printf "$t" é; printf %b "$t"; printf %q "$t"; echo -e "$t"; awk -v f="$t" \'BEGIN { printf f, 1, 2, "a" }\'; numfmt --format "$t" 12; seq -f "$t" 2; date -d @0 "+$t"; stat -c "$t" /in'),
        lambda: tuple("% %% d i u o x X f F e E g G a A c s b q ( )T %(%Y)T * . - + # 0 1 9 99999 $ 1$ \\ \\n \\x41 \\101 \\u00e9 \\U0010ffff \\c ' l h".split()),
    ),
    "flags": Component(
        _flags,
        lambda: (*tuple("--id --id= --names --filter --filter.a --filter.on --no-filter.on --any --any.x.y -- - -i --json --help 1 -1 1.5 true null [1] {\"a\":1} {\"id\":1} a=b id=1 id:=1 @in , é \" ' [ {".split()), " "),
    ),
    "toolset": Component(
        _toolset,
        lambda: (*tuple("name: description: tools: callback: inline: python: http: sql: script: schema: type: properties: required: items: limits: secrets: include: tests: url: method: headers: timeout: effects: - | > [ ] { } , & * !! !x # \" ' ? : : a b 1 true null ~ ${X} object string integer %".split()), " ", "\n", "\n  ", "\n    ", "\n- "),
    ),
    "snapshot": Component(_snapshot, _snapshot_tokens),
}  # fmt: skip


def main() -> None:
    """Search in the part that was asked for."""
    parser = argparse.ArgumentParser(
        prog="python tests/fuzz/components.py", description="Search for crashes in a part of bashkit."
    )
    parser.add_argument("name", choices=COMPONENTS)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=0, help="of the random numbers; 0 for another one each time")
    parser.add_argument(
        "--corpus", type=Path, metavar="FOLDER", help="keep what reached new code here; a later search goes on from it"
    )
    options = parser.parse_args()
    import atheris

    component = COMPONENTS[options.name]
    # not the scheduler: where it handles a shot of the watchdog it must call nothing, and instrumented code calls at every step
    with atheris.instrument_imports(
        include=["bashkit"], exclude=["bashkit.interp.runtime.hub", "bashkit.interp.runtime.watchdog"]
    ):
        component.run("".join(component.tokens()[:20]))  # what it imports is instrumented
    tokens = component.tokens()

    with tempfile.TemporaryDirectory() as directory:
        corpus, words = options.corpus or Path(directory) / "corpus", Path(directory) / "words"
        corpus.mkdir(parents=True, exist_ok=True)
        chance = random.Random(options.seed)
        for number in range(200):
            text = "".join(chance.choices(tokens, k=chance.randrange(1, 20)))
            (corpus / str(number)).write_text(text, encoding="utf-8")
        words.write_text("".join(f'"{_escaped(token)}"\n' for token in tokens if len(token) < 64), encoding="ascii")

        def one(data: bytes) -> None:
            text = data.decode("utf-8", "surrogateescape")
            try:
                component.run(text)
            except BaseException:
                print(f"{options.name} fails at {text!r}", file=sys.stderr, flush=True)
                raise

        limits = [
            f"-max_len={LONGEST}",
            f"-max_total_time={int(60 * options.minutes)}",
            f"-seed={options.seed}",
            f"-dict={words}",
        ]
        atheris.Setup([sys.argv[0], *limits, "-artifact_prefix=/dev/null", str(corpus)], one)
        atheris.Fuzz()


def _escaped(token: str) -> str:
    """A token as dictionaries of libFuzzer write it."""
    return "".join(f"\\x{byte:02X}" for byte in token.encode())


if __name__ == "__main__":
    main()
