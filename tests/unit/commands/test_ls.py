"""ls: forms, orders and columns."""

import pytest

TRANSCRIPTS = {
    "names": """
$ > b 'x'
$ > a 'hello'
$ > .h ''
$ > d/e/f ''
$ > d/g ''
$ > '~x' ''
$ > 'a b' ''
$ ls
a
a b
b
d
~x
$ ls -a
.
..
.h
a
a b
b
d
~x
$ ls -A
.h
a
a b
b
d
~x
$ ls -1 d
e
g
$ ls a b nope
a
b
! ls: cannot access 'nope': No such file or directory
[2]
$ ls nope
! ls: cannot access 'nope': No such file or directory
[2]
$ ls d a
a

d:
e
g
$ ls d d/e
d:
e
g

d/e:
f
$ ls -R
.:
a
a b
b
d
~x

./d:
e
g

./d/e:
f
$ ls -Rd .
.
$ ls -d d a
a
d
$ ls -r
~x
d
b
a b
a
$ ls -F
a
a b
b
d/
~x
$ ls -p
a
a b
b
d/
~x
$ ls -m
a, a b, b, d, ~x
$ ls -C
a  a b\tb  d  ~x
$ ls -x
a  a b\tb  d  ~x
$ ls -Q
"a"
"a b"
"b"
"d"
"~x"
$ ls -b
a
a\\ b
b
d
~x
$ ls --quoting-style=shell
a
'a b'
b
d
'~x'
$ ls -I 'a*'
b
d
~x
$ ls --hide='a*'
b
d
~x
$ ls -B
a
a b
b
d
~x
$ ls --zero
a\x00a b\x00b\x00d\x00~x\x00
$ ls -A d
e
g
$ ls /nope/x a/x
! ls: cannot access '/nope/x': No such file or directory
! ls: cannot access 'a/x': Not a directory
[2]
$ ls --sort=x
! ls: invalid argument ‘x’ for ‘--sort’
! Valid arguments are:
!   - ‘none’
!   - ‘time’
!   - ‘size’
!   - ‘extension’
!   - ‘version’
!   - ‘width’
! Try 'ls --help' for more information.
[1]
$ ls -y
! ls: invalid option -- 'y'
! Try 'ls --help' for more information.
[2]
$ ls --colour
! ls: unrecognized option '--colour'
! Try 'ls --help' for more information.
[2]
$ ls --color=never
a
a b
b
d
~x
$ ls --color=auto a
a
$ ls -w x
! ls: invalid line width: ‘x’
[2]
$ ls -U d
e
g
$ ls d/
e
g
$ ls ''
! ls: cannot access '': No such file or directory
[2]
""",
    "orders": """
$ > a1 'xxx'
$ > a10 'x'
$ > a2 'xx'
$ > b.c ''
$ > c.b 'xxxxx'
$ touch -d @100 a1
$ touch -d @300 a2
$ touch -d @200 a10
$ touch -d @50 b.c c.b
$ ls -t
a2
a10
a1
b.c
c.b
$ ls -tr
c.b
b.c
a1
a10
a2
$ ls -S
c.b
a1
a2
a10
b.c
$ ls -Sr
b.c
a10
a2
a1
c.b
$ ls -v
a1
a2
a10
b.c
c.b
$ ls -X
a1
a10
a2
c.b
b.c
$ ls --sort=width
a1
a2
a10
b.c
c.b
$ ls --sort=time
a2
a10
a1
b.c
c.b
$ ls -tc a1
a1
$ mkdir zd
$ touch -d @1 zd
$ ls --group-directories-first
zd
a1
a10
a2
b.c
c.b
$ ls -r --group-directories-first
zd
c.b
b.c
a2
a10
a1
$ ls -Q a1 a2
"a1"
"a2"
$ ls -ut
a2
a10
a1
b.c
c.b
zd
""",
    "long": """
$ > f 'hello'
$ > big 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'
$ mkdir d
$ ln -s f l
$ ln -s nowhere m
$ ln -s d k
$ touch -h -d '2020-01-02 03:04' f big d l m k
$ chmod 755 f
$ chmod 1777 d
$ ls -l f
-rwxr-xr-x 1 user user 5 Jan  2  2020 f
$ ls -l f d
-rwxr-xr-x 1 user user    5 Jan  2  2020 f

d:
total 0
$ ls -ld d f k
drwxrwxrwt 2 user user 4096 Jan  2  2020 d
-rwxr-xr-x 1 user user    5 Jan  2  2020 f
lrwxrwxrwx 1 user user    1 Jan  2  2020 k -> d
$ ls -lh big
-rw-r--r-- 1 user user 4.9K Jan  2  2020 big
$ ls -l l m
lrwxrwxrwx 1 user user 1 Jan  2  2020 l -> f
lrwxrwxrwx 1 user user 7 Jan  2  2020 m -> nowhere
$ ls -lF l m k
lrwxrwxrwx 1 user user 1 Jan  2  2020 k -> d/
lrwxrwxrwx 1 user user 1 Jan  2  2020 l -> f*
lrwxrwxrwx 1 user user 7 Jan  2  2020 m -> nowhere
$ ls -g f
-rwxr-xr-x 1 user 5 Jan  2  2020 f
$ ls -o f
-rwxr-xr-x 1 user 5 Jan  2  2020 f
$ ls -lG f
-rwxr-xr-x 1 user 5 Jan  2  2020 f
$ ls -l --time-style=long-iso f
-rwxr-xr-x 1 user user 5 2020-01-02 03:04 f
$ ls -l --time-style=full-iso f
-rwxr-xr-x 1 user user 5 2020-01-02 03:04:00.000000000 +0000 f
$ ls -l --time-style=iso f
-rwxr-xr-x 1 user user 5 2020-01-02  f
$ ls -l --time-style=+%s f
-rwxr-xr-x 1 user user 5 1577934240 f
$ ls --full-time f
-rwxr-xr-x 1 user user 5 2020-01-02 03:04:00.000000000 +0000 f
$ ls -l --time-style=bad f
! ls: invalid argument ‘bad’ for ‘time style’
! Valid arguments are:
!   - [posix-]full-iso
!   - [posix-]long-iso
!   - [posix-]iso
!   - [posix-]locale
!   - +FORMAT (e.g., +%H:%M) for a 'date'-style format
! Try 'ls --help' for more information.
[2]
$ ls -n f
-rwxr-xr-x 1 1000 1000 5 Jan  2  2020 f
$ ls -L -l l
-rwxr-xr-x 1 user user 5 Jan  2  2020 l
$ ls -H -l l
-rwxr-xr-x 1 user user 5 Jan  2  2020 l
$ ls k
$ ls -l k
lrwxrwxrwx 1 user user 1 Jan  2  2020 k -> d
$ ls -F
big
d/
f*
k@
l@
m@
$ ls --file-type
big
d/
f
k@
l@
m@
$ ls --color=always
big
\x1b[0m\x1b[30;42md\x1b[0m
\x1b[01;32mf\x1b[0m
\x1b[01;36mk\x1b[0m
\x1b[01;36ml\x1b[0m
\x1b[01;36mm\x1b[0m
$ ls -l --block-size=K big
-rw-r--r-- 1 user user 5K Jan  2  2020 big
$ ls -l --si big
-rw-r--r-- 1 user user 5.0k Jan  2  2020 big
$ ls -l
total 16
-rw-r--r-- 1 user user 5000 Jan  2  2020 big
drwxrwxrwt 2 user user 4096 Jan  2  2020 d
-rwxr-xr-x 1 user user    5 Jan  2  2020 f
lrwxrwxrwx 1 user user    1 Jan  2  2020 k -> d
lrwxrwxrwx 1 user user    1 Jan  2  2020 l -> f
lrwxrwxrwx 1 user user    7 Jan  2  2020 m -> nowhere
$ ls -la
total 24
drwxr-xr-x 3 user user 4096 Nov 14 22:13 .
drwxr-xr-x 3 user user 4096 Nov 14 22:13 ..
-rw-r--r-- 1 user user 5000 Jan  2  2020 big
drwxrwxrwt 2 user user 4096 Jan  2  2020 d
-rwxr-xr-x 1 user user    5 Jan  2  2020 f
lrwxrwxrwx 1 user user    1 Jan  2  2020 k -> d
lrwxrwxrwx 1 user user    1 Jan  2  2020 l -> f
lrwxrwxrwx 1 user user    7 Jan  2  2020 m -> nowhere
$ ls -s
total 16
8 big
4 d
4 f
0 k
0 l
0 m
$ ls -sh big
8.0K big
$ touch now
$ ls -l now
-rw-r--r-- 1 user user 0 Nov 14 22:13 now
""",
    "columns": """
$ > file0 ''
$ > file1x ''
$ > file2xx ''
$ > file3xxx ''
$ > file4xxxx ''
$ > file5xxxxx ''
$ > file6xxxxxx ''
$ > file7 ''
$ > file8x ''
$ > file9xx ''
$ > file10xxx ''
$ > file11xxxx ''
$ > file12xxxxx ''
$ > file13xxxxxx ''
$ > file14 ''
$ > file15x ''
$ > file16xx ''
$ > file17xxx ''
$ > file18xxxx ''
$ > file19xxxxx ''
$ > file20xxxxxx ''
$ > file21 ''
$ > file22x ''
$ > file23xx ''
$ > file24xxx ''
$ > file25xxxx ''
$ > file26xxxxx ''
$ > file27xxxxxx ''
$ > file28 ''
$ > file29x ''
$ ls -C
file0\t      file14\t  file19xxxxx\tfile23xx      file28\t file5xxxxx
file10xxx     file15x\t  file1x\tfile24xxx     file29x\t file6xxxxxx
file11xxxx    file16xx\t  file20xxxxxx\tfile25xxxx    file2xx\t file7
file12xxxxx   file17xxx   file21\tfile26xxxxx   file3xxx\t file8x
file13xxxxxx  file18xxxx  file22x\tfile27xxxxxx  file4xxxx  file9xx
$ ls -x
file0\t      file10xxx     file11xxxx\t file12xxxxx  file13xxxxxx  file14
file15x       file16xx\t    file17xxx\t file18xxxx   file19xxxxx   file1x
file20xxxxxx  file21\t    file22x\t file23xx     file24xxx     file25xxxx
file26xxxxx   file27xxxxxx  file28\t file29x      file2xx\t    file3xxx
file4xxxx     file5xxxxx    file6xxxxxx  file7\t      file8x\t    file9xx
$ ls -m
file0, file10xxx, file11xxxx, file12xxxxx, file13xxxxxx, file14, file15x,
file16xx, file17xxx, file18xxxx, file19xxxxx, file1x, file20xxxxxx, file21,
file22x, file23xx, file24xxx, file25xxxx, file26xxxxx, file27xxxxxx, file28,
file29x, file2xx, file3xxx, file4xxxx, file5xxxxx, file6xxxxxx, file7, file8x,
file9xx
$ ls -C -w 40
file0\t      file19xxxxx   file28
file10xxx     file1x\t    file29x
file11xxxx    file20xxxxxx  file2xx
file12xxxxx   file21\t    file3xxx
file13xxxxxx  file22x\t    file4xxxx
file14\t      file23xx\t    file5xxxxx
file15x       file24xxx     file6xxxxxx
file16xx      file25xxxx    file7
file17xxx     file26xxxxx   file8x
file18xxxx    file27xxxxxx  file9xx
$ ls -x -w 40
file0\t      file10xxx     file11xxxx
file12xxxxx   file13xxxxxx  file14
file15x       file16xx\t    file17xxx
file18xxxx    file19xxxxx   file1x
file20xxxxxx  file21\t    file22x
file23xx      file24xxx     file25xxxx
file26xxxxx   file27xxxxxx  file28
file29x       file2xx\t    file3xxx
file4xxxx     file5xxxxx    file6xxxxxx
file7\t      file8x\t    file9xx
$ ls -m -w 30
file0, file10xxx, file11xxxx,
file12xxxxx, file13xxxxxx,
file14, file15x, file16xx,
file17xxx, file18xxxx,
file19xxxxx, file1x,
file20xxxxxx, file21, file22x,
file23xx, file24xxx,
file25xxxx, file26xxxxx,
file27xxxxxx, file28, file29x,
file2xx, file3xxx, file4xxxx,
file5xxxxx, file6xxxxxx,
file7, file8x, file9xx
$ ls -C -T 0
file0         file14      file19xxxxx   file23xx      file28     file5xxxxx
file10xxx     file15x     file1x        file24xxx     file29x    file6xxxxxx
file11xxxx    file16xx    file20xxxxxx  file25xxxx    file2xx    file7
file12xxxxx   file17xxx   file21        file26xxxxx   file3xxx   file8x
file13xxxxxx  file18xxxx  file22x       file27xxxxxx  file4xxxx  file9xx
$ ls -w 0 -C
file0  file10xxx  file11xxxx  file12xxxxx  file13xxxxxx  file14  file15x  file16xx  file17xxx  file18xxxx  file19xxxxx  file1x  file20xxxxxx  file21  file22x  file23xx  file24xxx  file25xxxx  file26xxxxx  file27xxxxxx  file28  file29x  file2xx  file3xxx  file4xxxx  file5xxxxx  file6xxxxxx  file7  file8x  file9xx
$ ls -CF
file0\t      file14\t  file19xxxxx\tfile23xx      file28\t file5xxxxx
file10xxx     file15x\t  file1x\tfile24xxx     file29x\t file6xxxxxx
file11xxxx    file16xx\t  file20xxxxxx\tfile25xxxx    file2xx\t file7
file12xxxxx   file17xxx   file21\tfile26xxxxx   file3xxx\t file8x
file13xxxxxx  file18xxxx  file22x\tfile27xxxxxx  file4xxxx  file9xx
$ ls -C -w 10
file0
file10xxx
file11xxxx
file12xxxxx
file13xxxxxx
file14
file15x
file16xx
file17xxx
file18xxxx
file19xxxxx
file1x
file20xxxxxx
file21
file22x
file23xx
file24xxx
file25xxxx
file26xxxxx
file27xxxxxx
file28
file29x
file2xx
file3xxx
file4xxxx
file5xxxxx
file6xxxxxx
file7
file8x
file9xx
""",
}


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS.keys())
def test_behaves_as_the_manual_says(replay, transcript):
    replay(transcript, env={"TERM": "xterm"})


def test_names_are_links_for_a_terminal(utility):
    utility.write("d/é +", "")
    utility.fs.symlink("d/none", "/home/user/l")
    link = "\x1b]8;;file://sandbox/home/user/{}\a{}\x1b]8;;\a"
    below = f"{link.format('d', 'd')}:\n{link.format('d/%c3%a9%20%2b', 'é +')}\n"
    assert utility("ls", "--hyperlink", "d", "l").stdout == f"{link.format('d/none', 'l')}\n\n{below}"
    colored = utility("ls", "-d", "--hyperlink", "--color=always", "d", env={"TERM": "xterm"})
    assert colored.stdout == f"\x1b[0m\x1b[01;34m{link.format('d', 'd')}\x1b[0m\n"
