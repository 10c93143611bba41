"""gzip, gunzip and zcat: files in place, streams and refusals."""

import pytest

TRANSCRIPTS = {
    "files": """
$ > a 'hello hello hello hello\\n'
$ > b 'x'
$ gzip a
$ ls
a.gz
b
$ gzip -l a.gz
         compressed        uncompressed  ratio uncompressed_name
                 31                  24  54.2% a
$ gzip -t a.gz
$ gzip -tv a.gz
! a.gz:\t OK
$ zcat a.gz
hello hello hello hello
$ gzip -dc a.gz
hello hello hello hello
$ gunzip a.gz
$ cat a
hello hello hello hello
$ gzip -k a
$ gzip a
! gzip: a.gz already exists;\tnot overwritten
[2]
$ ls
a
a.gz
b
$ gzip -f a
$ ls
a.gz
b
$ gzip a.gz
! gzip: a.gz already has .gz suffix -- unchanged
$ gzip nope
! gzip: nope: No such file or directory
[1]
$ gunzip b
! gzip: b: unknown suffix -- ignored
[2]
$ gunzip nope
! gzip: nope.gz: No such file or directory
[1]
$ zcat b
!\x20
! gzip: b: unexpected end of file
[1]
$ zcat nope.gz
! gzip: nope.gz: No such file or directory
[1]
$ mkdir d
$ gzip d
! gzip: d is a directory -- ignored
[2]
$ > d/x 'x'
$ gzip -r d
$ ls d
x.gz
$ gunzip -r d
$ ls d
x
$ gzip -S .zz b
$ ls
a.gz
b.zz
d
$ gunzip -S .zz b.zz
$ > c 'abcabcabc'
$ gzip -v c
! c:\t 22.2% -- replaced with c.gz
$ gunzip -v c.gz
! c.gz:\t 22.2% -- replaced with c
$ gzip -kv c
! c:\t 22.2% -- created c.gz
$ gzip -q c
! gzip: c.gz already exists;\tnot overwritten
[2]
$ gunzip < 'junk'
!\x20
! gzip: stdin: not in gzip format
[1]
$ gunzip < ''
!\x20
! gzip: stdin: unexpected end of file
[1]
$ gzip -y c
! gzip: invalid option -- 'y'
! Try `gzip --help' for more information.
[1]
$ gzip -9 -n c -f
$ zcat c
abcabcabc
$ gunzip -k c.gz -f
""",
}


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS.keys())
def test_behaves_as_the_manual_says(replay, transcript):
    replay(transcript)


def test_round_trip_and_damage(utility):
    import gzip

    data = bytes(range(256)) * 1000
    utility.write("data", data)
    assert utility("gzip", "-k", "data").status == 0
    packed = utility.fs.read_file("/home/user/data.gz")
    assert gzip.decompress(packed) == data
    utility.write("cut.gz", packed[:-20])
    assert utility("gunzip", "cut.gz").stderr == "\ngzip: cut.gz: unexpected end of file\n"
    utility.write("two.gz", gzip.compress(b"one ") + gzip.compress(b"two"))
    assert utility("zcat", "two.gz").stdout == "one two"


def test_a_bomb_meets_the_budget(utility):
    import gzip

    import pytest

    from bashkit.errors import LimitExceededError

    utility.write("bomb.gz", gzip.compress(bytes(100 << 20)))
    with pytest.raises(LimitExceededError) as caught:
        utility("zcat", "bomb.gz")
    assert caught.value.name == "max_string_bytes"
