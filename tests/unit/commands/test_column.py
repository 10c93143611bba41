"""column: tables and lists; expectations recorded from the GNU program."""

import pytest

FILES = {
    "a": "name age city\nbob 5 Rome\nalexander 10 NY\n",
    "c": "a,b,c\n1,,3\nlong,xx,y\n",
    "l": "one\ntwo\nthree\nfour\nfive\nsix\nseven\n",
    "e": "",
    "m": "a  b\n\nc   d e\n",
    "p": "x:y\nzz:w\n",
    "k": "item0\nitem1\nitem2\nitem3\nitem4\nitem5\nitem6\nitem7\nitem8\nitem9\nitem10\nitem11\nitem12\nitem13\nitem14\nitem15\nitem16\nitem17\nitem18\nitem19\nitem20\nitem21\nitem22\nitem23\nitem24\nitem25\nitem26\nitem27\nitem28\nitem29\n",
}

# words, standard input, standard output, standard error, status
CASES = [
    (["column", "-t", "a"], "", "name       age  city\nbob        5    Rome\nalexander  10   NY\n", "", 0),
    (["column", "-t", "-s,", "c"], "", "a     b   c\n1         3\nlong  xx  y\n", "", 0),
    (["column", "-t", "-s,", "-o|", "c"], "", "a   |b |c\n1   |  |3\nlong|xx|y\n", "", 0),
    (["column", "l"], "", "one\ttwo\tthree\tfour\tfive\tsix\tseven\n", "", 0),
    (["column", "-c", "40", "l"], "", "one\tthree\tfive\tseven\ntwo\tfour\tsix\n", "", 0),
    (["column", "-x", "-c", "40", "l"], "", "one\ttwo\tthree\tfour\tfive\nsix\tseven\n", "", 0),
    (["column", "e"], "", "", "", 0),
    (["column", "-t", "e"], "", "", "", 0),
    (["column", "-t", "m"], "", "a  b  \nc  d  e\n", "", 0),
    (["column", "m"], "", "a  b\tc   d e\n", "", 0),
    (["column", "-t", "-R2", "a"], "", "name       age  city\nbob          5  Rome\nalexander   10  NY\n", "", 0),
    (["column", "-t", "-R1,2,3", "m"], "", "a  b  \nc  d  e\n", "", 0),
    (["column", "-t", "-R0"], "a bb\nc\n", "a  bb\nc  \n", "", 0),
    (["column", "-t", "-N", "A,B,C", "a"], "", "A          B    C\nname       age  city\nbob        5    Rome\nalexander  10   NY\n", "", 0),
    (["column", "-s:", "-t", "p"], "", "x   y\nzz  w\n", "", 0),
    (["column", "k"], "", "item0\titem3\titem6\titem9\titem12\titem15\titem18\titem21\titem24\titem27\nitem1\titem4\titem7\titem10\titem13\titem16\titem19\titem22\titem25\titem28\nitem2\titem5\titem8\titem11\titem14\titem17\titem20\titem23\titem26\titem29\n", "", 0),
    (["column", "-c", "20", "k"], "", "item0\titem15\nitem1\titem16\nitem2\titem17\nitem3\titem18\nitem4\titem19\nitem5\titem20\nitem6\titem21\nitem7\titem22\nitem8\titem23\nitem9\titem24\nitem10\titem25\nitem11\titem26\nitem12\titem27\nitem13\titem28\nitem14\titem29\n", "", 0),
    (["column", "-x", "k"], "", "item0\titem1\titem2\titem3\titem4\titem5\titem6\titem7\titem8\titem9\nitem10\titem11\titem12\titem13\titem14\titem15\titem16\titem17\titem18\titem19\nitem20\titem21\titem22\titem23\titem24\titem25\titem26\titem27\titem28\titem29\n", "", 0),
    (["column", "-t"], "a b\nccc d", "a    b\nccc  d\n", "", 0),
    (["column", "-t", "missing"], "", "", "column: missing: No such file or directory\n", 1),
    (["column", "-t", "-o", "", "a"], "", "name     agecity\nbob      5  Rome\nalexander10 NY\n", "", 0),
    (["column", "-t", "-N", "A,B,C", "-H", "B", "a"], "", "A          C\nname       city\nbob        Rome\nalexander  NY\n", "", 0),
    (["column", "-t", "-s,", "-N", "x,y,z", "c"], "", "x     y   z\na     b   c\n1         3\nlong  xx  y\n", "", 0),
    (["column", "-t", "-N", "A,B,C", "-d", "a"], "", "name       age  city\nbob        5    Rome\nalexander  10   NY\n", "", 0),
    (["column", "-t", "-l", "2", "a"], "", "name       age city\nbob        5 Rome\nalexander  10 NY\n", "", 0),
    (["column", "-J", "-N", "a,b,c", "a"], "", '{\n   "table": [\n      {\n         "a": "name",\n         "b": "age",\n         "c": "city"\n      },{\n         "a": "bob",\n         "b": "5",\n         "c": "Rome"\n      },{\n         "a": "alexander",\n         "b": "10",\n         "c": "NY"\n      }\n   ]\n}\n', "", 0),
    (["column", "-t", "-O", "3,1,2", "a"], "", "city  name       age\nRome  bob        5\nNY    alexander  10\n", "", 0),
    (["column", "-t", "-L", "m"], "", "a  b  \n      \nc  d  e\n", "", 0),
    (["column", "-c", "10", "l"], "", "one\ntwo\nthree\nfour\nfive\nsix\nseven\n", "", 0),
    (["column", "-ts:", "p"], "", "x   y\nzz  w\n", "", 0),
    (["column", "-t"], "é 1\nbb 2\n", "é   1\nbb  2\n", "", 0),
    (["column", "-t"], "a\u00a0b x\r\nc\td\n", "a\u00a0b  x\r\nc    d\n", "", 0),
    (["column", "-t", "-l2"], "a\rb  c\v d\n", "a\rb   c\v d\n", "", 0),
    (["column", "-t"], "a\udcff x\nok y\n", "a\\xff  x\nok     y\n", "", 0),
    (["env", "LC_ALL=C", "column", "-t"], "é x\nok y\n", "\\xc3\\xa9  x\nok        y\n", "", 0),
]  # fmt: skip


@pytest.mark.parametrize(("words", "stdin", "stdout", "stderr", "status"), CASES)
def test_column(utility, words, stdin, stdout, stderr, status):
    for path, content in FILES.items():
        utility.write(path, content)
    outcome = utility(*words, stdin=stdin.encode("utf-8", "surrogateescape"))
    assert (outcome.stdout, outcome.stderr, outcome.status) == (stdout, stderr, status)
