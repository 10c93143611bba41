"""Options of the real programs that are known and not offered: each says what is missing, and nothing is done."""

import pytest

REFUSED = [
    (["tar", "-w", "-cf", "x", "f"], "tar: -w: not supported here: asking before each action\n", 2),
    (["tar", "-g", "snap", "-cf", "x", "f"], "tar: -g: not supported here: incremental backups\n", 2),
    (["tar", "-L", "10", "-cf", "x", "f"], "tar: -L: not supported here: archives of several volumes\n", 2),
    (["tar", "-F", "script", "-cf", "x", "f"], "tar: -F: not supported here: archives of several volumes\n", 2),
    (["tar", "--zstd", "-cf", "x", "f"], "tar: --zstd: not supported here: archives compressed with zstd\n", 2),
    (["tar", "-Zcf", "x", "f"], "tar: -Z: not supported here: archives compressed with compress\n", 2),
    (
        ["tar", "-I", "lzop", "-cf", "x", "f"],
        "tar: -I: not supported here: compressing with any program (only -z, -j and -J)\n",
        2,
    ),
    (["parallel", "--onall", "echo"], "parallel: --onall: not supported here: there are no other machines\n", 255),
    (["parallel", "-S", "server", "echo"], "parallel: -S: not supported here: there are no other machines\n", 255),
    (["patch", "-e", "f"], "patch: -e: not supported here: ed scripts, for there is no ed\n", 2),
    (
        ["patch", "--merge", "f"],
        "patch: --merge: not supported here: conflict markers; what does not fit goes to a reject file\n",
        2,
    ),
    (["tree", "-H", ".", "."], "tree: -H: pages in HTML are not supported here; -J and -X are\n", 1),
    (["tree", "-R", "-L", "1"], "tree: -R: writing pages in HTML is not supported here\n", 1),
    (["tree", "--charset=latin1", "."], "tree: --charset: 'latin1' is not supported here, should be one of: UTF-8, ASCII\n", 1),
    (["file", "-m", "magic", "f"], "file: -m: other magic files are not supported here\n", 1),
    (["file", "-C"], "file: -C: magic files are not supported here\n", 1),
    (["xmllint", "--shell", "f"], "xmllint: --shell: not supported here: the navigating shell\n", 1),
    (["xmllint", "--schema", "f"], "xmllint: --schema: not supported here: validation against a DTD or schema\n", 1),
    (["zip", "-e", "x", "f"], "zip: -e: not supported here: encryption\n", 16),
    (["zip", "-FF", "x", "f"], "zip: -FF: not supported here: salvaging parts of damaged archives\n", 16),
    (["awk", "-D", "1"], "awk: fatal: -D: the debugger: not supported here\n", 2),
    (["awk", "-o", "1"], "awk: fatal: -o: printing the program again: not supported here\n", 2),
    (
        ["wget", "--load-cookies=c", "x"],
        "wget: --load-cookies: cookie files are not supported here; curl -c writes one, and --header sends any\n",
        2,
    ),
    (["wget", "--warc-file=c", "x"], "wget: --warc-file: WARC files are not supported here\n", 2),
    (
        ["wget", "-r", "http://localhost/"],
        "wget: -r: following the links of a page is not supported here; name every URL, or list them in a file for -i\n",
        2,
    ),
]


@pytest.mark.parametrize(("argv", "message", "status"), REFUSED, ids=[" ".join(argv) for argv, _, _ in REFUSED])
def test_says_what_is_missing(utility, argv, message, status):
    utility.write("f", "text\n")
    outcome = utility(*argv)
    assert (outcome.stdout, outcome.stderr, outcome.status) == ("", message, status)
    assert not utility.fs.exists("/home/user/x")
