"""paste: lines side by side; expectations recorded from the GNU program."""

from itertools import zip_longest

import pytest

FILES = {
    "a": "1\n2\n3\n",
    "b": "x\ny\n",
    "c": "p\nq\nr\ns",
    "e": "",
}

# words, standard input, standard output, standard error, status
CASES = [
    (["paste", "a", "b"], "", "1\tx\n2\ty\n3\t\n", "", 0),
    (["paste", "a", "b", "c"], "", "1\tx\tp\n2\ty\tq\n3\t\tr\n\t\ts\n", "", 0),
    (["paste", "-d,", "a", "b"], "", "1,x\n2,y\n3,\n", "", 0),
    (["paste", "-d,:", "a", "b", "c"], "", "1,x:p\n2,y:q\n3,:r\n,:s\n", "", 0),
    (["paste", "-s", "a"], "", "1\t2\t3\n", "", 0),
    (["paste", "-s", "a", "b"], "", "1\t2\t3\nx\ty\n", "", 0),
    (["paste", "-sd,", "a"], "", "1,2,3\n", "", 0),
    (["paste", "-s", "-d,:", "c"], "", "p,q:r,s\n", "", 0),
    (["paste", "-d\\n", "a", "b"], "", "1\nx\n2\ny\n3\n\n", "", 0),
    (["paste", "-d\\0", "a", "b"], "", "1x\n2y\n3\n", "", 0),
    (["paste", "e", "a"], "", "\t1\n\t2\n\t3\n", "", 0),
    (["paste", "a", "missing"], "", "", "paste: missing: No such file or directory\n", 1),
    (["paste", "-s", "a", "missing", "b"], "", "1\t2\t3\nx\ty\n", "paste: missing: No such file or directory\n", 1),
    (["paste", "-", "-"], "1\n2\n3\n4\n5\n", "1\t2\n3\t4\n5\t\n", "", 0),
    (["paste", "-d,", "-", "-", "-"], "1\n2\n3\n4\n", "1,2,3\n4,,\n", "", 0),
    (["paste", "-", "a"], "x\n", "x\t1\n\t2\n\t3\n", "", 0),
    (["paste", "-s"], "1\n2\n", "1\t2\n", "", 0),
    (["paste"], "1\n2\n", "1\n2\n", "", 0),
    (["paste", "-d\\", "a"], "", "", "paste: delimiter list ends with an unescaped backslash: \\\n", 1),
    (["paste", "-s", "e"], "", "\n", "", 0),
    (["paste", "-sd+"], "1\n2\n3\n", "1+2+3\n", "", 0),
    (["paste", "-d", "", "a", "b"], "", "1x\n2y\n3\n", "", 0),
    (["paste", "-z", "a", "b"], "", "1\n2\n3\n\tx\ny\n\x00", "", 0),
    (["paste", "-s", "-d\\t\\n", "-"], "1\n2\n3\n4\n", "1\t2\n3\t4\n", "", 0),
]  # fmt: skip


@pytest.mark.parametrize(("words", "stdin", "stdout", "stderr", "status"), CASES)
def test_paste(utility, words, stdin, stdout, stderr, status):
    for path, content in FILES.items():
        utility.write(path, content)
    outcome = utility(*words, stdin=stdin.encode("utf-8", "surrogateescape"))
    assert (outcome.stdout, outcome.stderr, outcome.status) == (stdout, stderr, status)


@pytest.mark.parametrize("delimiters", ["\t", ",", ",:", "%"])
def test_files_of_several_blocks(utility, delimiters):
    lengths = (50_000, 3, 20_001)
    columns = [[f"{name}{number}" for number in range(length)] for name, length in zip("abc", lengths, strict=True)]
    for name, column in zip("abc", columns, strict=True):
        utility.write(name, "".join(f"{cell}\n" for cell in column))
    first, second = delimiters[0], delimiters[-1]
    rows = zip_longest(*columns, fillvalue="")
    assert utility("paste", "-d", delimiters, "a", "b", "c").stdout == "".join(f"{a}{first}{b}{second}{c}\n" for a, b, c in rows)
    turns = zip_longest(columns[0][::3], columns[0][1::3], columns[0][2::3], fillvalue="")
    data = "".join(f"{cell}\n" for cell in columns[0]).encode()
    expected = "".join(f"{a}{first}{b}{second}{c}\n" for a, b, c in turns)
    assert utility("paste", "-d", delimiters, "-", "-", "-", stdin=data).stdout == expected
    joined = "".join(cell + delimiters[place % len(delimiters)] for place, cell in enumerate(columns[0]))[:-1]
    assert utility("paste", "-s", "-d", delimiters, "a").stdout == joined + "\n"
