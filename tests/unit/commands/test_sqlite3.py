"""sqlite3: SQLite runs in a worker process, which may do nothing but compute, and whose end costs one command."""

import signal
import sqlite3
import threading
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bashkit import Bash
from bashkit.commands._workers.exchange import Exchange
from bashkit.commands._workers.pool import pool
from bashkit.commands.data.sqlite3.database import PROGRAM
from bashkit.commands.data.sqlite3.splitting import Splitter, is_blank
from bashkit.limits import DEFAULT_LIMITS, Budget

TOKENS = st.sampled_from(
    [*"' \" ` [ ] -- \n /* */ ; create trigger temp temporary end explain x - / é 1 \t begin".split(" "), " "]
)


def run(script, **options):
    result = Bash(**options).execute_sync(script)
    return result.stdout, result.stderr, result.exit_code


@given(st.lists(TOKENS, max_size=20))
@example("explain - create trigger ;".split())
@example("explain temp create trigger ;".split())
def test_texts_are_complete_where_sqlite_says_so(tokens):
    text = " ".join(tokens)
    splitter = Splitter(Budget(DEFAULT_LIMITS))
    complete = splitter.feed(text)
    if splitter.statements or not is_blank(text):
        assert complete == sqlite3.complete_statement(text)
    assert "".join([*splitter.statements, splitter.rest]) == text


@given(st.lists(st.lists(TOKENS, max_size=8), max_size=5))
def test_lines_are_split_as_their_text_is(lines):
    texts = [" ".join(line) + "\n" for line in lines]
    by_lines, whole = Splitter(Budget(DEFAULT_LIMITS)), Splitter(Budget(DEFAULT_LIMITS))
    for text in texts:
        by_lines.feed(text)
    whole.feed("".join(texts))
    assert (by_lines.statements, by_lines.rest) == (whole.statements, whole.rest)


def test_a_trigger_is_one_statement():
    script = """sqlite3 :memory: <<'END'
create table t(a); create table log(a);
create trigger r after insert on t begin
  insert into log values(new.a);
  insert into log values(';');
end;
insert into t values(1); select count(*) from log;
END"""
    assert run(script) == ("2\n", "", 0)


VALUES = [
    ("select x'00ff', 'é', null, 1.5, 9e999, -9223372036854775808", "X'00ff'\n'é'\nNULL\n1.5\nInf"),
    ("select length(replace(hex(zeroblob(3000000)), '0', 'é'))", "6000000"),
    ("select replace(hex(zeroblob(5000)), '0', 'é') = replace(hex(zeroblob(5000)), '0', 'é')", "1"),
]


@pytest.mark.parametrize(("sql", "shown"), VALUES)
def test_values_come_as_they_are(sql, shown):
    out, err, status = run(f'sqlite3 -quote -separator "\n" :memory: "{sql}"')
    assert out.startswith(shown)
    assert (err, status) == ("", 0)


def test_long_cells_of_several_types_keep_their_places():
    sql = "select 1, printf('%.5000c', 'a'), randomblob(5000) is not null, zeroblob(4), cast(x'ff' as text), 'z'"
    out, _, _ = run(f'sqlite3 -quote :memory: "{sql}"')
    assert out == f"1,'{'a' * 5000}',1,X'00000000','\udcff','z'\n"


def test_changes_are_saved_and_others_are_not():
    script = """
sqlite3 a.db 'create table t(a); insert into t values(1)'
sqlite3 a.db 'begin; insert into t values(2)'
sqlite3 a.db 'insert into t values(3); select broken'
before=$(stat -c %Y a.db; cksum a.db)
sqlite3 -readonly a.db 'insert into t values(4)'
sqlite3 a.db 'select group_concat(a) from t; pragma user_version'
[[ $before == $(stat -c %Y a.db; cksum a.db) ]] && echo same
sqlite3 new.db 'select 1'; ls new.db"""
    out, err, _ = run(script)
    assert out == "1,3\n0\nsame\n1\nnew.db\n"
    assert "readonly" in err


def test_a_large_database_is_saved_when_the_text_ends():
    script = """sqlite3 a.db 'create table t(a); insert into t values(zeroblob(2000000)); insert into t values(1)'
sqlite3 a.db 'delete from t where a = 1; insert into t values(2); insert into t values(3)'
sqlite3 a.db 'select count(*), sum(a) from t'"""
    assert run(script) == ("3|5.0\n", "", 0)


NO_FILES = [
    "attach '{path}' as other",
    "attach 'file:{path}?mode=ro' as other",
    "vacuum into '{path}.copy'",
    "select load_extension('{path}')",
    "select readfile('{path}')",
    "select writefile('{path}.copy', 'x')",
    "pragma temp_store_directory='{folder}'",
    "pragma temp_store=1",
    "create virtual table v using csv(filename='{path}')",
    "create virtual table z using zipfile('{path}')",
    "select * from fsdir('{folder}')",
    "select edit('x', 'touch {path}.copy')",
    "pragma journal_mode=wal",
    "pragma mmap_size=268435456",
    "with recursive c(x) as (select 1 union all select x+1 from c where x<200000) select count(*) from (select x from c order by x desc)",
]


@pytest.mark.parametrize("sql", NO_FILES)
def test_no_file_of_the_host_is_opened(tmp_path, sql):
    path = tmp_path / "host.db"
    with sqlite3.connect(path) as host:
        host.execute("create table t(secret)")
    before = path.read_bytes()
    statement = sql.format(path=path, folder=tmp_path)
    out, err, _ = run(
        'sqlite3 :memory: "$SQL"; sqlite3 "file:$FILE" .tables; sqlite3 "$FILE" .tables',
        env={"SQL": statement, "FILE": str(path)},
    )
    assert "secret" not in out + err
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["host.db"]


