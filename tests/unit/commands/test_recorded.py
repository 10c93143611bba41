"""Utilities that were written against the real programs: what those answered, recorded, without needing them.

Each case of ``recorded.json`` is a script, its output, its messages (null where ours are worded otherwise), and its status.
"""

import json
from pathlib import Path

import pytest

from bashkit import Bash, VirtualClock

GROUPS = json.loads((Path(__file__).parent / "recorded.json").read_text(encoding="utf-8"))
CWD = "/tmp/hx"


@pytest.mark.parametrize("group", sorted(GROUPS))
def test_answers_as_the_real_program_did(group):
    recorded = GROUPS[group]
    environment = {"PATH": "/usr/bin:/bin", "HOME": CWD, **recorded["environment"]}
    different = []
    for script, stdout, stderr, status in recorded["cases"]:
        files = {f"{CWD}/{name}": content for name, content in recorded["files"].items()}
        bash = Bash(cwd=CWD, files=files, env=environment, clock=VirtualClock(1_750_000_000))
        result = bash.execute_sync(script)
        answer = (result.stdout, result.stderr if stderr is not None else None, result.exit_code)
        if answer != (stdout, stderr, status):
            different.append(f"$ {script}\n  recorded {(stdout, stderr, status)!r}\n  now      {answer!r}")
    assert not different, "\n".join(different)


BOMBS = [
    "sqlite3 :memory: 'with recursive c(x) as (select 1 union all select x+1 from c) select count(*) from c'",
    "dc -e '[lax]sa lax'",
    "dc -e '9 9 9 9^^^p'",
    "yes | parallel -j 100 echo",
    "xmllint --xpath '//*[//*[//*[//*]]]' wide.xml",
    "head -c 400000000 /dev/zero | xz -1 | xzcat | wc -c",
]


@pytest.mark.parametrize("script", BOMBS)
def test_the_budget_ends_what_would_not_end(script):
    result = Bash(files={"/w/wide.xml": "<a>" + "<b/>" * 2000 + "</a>"}, cwd="/w", timeout_seconds=0.5).execute_sync(script)
    assert result.error is not None
    assert result.error == "timeout" or result.error.startswith("limit:")


OUTSIDE = ["attach '/tmp/x.db' as y", "vacuum into '/tmp/x.db'", "select load_extension('x')"]


@pytest.mark.parametrize("statement", OUTSIDE)
def test_sqlite_reaches_nothing_of_the_host(statement):
    assert "author" in Bash().execute_sync(f'sqlite3 :memory: "{statement}"').stderr
