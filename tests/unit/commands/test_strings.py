"""strings: printable runs."""

import pytest

TRANSCRIPTS = {
    "finding": """
$ > a 'hello world, this is text\\n\\x00\\x01é\\x7f\\t'
$ > z '\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00x'
$ > s 'abc\\x00hello\\x01worlds\\x00xy\\n'
$ strings a
hello world, this is text
$ strings s
hello
worlds
$ strings -n 3 s
abc
hello
worlds
$ strings -n 2 -t d s
      0 abc
      4 hello
     10 worlds
     17 xy
$ strings -t x s
      4 hello
      a worlds
$ strings -o s
      4 hello
     12 worlds
$ strings -f s a
s: hello
s: worlds
a: hello world, this is text
$ strings nope
! strings: 'nope': No such file
[1]
$ strings -n 0 s
! strings: invalid minimum string length 0
[1]
$ strings -n x s
! strings: invalid integer argument x
[1]
$ strings -a s
hello
worlds
$ strings < 'abcd\\x00ef\\tghi\\n'
abcd
ef\tghi
$ strings -s , s
hello,worlds,
""",
}


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS.keys())
def test_behaves_as_the_manual_says(replay, transcript):
    replay(transcript)