def test_a_worker_can_open_nothing():
    """The rules above are SQLite's; this is the kernel's: with all descriptors in use, no more can be made."""
    ticket = pool.ask(PROGRAM, None)
    assert ticket.served.wait(60)
    folder = Path(f"/proc/{ticket.worker._process.pid}")
    try:
        limits, environment = (folder / "limits").read_text(), (folder / "environ").read_text()
        used = {int(entry.name) for entry in (folder / "fd").iterdir()}
    finally:
        pool.give_back(ticket.worker)
    rows = {line[:25].strip(): line[25:].split()[:2] for line in limits.splitlines()}
    assert used >= set(range(int(rows["Max open files"][1])))
    assert rows["Max file size"] == rows["Max core file size"] == rows["Max processes"] == ["0", "0"]
    assert environment == ""


def test_a_worker_that_dies_costs_one_command(monkeypatch):
    send = Exchange.send

    def killed(self, request, *arguments, **options):
        if "die" in str(request.get("sql")):
            self.worker._process.send_signal(signal.SIGSEGV)
            self.worker._process.wait()
        return send(self, request, *arguments, **options)

    monkeypatch.setattr(Exchange, "send", killed)
    script = "sqlite3 a.db 'create table t(a); select \"die\"'; echo $?; sqlite3 a.db .tables"
    assert run(script) == ("139\nt\n", "Error: SQLite ran out of memory or crashed\n", 0)


def test_memory_is_the_sessions():
    script = "sqlite3 :memory: 'select count(*) from (select randomblob(1000000) a union select randomblob(999999))'; echo $?"
    assert run(script)[0] == "2\n0\n"
    assert run(script, limits=type(DEFAULT_LIMITS)(max_memory_bytes=1 << 20, max_string_bytes=1 << 20)) != "2\n0\n"
    many = "sqlite3 :memory: 'with recursive c(x) as (select 1 union all select x+1 from c where x<300) select count(distinct randomblob(1000000)) from c'; echo $?"
    assert run(many)[:2] == ("7\n", "Error: stepping, out of memory (7)\n")


def test_time_is_the_sessions_and_nobody_else_waits():
    endless = "with recursive c(x) as (select 1 union all select x+1 from c) select count(*) from c"
    result = Bash(timeout_seconds=0.5).execute_sync(f"sqlite3 :memory: '{endless}' & echo on; wait")
    assert (result.stdout, result.error) == ("on\n", "timeout")
    assert run(f"timeout 0.2 sqlite3 :memory: '{endless}'; echo $?")[0] == "124\n"


@pytest.mark.thorough
def test_many_sessions_share_the_workers():
    results = []
    threads = [threading.Thread(target=lambda n=n: results.append(run(f"sqlite3 :memory: 'select {n}'")[0])) for n in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results) == sorted(f"{n}\n" for n in range(40))


def test_open_of_what_is_no_database():
    assert run("sqlite3 :memory: '.open /none/x' 'select 1'")[1:] == (
        'Error: unable to open database "/none/x": unable to open database file\n',
        1,
    )
    assert run("echo text > t; sqlite3 :memory: '.open t'; echo $?")[0] == "1\n"


NUMBERS = (19.99, 0.7, 1e100, 1 / 3, 5e-324, 123456.789, 1e15)


def test_numbers_have_the_digits_that_sqlite_itself_writes():
    printed = [sqlite3.connect(":memory:").execute("select printf('%!.20g', ?)", (number,)).fetchone()[0] for number in NUMBERS]
    values = ",".join(map(repr, NUMBERS))
    assert run(f'sqlite3 -quote :memory: "select {values}"')[0] == ",".join(printed) + "\n"
    assert run(f'sqlite3 -json :memory: "select {NUMBERS[0]!r} a"')[0] == f'[{{"a":{printed[0]}}}]\n'
    dump = "sqlite3 :memory: 'create table t(a)' 'insert into t values(19.99)' '.mode list' .dump"
    assert f"INSERT INTO t VALUES({printed[0]});" in run(dump)[0]


HAS_FTS5 = sqlite3.connect(":memory:").execute("select sqlite_compileoption_used('ENABLE_FTS5')").fetchone()[0]


@pytest.mark.skipif(not HAS_FTS5, reason="this SQLite has no virtual tables that a dump could hold")
def test_a_virtual_table_is_dumped_as_its_row_of_the_schema():
    out, _, _ = run("sqlite3 :memory: 'create virtual table f using fts5(x)' .dump .schema")
    row = "INSERT INTO sqlite_schema(type,name,tbl_name,rootpage,sql)VALUES('table','f','f',0,'CREATE VIRTUAL TABLE f using fts5(x)');"
    assert out.splitlines()[2:4] == ["PRAGMA writable_schema=ON;", row]
    assert "\nPRAGMA writable_schema=OFF;\nCOMMIT;\nCREATE VIRTUAL TABLE f using fts5(x)\n/* f(x) */;\n" in out


def test_a_regular_expression_that_takes_too_long_is_ended():
    sql = "select 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!' regexp '(a+)+\\$'"
    result = Bash(timeout_seconds=0.5).execute_sync(f'sqlite3 :memory: "{sql}"')
    assert result.error == "timeout"
