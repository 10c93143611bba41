"""cp: files, trees, links and what is preserved."""

import pytest

TRANSCRIPTS = {
    "files": """
$ > a 'hello'
$ > b 'x'
$ mkdir d
$ cp a c
$ cat c
hello
$ cp a b d
$ ls d
a
b
$ cp -v a d/z
'a' -> 'd/z'
$ cp nope c
! cp: cannot stat 'nope': No such file or directory
[1]
$ cp a nodir/x
! cp: cannot create regular file 'nodir/x': No such file or directory
[1]
$ cp a b nope
! cp: target 'nope': No such file or directory
[1]
$ cp a nodir/
! cp: cannot create regular file 'nodir/': Not a directory
[1]
$ cp a
! cp: missing destination file operand after 'a'
! Try 'cp --help' for more information.
[1]
$ cp
! cp: missing file operand
! Try 'cp --help' for more information.
[1]
$ cp d e
! cp: -r not specified; omitting directory 'd'
[1]
$ cp a a
! cp: 'a' and 'a' are the same file
[1]
$ cp a ./a
! cp: 'a' and './a' are the same file
[1]
$ cp -r a c
$ cp -t d c
$ cp -t nope c
! cp: target directory 'nope': No such file or directory
[1]
$ cp -T a d
! cp: cannot overwrite directory 'd' with non-directory
[1]
$ cp -T a
! cp: missing destination file operand after 'a'
! Try 'cp --help' for more information.
[1]
$ cp a b c
! cp: target 'c': Not a directory
[1]
$ cp -n b c
$ cat c
hello
$ cp -i b c < 'n\\n'
! cp: overwrite 'c'?\x20
$ cp -i b c < 'y\\n'
! cp: overwrite 'c'?\x20
$ cat c
x
$ cp a d c b
! cp: target 'b': Not a directory
[1]
$ cp d/a d/../a
$ cp a d/a/x
! cp: cannot stat 'd/a/x': Not a directory
[1]
$ cp -b a c
$ ls
a
b
c
c~
d
$ cp --backup=numbered a c
$ cp --backup=numbered -v a c
'a' -> 'c' (backup: 'c.~2~')
$ ls
a
b
c
c.~1~
c.~2~
c~
d
$ cp -S .bak a b
$ ls
a
b
b.bak
c
c.~1~
c.~2~
c~
d
$ cp d/a a d
! cp: 'd/a' and 'd/a' are the same file
[1]
$ cp '' x
! cp: cannot stat '': No such file or directory
[1]
$ cp -z a b
! cp: invalid option -- 'z'
! Try 'cp --help' for more information.
[1]
$ cp -l a hard
$ stat -c %h hard
2
$ cp -s a soft
$ readlink soft
a
$ cp -s a d/soft
! cp: d/soft: can make relative symbolic links only in current directory
[1]
$ cp --parents d/a nope
! cp: with --parents, the destination must be a directory
! Try 'cp --help' for more information.
[1]
$ mkdir p
$ cp --parents d/a p
$ ls -R p
p:
d

p/d:
a
$ cp --parents -v d/b p
'd/b' -> 'p/d/b'
$ cp --preserve=bad a b
! cp: invalid argument ‘bad’ for ‘--preserve’
! Valid arguments are:
!   - ‘mode’
!   - ‘timestamps’
!   - ‘ownership’
!   - ‘links’
!   - ‘context’
!   - ‘xattr’
!   - ‘all’
! Try 'cp --help' for more information.
[1]
""",
    "trees": """
$ > d/e/f '1'
$ > d/g '2'
$ ln -s g d/l
$ ln -s nowhere d/m
$ cp -r d x
$ ls -R x
x:
e
g
l
m

x/e:
f
$ cp -rv d y
'd' -> 'y'
'd/e' -> 'y/e'
'd/e/f' -> 'y/e/f'
'd/g' -> 'y/g'
'd/l' -> 'y/l'
'd/m' -> 'y/m'
$ cp -r d x
$ ls x
d
e
g
l
m
$ cp -rT d x
$ ls x
d
e
g
l
m
$ cp -r d d
! cp: cannot copy a directory, 'd', into itself, 'd/d'
[1]
$ cp -a d z
$ readlink z/l
g
$ cp -rL d q
! cp: cannot stat 'd/m': No such file or directory
! cp: cannot stat 'd/d/m': No such file or directory
[1]
$ cp -r d/. w
$ ls w
d
e
g
l
m
$ cp -R d g
$ > file ''
$ cp -r d file
! cp: cannot overwrite non-directory 'file' with directory 'd'
[1]
$ mkdir -p h/g
$ cp -r d/g h
! cp: cannot overwrite directory 'h/g' with non-directory
[1]
$ cp d/l link
$ cat link
2
$ cp -P d/l link2
$ readlink link2
g
$ cp -d d/m m2
$ readlink m2
nowhere
$ cp d/m m3
! cp: cannot stat 'd/m': No such file or directory
[1]
$ cp -rs d s
! cp: s/e/f: can make relative symbolic links only in current directory
! cp: s/g: can make relative symbolic links only in current directory
! cp: s/l: can make relative symbolic links only in current directory
! cp: s/m: can make relative symbolic links only in current directory
! cp: s/d/e/f: can make relative symbolic links only in current directory
! cp: s/d/g: can make relative symbolic links only in current directory
! cp: s/d/l: can make relative symbolic links only in current directory
! cp: s/d/m: can make relative symbolic links only in current directory
[1]
$ cp a/ b
! cp: cannot stat 'a/': No such file or directory
[1]
$ cp file m2
! cp: not writing through dangling symlink 'm2'
[1]
$ cp -r d/ trail
$ ls trail
d
e
g
l
m
$ cp --remove-destination file d/l
$ cp -r d d/e
! cp: cannot copy a directory, 'd', into itself, 'd/e/d'
[1]
""",
    "attributes": """
$ > a 'x'
$ touch -d @1000 a
$ chmod 754 a
$ cp a b
$ stat -c %a b
754
$ cp -p a c
$ stat -c '%a %Y' c
754 1000
$ mkdir -m 700 d
$ > d/x ''
$ touch -d @500 d/x d
$ cp -a d e
$ stat -c '%a %Y' e e/x
700 500
644 500
$ cp -r d f
$ stat -c '%a' f
700
$ > old 'old'
$ touch -d @1 old
$ cp -u old a
$ cat a
x
$ touch -d @2000 old
$ cp -u old a
$ cat a
old
$ cp --attributes-only -p c g
$ stat -c '%s %a %Y' g
0 754 1000
$ ln a a2
$ mkdir h
$ cp -a a a2 h
$ stat -c %h h/a
2
$ cp --preserve=timestamps c k
$ stat -c '%a %Y' k
754 1000
$ cp --no-preserve=mode -p c n
$ stat -c '%a %Y' n
754 1000
""",
}


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS.keys())
def test_behaves_as_the_manual_says(replay, transcript):
    replay(transcript)
