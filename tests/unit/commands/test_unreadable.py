"""Files and directories that may not be read: reported by name, left as they are, and the rest is done as GNU's programs do it."""

import pytest

TREE = {"f": "text\n", "d/a": "text\n", "d/z/b": "text\n", "d/shut/c": "text\n"}

# words, standard output, standard error, status
CASES = [
    (["sed", "-i", "s/t/T/", "f", "d/a"], "", "sed: can't read f: Permission denied\n", 2),
    (["grep", "-r", "text", "d"], "d/z/b:text\nd/a:text\n", "grep: d/shut: Permission denied\n", 2),
    (["grep", "-rs", "text", "d"], "d/z/b:text\nd/a:text\n", "", 2),
    (["cp", "-r", "d", "e"], "", "cp: cannot access 'd/shut': Permission denied\n", 1),
    (["install", "f", "g"], "", "install: cannot open 'f' for reading: Permission denied\n", 1),
    (
        ["tar", "-cf", "t.tar", "d", "f"],
        "",
        (
            "tar: d/shut: Cannot open: Permission denied\ntar: f: Cannot open: Permission denied\n"
            "tar: Exiting with failure status due to previous errors\n"
        ),
        2,
    ),
]


@pytest.fixture
def tree(utility):
    for name, text in TREE.items():
        utility.write(name, text)
    for name in ("f", "d/shut"):
        utility.fs.chmod(f"/home/user/{name}", 0)
    return utility


@pytest.mark.parametrize(("argv", "stdout", "stderr", "status"), CASES, ids=[" ".join(argv) for argv, *_ in CASES])
def test_reported_and_passed_over(tree, argv, stdout, stderr, status):
    outcome = tree(*argv)
    assert (sorted(outcome.stdout.splitlines()), outcome.stderr, outcome.status) == (sorted(stdout.splitlines()), stderr, status)
    for name in ("f", "d/shut"):
        tree.fs.chmod(f"/home/user/{name}", 0o755)
    assert tree.fs.read_file("/home/user/f") == b"text\n"
    assert tree.fs.read_file("/home/user/d/shut/c") == b"text\n"


def test_what_can_be_read_is_edited_and_copied(tree):
    tree("sed", "-i", "s/t/T/", "f", "d/a")
    tree("cp", "-r", "d", "e")
    assert tree.fs.read_file("/home/user/e/a") == b"Text\n"
    assert tree.fs.read_file("/home/user/e/z/b") == b"text\n"
    assert tree.fs.stat("/home/user/e/shut").mode == 0
