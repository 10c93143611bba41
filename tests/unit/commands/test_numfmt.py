"""numfmt: units, rounding, padding."""

import pytest

TRANSCRIPTS = {
    "converting": """
$ numfmt --to=iec 1024
1.0K
$ numfmt --to=iec 1023 1025 1000000 1536 10240
1023
1.1K
977K
1.5K
10K
$ numfmt --to=si 1000 1500 999 999999 12345678
1.0K
1.5K
999
1.0M
13M
$ numfmt --to=iec-i 1024 2048000
1.0Ki
2.0Mi
$ numfmt --from=iec 1K 2M 1.5G
1024
2097152
1610612736
$ numfmt --from=si 1K 2M 1.5k
1000
2000000
! numfmt: invalid suffix in input: ‘1.5k’
[2]
$ numfmt --from=iec-i 1Ki 2Mi
1024
2097152
$ numfmt --from=auto 1K 1Ki
1000
1024
$ numfmt 1K
! numfmt: rejecting suffix in input: ‘1K’ (consider using --from)
[2]
$ numfmt --from=iec-i 1K
! numfmt: missing 'i' suffix in input: ‘1K’ (e.g Ki/Mi/Gi)
[2]
$ numfmt --from=si 1Q
! numfmt: invalid suffix in input: ‘1Q’
[2]
$ numfmt x
! numfmt: invalid number: ‘x’
[2]
$ numfmt ''
! numfmt: invalid number: ‘’
[2]
$ numfmt 12.5
12.5
$ numfmt --to=si --round=nearest 1499 1549
1.5K
1.5K
$ numfmt --to=si --round=down 1999
1.9K
$ numfmt --to=si --round=up 1001
1.1K
$ numfmt --padding=10 --to=si 1000
      1.0K
$ numfmt --padding=-10 --to=si 1000
1.0K     \x20
$ numfmt --suffix=B --to=si 1000
1.0KB
$ numfmt --suffix=B 5B
5B
$ numfmt --format=%10.2f 3.14159
      3.15
$ numfmt --format='x%5fy' 3
x    3y
$ numfmt --format=%05f 42
00042
$ numfmt --format='%-5f|' 42
42   |
$ numfmt --format=%d 42
! numfmt: invalid format ‘%d’, directive must be %[0]['][-][N][.][N]f
[1]
$ numfmt --format=x 42
! numfmt: format ‘x’ has no % directive
[1]
$ numfmt --to=iec --format=%.3f 1500
1.465K
$ numfmt --field=2 --to=si < 'a 1000 b\\nc 2000000 d\\n'
a 1.0K b
c    2.0M d
$ numfmt -d, --field=2 --to=si < 'a,1000,b\\n'
a,1.0K,b
$ numfmt --field=2,3 --to=si < 'a 1000 2000\\n'
a 1.0K 2.0K
$ numfmt --header --to=si < 'size\\n1000\\n'
size
1.0K
$ numfmt --to=si < '1000\\nx\\n2000\\n'
1.0K
! numfmt: invalid number: ‘x’
[2]
$ numfmt --invalid=warn --to=si < '1000\\nx\\n2000\\n'
1.0K
x
2.0K
! numfmt: invalid number: ‘x’
$ numfmt --invalid=fail --to=si < '1000\\nx\\n2000\\n'
1.0K
x
2.0K
! numfmt: invalid number: ‘x’
[2]
$ numfmt --invalid=ignore --to=si < '1000\\nx\\n2000\\n'
1.0K
x
2.0K
$ numfmt --to-unit=1024 2048 1000
2
1
$ numfmt --from-unit=512 4
2048
$ numfmt --to=foo 1
! numfmt: invalid argument ‘foo’ for ‘--to’
! Valid arguments are:
!   - ‘none’
!   - ‘si’
!   - ‘iec’
!   - ‘iec-i’
! Try 'numfmt --help' for more information.
[1]
$ numfmt --to=iec -1500
! numfmt: invalid option -- '1'
! Try 'numfmt --help' for more information.
[1]
$ numfmt --to=si 9999 9950 99999
10K
10K
100K
$ numfmt --to=iec 1048575 1047552
1.0M
1023K
$ numfmt --field=x 1
! numfmt: invalid field value ‘x’
! Try 'numfmt --help' for more information.
[1]
$ numfmt --to=si < '  1000\\n'
  1.0K
""",
}


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS.keys())
def test_behaves_as_the_manual_says(replay, transcript):
    replay(transcript)
