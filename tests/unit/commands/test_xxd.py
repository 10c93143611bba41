"""xxd: dumps in several forms, and back."""

import pytest

TRANSCRIPTS = {
    "dumps": """
$ > a 'hello world, this is text\\n\\x00\\x01é\\x7f\\t'
$ > z '\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00x'
$ > s 'abc\\x00hello\\x01worlds\\x00xy\\n'
$ xxd a
00000000: 6865 6c6c 6f20 776f 726c 642c 2074 6869  hello world, thi
00000010: 7320 6973 2074 6578 740a 0001 c3a9 7f09  s is text.......
$ xxd -p a
68656c6c6f20776f726c642c207468697320697320746578740a0001c3a9
7f09
$ xxd -u a
00000000: 6865 6C6C 6F20 776F 726C 642C 2074 6869  hello world, thi
00000010: 7320 6973 2074 6578 740A 0001 C3A9 7F09  s is text.......
$ xxd -c 8 a
00000000: 6865 6c6c 6f20 776f  hello wo
00000008: 726c 642c 2074 6869  rld, thi
00000010: 7320 6973 2074 6578  s is tex
00000018: 740a 0001 c3a9 7f09  t.......
$ xxd -g 1 a
00000000: 68 65 6c 6c 6f 20 77 6f 72 6c 64 2c 20 74 68 69  hello world, thi
00000010: 73 20 69 73 20 74 65 78 74 0a 00 01 c3 a9 7f 09  s is text.......
$ xxd -g 4 -c 8 a
00000000: 68656c6c 6f20776f  hello wo
00000008: 726c642c 20746869  rld, thi
00000010: 73206973 20746578  s is tex
00000018: 740a0001 c3a97f09  t.......
$ xxd -g 0 a
00000000: 68656c6c6f20776f726c642c20746869  hello world, thi
00000010: 7320697320746578740a0001c3a97f09  s is text.......
$ xxd -g 99999999999 -l 20 a
00000000: 68656c6c6f20776f726c642c20746869  hello world, thi
00000010: 73206973                          s is
$ xxd -g -1 -l 5 a
00000000: 6865 6c6c 6f                             hello
$ xxd -e -g 4294967296 -l 5 a
00000000:                       6f6c6c6568  hello
$ xxd -l 5 a
00000000: 6865 6c6c 6f                             hello
$ xxd -s 6 -l 5 a
00000006: 776f 726c 64                             world
$ xxd -b < 'abcdefgh'
00000000: 01100001 01100010 01100011 01100100 01100101 01100110  abcdef
00000006: 01100111 01101000                                      gh
$ xxd -i < 'abc'
  0x61, 0x62, 0x63
$ xxd -i a
unsigned char a[] = {
  0x68, 0x65, 0x6c, 0x6c, 0x6f, 0x20, 0x77, 0x6f, 0x72, 0x6c, 0x64, 0x2c,
  0x20, 0x74, 0x68, 0x69, 0x73, 0x20, 0x69, 0x73, 0x20, 0x74, 0x65, 0x78,
  0x74, 0x0a, 0x00, 0x01, 0xc3, 0xa9, 0x7f, 0x09
};
unsigned int a_len = 32;
$ xxd -e < 'abcdefgh'
00000000: 64636261 68676665                    abcdefgh
$ xxd -a z
00000000: 0000 0000 0000 0000 0000 0000 0000 0000  ................
*
00000040: 78                                       x
$ xxd z
00000000: 0000 0000 0000 0000 0000 0000 0000 0000  ................
00000010: 0000 0000 0000 0000 0000 0000 0000 0000  ................
00000020: 0000 0000 0000 0000 0000 0000 0000 0000  ................
00000030: 0000 0000 0000 0000 0000 0000 0000 0000  ................
00000040: 78                                       x
$ xxd -r < '00000000: 6865 6c6c 6f0a                           hello.\\n'
hello
$ xxd -r -p < '68656c6c6f0a'
hello
$ xxd -p -c 5 a
68656c6c6f
20776f726c
642c207468
6973206973
2074657874
0a0001c3a9
7f09
$ xxd -r -p < '68 65 6c\\n6c6f0a'
hello
$ xxd -r < '0000003: 4142  AB\\n'
\x00\x00\x00AB
$ xxd nope
! xxd: nope: No such file or directory
[2]
$ xxd < ''
$ xxd -o 16 < 'ab'
00000010: 6162                                     ab
$ xxd -d < 'ab'
00000000: 6162                                     ab
""",
}


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS.keys())
def test_behaves_as_the_manual_says(replay, transcript):
    replay(transcript)
