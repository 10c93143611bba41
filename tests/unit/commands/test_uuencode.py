"""uuencode and uudecode (POSIX XCU): what one makes the other reads, and the notation is that of the standard."""

import pytest

TEXT = "hello world, this is a longer text of more than 45 bytes ok\n"
ENCODED = "begin 644 out\nM:&5L;&\\@=V]R;&0L('1H:7,@:7,@82!L;VYG97(@=&5X=\"!O9B!M;W)E('1H\n/86X@-#4@8GET97,@;VL*\n`\nend\n"
IN_BASE64 = "begin-base64 644 out\naGVsbG8gd29ybGQsIHRoaXMgaXMgYSBsb25nZXIgdGV4dCBvZiBtb3JlIHRo\nYW4gNDUgYnl0ZXMgb2sK\n====\n"


@pytest.mark.parametrize(("options", "encoded"), [([], ENCODED), (["-m"], IN_BASE64)])
def test_a_text_is_encoded_and_comes_back(utility, options, encoded):
    outcome = utility("uuencode", *options, "out", stdin=TEXT.encode())
    assert (outcome.stdout, outcome.stderr, outcome.status) == (encoded, "", 0)
    back = utility("uudecode", "-o", "-", stdin=encoded.encode())
    assert (back.stdout, back.stderr, back.status) == (TEXT, "", 0)


def test_the_header_says_name_and_mode():
    from bashkit import Bash

    bash = Bash()
    bash.execute_sync("printf abc > f; chmod 750 f; uuencode f copy < /dev/null > u; mkdir d; (cd d; uudecode ../u)")
    assert bash.execute_sync("cat d/copy; stat -c ' %a' d/copy; sed -n 1p u").stdout == "abc 750\nbegin 750 copy\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("junk\n", "Invalid or missing 'begin' line"),
        ("begin 644 x\n#86)C\n", "Short file"),
        ("begin-base64 644 x\n*\n", "Short file"),
    ],
)
def test_what_is_not_encoded_is_refused(utility, text, message):
    outcome = utility("uudecode", "-o", "-", stdin=text.encode())
    assert (outcome.stderr, outcome.status) == (f"uudecode fatal error:\nstandard input: {message}\n", 2)
