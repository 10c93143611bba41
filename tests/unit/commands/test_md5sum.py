"""md5sum: printing and checking."""

import pytest

TRANSCRIPTS = {
    "printing": """
$ > a 'hello\\n'
$ > b ''
$ > 'c d' 'x'
$ md5sum a b 'c d'
b1946ac92492d2347c6235b4d2611184  a
d41d8cd98f00b204e9800998ecf8427e  b
9dd4e461268c8034f5c8564e155c67a6  c d
$ md5sum < 'hello\\n'
b1946ac92492d2347c6235b4d2611184  -
$ md5sum -b a
b1946ac92492d2347c6235b4d2611184 *a
$ md5sum --tag a
MD5 (a) = b1946ac92492d2347c6235b4d2611184
$ md5sum nope a
b1946ac92492d2347c6235b4d2611184  a
! md5sum: nope: No such file or directory
[1]
$ md5sum -z a b
b1946ac92492d2347c6235b4d2611184  a\x00d41d8cd98f00b204e9800998ecf8427e  b\x00
$ md5sum - < 'x'
9dd4e461268c8034f5c8564e155c67a6  -
$ md5sum --quiet a
! md5sum: the --quiet option is meaningful only when verifying checksums
! Try 'md5sum --help' for more information.
[1]
$ md5sum .
! md5sum: .: Is a directory
[1]
""",
    "checking": r"""
$ > a 'hello\n'
$ > b ''
$ > 'c d' 'x'
$ > sums 'b1946ac92492d2347c6235b8d8e8b7d1  a\nd41d8cd98f00b204e9800998ecf8427e  b\n# remark\nbad line\nb1946ac92492d2347c6235b8d8e8b7d1  missing\n'
$ > good 'b1946ac92492d2347c6235b184d2819f  a\n'
$ > tagged 'MD5 (b) = d41d8cd98f00b204e9800998ecf8427e\n'
$ > none 'nothing here\n'
$ md5sum -c sums
a: FAILED
b: OK
missing: FAILED open or read
! md5sum: missing: No such file or directory
! md5sum: WARNING: 1 line is improperly formatted
! md5sum: WARNING: 1 listed file could not be read
! md5sum: WARNING: 1 computed checksum did NOT match
[1]
$ md5sum -c --quiet sums
a: FAILED
missing: FAILED open or read
! md5sum: missing: No such file or directory
! md5sum: WARNING: 1 line is improperly formatted
! md5sum: WARNING: 1 listed file could not be read
! md5sum: WARNING: 1 computed checksum did NOT match
[1]
$ md5sum -c --status sums
! md5sum: missing: No such file or directory
[1]
$ md5sum -c -w sums
a: FAILED
b: OK
missing: FAILED open or read
! md5sum: sums: 4: improperly formatted MD5 checksum line
! md5sum: missing: No such file or directory
! md5sum: WARNING: 1 line is improperly formatted
! md5sum: WARNING: 1 listed file could not be read
! md5sum: WARNING: 1 computed checksum did NOT match
[1]
$ md5sum -c --ignore-missing sums
a: FAILED
b: OK
! md5sum: WARNING: 1 line is improperly formatted
! md5sum: WARNING: 1 computed checksum did NOT match
[1]
$ md5sum -c tagged
b: OK
$ md5sum --strict -c tagged
b: OK
$ md5sum -c none
! md5sum: none: no properly formatted checksum lines found
[1]
$ md5sum -c nope
! md5sum: nope: No such file or directory
[1]
$ md5sum -c < 'd41d8cd98f00b204e9800998ecf8427e *b\n'
b: OK
$ md5sum -c --tag x
! md5sum: the --tag option is meaningless when verifying checksums
! Try 'md5sum --help' for more information.
[1]
""",
}


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS.keys())
def test_behaves_as_the_manual_says(replay, transcript):
    replay(transcript)
