"""stat: formats, terse output and what is missing."""

import re

import pytest

TRANSCRIPTS = {
    "formats": """
$ > f 'hello'
$ touch -d @1.5 f
$ chmod 4755 f
$ mkdir -m 1777 d
$ ln -s f link
$ stat -c '%a %A %n %s %F %h %B %o %X %x %Y %y' f
4755 -rwsr-xr-x f 5 regular file 1 512 4096 1 1970-01-01 00:00:01.500000000 +0000 1 1970-01-01 00:00:01.500000000 +0000
$ stat -c '%a|%A|%F|%N' f d link
4755|-rwsr-xr-x|regular file|'f'
1777|drwxrwxrwt|directory|'d'
777|lrwxrwxrwx|symbolic link|'link' -> 'f'
$ stat -L -c '%F %s' link
regular file 5
$ stat -c '%04a|%#a|%f|%#f|%10s|%-10s|%010s|%.3n|%5.2n|%+s' f
4755|04755|89ed|0x89ed|         5|5         |0000000005|f|    f|+5
$ stat -c '%Y|%.Y|%.3Y|%.0Y|%15.2Y|%%|%q' f
1|1.500000000|1.500|1|           1.50|%|?
$ stat --printf '%n\\t%s\\n\\x41\\101X' f
f\t5
AAX
$ stat --format=%s f
5
$ stat nope
! stat: cannot statx 'nope': No such file or directory
[1]
$ stat -c %s f nope f
5
5
! stat: cannot statx 'nope': No such file or directory
[1]
$ stat
! stat: missing operand
! Try 'stat --help' for more information.
[1]
$ stat -c %b f
8
$ stat -f -c '%T %s' f
tmpfs 4096
$ stat -c "%N" "a b"
! stat: cannot statx 'a b': No such file or directory
[1]
$ touch "a'b" 'c d'
$ stat -c %N "a'b" 'c d'
"a'b"
'c d'
""",
}


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS.keys())
def test_behaves_as_the_manual_says(replay, transcript):
    replay(transcript)


def test_default_display(utility):
    utility.write("f", "hello")
    utility("touch", "-d", "@0", "f")
    assert re.fullmatch(
        r"  File: f\n  Size: 5         \tBlocks: 8          IO Block: 4096   regular file\nDevice: 0,48\tInode: \d+ +Links: 1\n"
        r"Access: \(0644/-rw-r--r--\)  Uid: \( 1000/    user\)   Gid: \( 1000/    user\)\n"
        r"Access: 1970-01-01 00:00:00.000000000 \+0000\nModify: 1970-01-01 00:00:00.000000000 \+0000\nChange: .*\n Birth: -\n",
        utility("stat", "f").stdout,
    )
    assert re.fullmatch(r"f 5 8 81a4 1000 1000 30 \d+ 1 0 0 0 0 \d+ 0 4096\n", utility("stat", "-t", "f").stdout)
