"""find: tests, operators, actions and messages."""

import re

import pytest

TRANSCRIPTS = {
    "names": r"""
$ > d/a.txt 'hello'
$ > d/b.TXT ''
$ > d/sub/c.txt 'xxxx'
$ > d/sub/deep/e.md 'y'
$ mkdir d/none
$ ln -s a.txt d/link
$ ln -s gone d/broken
$ touch -h -d '2020-01-02 03:04:05' d/a.txt d/b.TXT d/sub/c.txt d/sub/deep/e.md d/none d/link d/broken d/sub/deep d/sub d
$ find d -name a.txt
d/a.txt
$ find d -name '*.md'
d/sub/deep/e.md
$ find d -iname 'b*.txt'
d/b.TXT
$ find d/sub -type f -name '[ce]*' -path '*deep*'
d/sub/deep/e.md
$ find d -path 'd/sub/c*'
d/sub/c.txt
$ find d -regex '.*/c\.txt'
d/sub/c.txt
$ find d -regex '.*\(md\|TXT\)' -name 'e*'
d/sub/deep/e.md
$ find d -regextype posix-extended -regex '.*(md|foo)'
d/sub/deep/e.md
$ find d -iregex '.*B.txt'
d/b.TXT
$ find d -lname 'a*'
d/link
$ find d -wholename d/a.txt
d/a.txt
$ find d -regex 'd/[a]+.txt?'
d/a.txt
$ find d -name ''
$ find d -regextype bad -regex x
! find: Unknown regular expression type ‘bad’; valid types are ‘findutils-default’, ‘ed’, ‘emacs’, ‘gnu-awk’, ‘grep’, ‘posix-awk’, ‘awk’, ‘posix-basic’, ‘posix-egrep’, ‘egrep’, ‘posix-extended’, ‘posix-minimal-basic’, ‘sed’.
[1]
""",
    "kinds": """
$ > d/a.txt 'hello'
$ > d/b.TXT ''
$ > d/sub/c.txt 'xxxx'
$ > d/sub/deep/e.md 'y'
$ mkdir d/none
$ ln -s a.txt d/link
$ ln -s gone d/broken
$ touch -h -d '2020-01-02 03:04:05' d/a.txt d/b.TXT d/sub/c.txt d/sub/deep/e.md d/none d/link d/broken d/sub/deep d/sub d
$ find d -type l -name link
d/link
$ find d -type d -empty
d/none
$ find d -type f -empty
d/b.TXT
$ find d -xtype l
d/broken
$ find d -xtype f -name link
d/link
$ find -L d -type l
d/broken
$ find d -type d,l -name 'n*'
d/none
$ find d -type x
! find: Unknown argument to -type: x
[1]
$ find d -type ''
! find: Arguments to -type should contain at least one letter
[1]
$ find d -size 1 -name a.txt
d/a.txt
$ find d -size +4c -type f
d/a.txt
$ find d -size -1c -type f
d/b.TXT
$ find d -size 4c
d/sub/c.txt
d/broken
$ find d -size 1k -name c.txt
d/sub/c.txt
$ find d -size 1z
! find: invalid -size type `z'
[1]
$ find d -links 1 -name a.txt
d/a.txt
$ find d -samefile d/a.txt
d/a.txt
$ find d -perm 644 -name c.txt
d/sub/c.txt
$ find d -perm -u+w -name c.txt
d/sub/c.txt
$ find d -perm /111 -type f
$ find d -perm zz
! find: invalid mode ‘zz’
[1]
$ find d -user nosuch
! find: ‘nosuch’ is not the name of a known user
[1]
$ find d -newer d/nope
! find: ‘d/nope’: No such file or directory
[1]
$ find d -newermt 2021-01-01
$ find d -newermt 2019-01-01 -name a.txt
d/a.txt
$ find d -newermt foo
! find: I cannot figure out how to interpret ‘foo’ as a date or time
[1]
$ find d -newer d/a.txt
$ find d -mtime +1 -name a.txt
d/a.txt
$ find d -mtime -1
$ find d -mmin +5 -name c.txt
d/sub/c.txt
$ find d -mtime x
! find: invalid argument `x' to `-mtime'
[1]
$ find d -readable -name a.txt
d/a.txt
$ find d -executable -type f
$ find d -inum x
! find: invalid argument `x' to `-inum'
[1]
""",
    "operators": r"""
$ > d/a.txt 'hello'
$ > d/b.TXT ''
$ > d/sub/c.txt 'xxxx'
$ > d/sub/deep/e.md 'y'
$ mkdir d/none
$ ln -s a.txt d/link
$ ln -s gone d/broken
$ touch -h -d '2020-01-02 03:04:05' d/a.txt d/b.TXT d/sub/c.txt d/sub/deep/e.md d/none d/link d/broken d/sub/deep d/sub d
$ find d -name a.txt -o -name c.txt
d/a.txt
d/sub/c.txt
$ find d ! -type d ! -type l -name 'a*'
d/a.txt
$ find d -not -name '*'
$ find d \( -name a.txt -o -name zzz \) -print
d/a.txt
$ find d -name a.txt -print -o -name c.txt
d/a.txt
$ find d -name a.txt , -name c.txt -print
d/sub/c.txt
$ find d -type f -a -name a.txt -and -true
d/a.txt
$ find d -false
$ find d -name a.txt -o
! find: expected an expression after '-o'
[1]
$ find d -o -name x
! find: invalid expression; you have used a binary operator '-o' with nothing before it.
[1]
$ find d \( -name x
! find: invalid expression; I was expecting to find a ')' somewhere but did not see one.
[1]
$ find d \( \)
! find: invalid expression; empty parentheses are not allowed.
[1]
$ find d -name x \)
! find: you have too many ')'
[1]
$ find d !
! find: expected an expression after '!'
[1]
$ find d -name
! find: missing argument to `-name'
[1]
$ find d -foo
! find: unknown predicate `-foo'
[1]
$ find d -name a.txt extra
! find: paths must precede expression: `extra'
[1]
$ find d -maxdepth x
! find: Expected a positive decimal integer argument to -maxdepth, but got ‘x’
[1]
$ find d -a -name x
! find: invalid expression; you have used a binary operator '-a' with nothing before it.
[1]
$ find d -name a.txt -o -o -name b
! find: invalid expression; you have used a binary operator '-o' with nothing before it.
[1]
$ find nope d/none
d/none
! find: ‘nope’: No such file or directory
[1]
$ find ''
! find: ‘’: No such file or directory
[1]
$ find d/a.txt
d/a.txt
$ find d/a.txt/
! find: ‘d/a.txt/’: Not a directory
[1]
""",
    "walking": """
$ > d/a.txt 'hello'
$ > d/b.TXT ''
$ > d/sub/c.txt 'xxxx'
$ > d/sub/deep/e.md 'y'
$ mkdir d/none
$ ln -s a.txt d/link
$ ln -s gone d/broken
$ touch -h -d '2020-01-02 03:04:05' d/a.txt d/b.TXT d/sub/c.txt d/sub/deep/e.md d/none d/link d/broken d/sub/deep d/sub d
$ find d -maxdepth 0
d
$ find d -mindepth 3
d/sub/deep/e.md
$ find d/sub
d/sub
d/sub/c.txt
d/sub/deep
d/sub/deep/e.md
$ find d/sub -depth
d/sub/c.txt
d/sub/deep/e.md
d/sub/deep
d/sub
$ find d/sub/
d/sub/
d/sub/c.txt
d/sub/deep
d/sub/deep/e.md
$ find d/sub -mindepth 1 -maxdepth 1 -type d
d/sub/deep
$ find d -path d/sub -prune -o -name '*.txt' -print
d/a.txt
$ find d -name sub -prune
d/sub
$ find d/sub -name deep -prune -o -print
d/sub
d/sub/c.txt
$ find d -name a.txt -quit
$ find d -name sub -print -quit
d/sub
$ find d/link/
! find: ‘d/link/’: Not a directory
[1]
$ find -H d/link
d/link
$ find d/sub d/none
d/sub
d/sub/c.txt
d/sub/deep
d/sub/deep/e.md
d/none
$ find d/sub/deep/.. -name e.md
d/sub/deep/../deep/e.md
""",
    "actions": """
$ > d/a.txt 'hello'
$ > d/b.TXT ''
$ > d/sub/c.txt 'xxxx'
$ > d/sub/deep/e.md 'y'
$ mkdir d/none
$ ln -s a.txt d/link
$ ln -s gone d/broken
$ touch -h -d '2020-01-02 03:04:05' d/a.txt d/b.TXT d/sub/c.txt d/sub/deep/e.md d/none d/link d/broken d/sub/deep d/sub d
$ find d/sub -print0
d/sub\x00d/sub/c.txt\x00d/sub/deep\x00d/sub/deep/e.md\x00
$ find d -name a.txt -exec basename {} ;
a.txt
$ find d -name a.txt -exec basename {} .txt ;
a
$ find d/sub -type f -exec basename -a {} +
c.txt
e.md
$ find d -name a.txt -exec false ; -print
$ find d -name a.txt -exec true ; -print
d/a.txt
$ find d -name a.txt -exec false {} +
[1]
$ find d -name a.txt -exec nosuchcmd {} ;
! find: ‘nosuchcmd’: No such file or directory
$ find d -name a.txt -exec
! find: missing argument to `-exec'
[1]
$ find d -name a.txt -exec basename {}
! find: missing argument to `-exec'
[1]
$ find d -name a.txt -exec ;
! find: invalid argument `;' to `-exec'
[1]
$ find d -name a.txt -ok basename {} ; < 'y\\n'
a.txt
! < basename ... d/a.txt > ?\x20
$ find d -name a.txt -ok basename {} ; < 'n\\n'
! < basename ... d/a.txt > ?\x20
$ find d/sub -name deep -delete
! find: cannot delete ‘d/sub/deep’: Directory not empty
[1]
$ find d/sub -type f -name c.txt -delete
$ find d/sub
d/sub
d/sub/deep
d/sub/deep/e.md
$ find d/sub -delete
$ find d -name sub
$ find d -name a.txt -execdir basename {} ;
a.txt
$ find d -name a.txt -fprint out
$ cat out
d/a.txt
$ find d/none -delete -print
d/none
$ find d -name nosuch -prune -o -name nosuch -delete
! find: The -delete action automatically turns on -depth, but -prune does nothing when -depth is in effect.  If you want to \
carry on anyway, just explicitly use the -depth option.
[1]
$ find d -name nosuch -prune -o -name nosuch -delete -o -depth -name a.txt -print
d/a.txt
$ find d -name a.txt -exec basename x{}y ;
a.txty
""",
    "printf": """
$ > d/a.txt 'hello'
$ > d/b.TXT ''
$ > d/sub/c.txt 'xxxx'
$ > d/sub/deep/e.md 'y'
$ mkdir d/none
$ ln -s a.txt d/link
$ ln -s gone d/broken
$ touch -h -d '2020-01-02 03:04:05' d/a.txt d/b.TXT d/sub/c.txt d/sub/deep/e.md d/none d/link d/broken d/sub/deep d/sub d
$ find d -name a.txt -printf '%p|%f|%h|%P|%H|%d|%s|%m|%M|%y|%Y|%l|%n\\n'
d/a.txt|a.txt|d|a.txt|d|1|5|644|-rw-r--r--|f|f||1
$ find d -name link -printf '%p %l %y %Y\\n'
d/link a.txt l f
$ find d -name broken -printf '%p %l %y %Y\\n'
d/broken gone l N
$ find d -name a.txt -printf '%t|%T@|%TY-%Tm-%Td %TH:%TM:%TS|%T+|%Tc\\n'
Thu Jan  2 03:04:05.0000000000 2020|1577934245.0000000000|2020-01-02 03:04:05.0000000000|2020-01-02+03:04:05.0000000000|Thu Jan  2 03:04:05 2020
$ find d -maxdepth 0 -printf '%p|%f|%h|%P|%d\\n'
d|d|.||0
$ find d/ -maxdepth 0 -printf '%p|%f|%h|%P\\n'
d/|d/|d|
$ find / -maxdepth 0 -printf '%p|%f|%h|%P\\n'
/|/||
$ find d -name a.txt -printf '[%10s][%-10f][%.2f][%05d]'
[         5][a.txt     ][a.][00001]
$ find d -name a.txt -printf '\\x\\101\\t%%\\\\%q\\n'
\\xA\t%\\%q
! find: warning: unrecognized escape `\\x'
! find: warning: unrecognized format directive `%q'
$ find d -name a.txt -printf 'a\\cb'
a
$ find d -name a.txt -printf '%k %b\\n' -quit
4 8
$ find d -name a.txt -printf '%#m %s\\n'
0644 5
$ find d -name a.txt -printf '%u %g %U %G\\n'
user user 1000 1000
$ find d -name a.txt -printf '[%Bc|%BY]\\n'
[|]
""",
}


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS.keys())
def test_behaves_as_the_manual_says(replay, transcript):
    replay(transcript)


def test_listing_order_is_that_of_creation(utility):
    for name in ("z", "a", "m"):
        utility.write(f"d/{name}", "")
    assert utility("find", "d").stdout == "d\nd/z\nd/a\nd/m\n"


def test_ls_shows_what_ls_would(utility):
    utility.write("f", "hello")
    utility("touch", "-d", "2020-01-02", "f")
    assert re.fullmatch(r" +\d+ +4 -rw-r--r-- +1 user +user +5 Jan  2  2020 f\n", utility("find", "f", "-ls").stdout)


def test_deep_trees_do_not_recurse(utility):
    utility.fs.makedirs("/" + "x/" * 400)
    assert utility("find", "/x", "-name", "y").status == 0
