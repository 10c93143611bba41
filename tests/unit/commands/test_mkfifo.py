"""mkfifo: modes and messages."""


def test_makes_pipes_with_a_mode(utility):
    assert utility("mkfifo", "-m", "600", "a", "b").status == 0
    assert [(utility.fs.stat(f"/home/user/{name}").type, oct(utility.fs.stat(f"/home/user/{name}").mode)) for name in "ab"] == [("fifo", "0o600")] * 2


def test_refuses_what_exists(utility):
    utility.write("a", "")
    outcome = utility("mkfifo", "a")
    assert (outcome.status, "cannot create fifo" in outcome.stderr) == (1, True)
