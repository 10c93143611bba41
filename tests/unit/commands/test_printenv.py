"""printenv: the environment it was given."""

import pytest

TRANSCRIPTS = {
    "printing": """
$ printenv
A=1
B=x y
$ printenv A
1
$ printenv A B
1
x y
$ printenv NOPE
[1]
$ printenv A NOPE
1
[1]
$ printenv -0 A
1\x00
""",
}


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS.keys())
def test_behaves_as_the_manual_says(replay, transcript):
    replay(transcript, env={"A": "1", "B": "x y"})
