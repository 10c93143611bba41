"""sha224sum: printing and checking."""

import pytest

TRANSCRIPTS = {
    "printing": """
$ > a 'hello\\n'
$ > b ''
$ > 'c d' 'x'
$ sha224sum a b 'c d'
2d6d67d91d0badcdd06cbbba1fe11538a68a37ec9c2e26457ceff12b  a
d14a028c2a3a2bc9476102bb288234c415a2b01f828ea62ac5b3e42f  b
54a2f7f92a5f975d8096af77a126edda7da60c5aa872ef1b871701ae  c d
$ sha224sum < 'hello\\n'
2d6d67d91d0badcdd06cbbba1fe11538a68a37ec9c2e26457ceff12b  -
$ sha224sum -b a
2d6d67d91d0badcdd06cbbba1fe11538a68a37ec9c2e26457ceff12b *a
$ sha224sum --tag a
SHA224 (a) = 2d6d67d91d0badcdd06cbbba1fe11538a68a37ec9c2e26457ceff12b
$ sha224sum nope a
2d6d67d91d0badcdd06cbbba1fe11538a68a37ec9c2e26457ceff12b  a
! sha224sum: nope: No such file or directory
[1]
$ sha224sum -z a b
2d6d67d91d0badcdd06cbbba1fe11538a68a37ec9c2e26457ceff12b  a\x00d14a028c2a3a2bc9476102bb288234c415a2b01f828ea62ac5b3e42f  b\x00
$ sha224sum - < 'x'
54a2f7f92a5f975d8096af77a126edda7da60c5aa872ef1b871701ae  -
$ sha224sum --quiet a
! sha224sum: the --quiet option is meaningful only when verifying checksums
! Try 'sha224sum --help' for more information.
[1]
$ sha224sum .
! sha224sum: .: Is a directory
[1]
""",
    "checking": r"""
$ > a 'hello\n'
$ > b ''
$ > 'c d' 'x'
$ sha224sum -c nope
! sha224sum: nope: No such file or directory
[1]
""",
}


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS.keys())
def test_behaves_as_the_manual_says(replay, transcript):
    replay(transcript)
