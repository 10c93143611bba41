"""diff: output formats, options and directories."""

import pytest

TRANSCRIPTS = {
    "formats": """
$ > a 'one\\ntwo\\nthree\\nfour\\nfive\\nsix\\nseven\\neight\\nnine\\nten\\n'
$ > b 'one\\n2\\nthree\\nfour\\nfive\\nsix\\nseven\\neight\\nextra\\nnine\\nten\\n'
$ > c 'one\\ntwo\\nthree\\nfour\\nfive\\nsix\\nseven\\neight\\nnine\\nten'
$ > e ''
$ > bin 'a\\x00b'
$ touch -d '2024-01-02 03:04:05' a b c e bin
$ diff a a
$ diff a b
2c2
< two
---
> 2
8a9
> extra
[1]
$ diff -u a b
--- a\t2024-01-02 03:04:05.000000000 +0000
+++ b\t2024-01-02 03:04:05.000000000 +0000
@@ -1,10 +1,11 @@
 one
-two
+2
 three
 four
 five
 six
 seven
 eight
+extra
 nine
 ten
[1]
$ diff -c a b
*** a\t2024-01-02 03:04:05.000000000 +0000
--- b\t2024-01-02 03:04:05.000000000 +0000
***************
*** 1,10 ****
  one
! two
  three
  four
  five
  six
  seven
  eight
  nine
  ten
--- 1,11 ----
  one
! 2
  three
  four
  five
  six
  seven
  eight
+ extra
  nine
  ten
[1]
$ diff -q a b
Files a and b differ
[1]
$ diff -s a a
Files a and a are identical
$ > f 'x\\n'
$ diff -s -i -y -W 20 f - < 'X\\n'
x\tX
Files f and - are identical
$ diff -U1 a b
--- a\t2024-01-02 03:04:05.000000000 +0000
+++ b\t2024-01-02 03:04:05.000000000 +0000
@@ -1,3 +1,3 @@
 one
-two
+2
 three
@@ -8,2 +8,3 @@
 eight
+extra
 nine
[1]
$ diff -U 0 a b
--- a\t2024-01-02 03:04:05.000000000 +0000
+++ b\t2024-01-02 03:04:05.000000000 +0000
@@ -2 +2 @@
-two
+2
@@ -8,0 +9 @@
+extra
[1]
$ diff -C1 a b
*** a\t2024-01-02 03:04:05.000000000 +0000
--- b\t2024-01-02 03:04:05.000000000 +0000
***************
*** 1,3 ****
  one
! two
  three
--- 1,3 ----
  one
! 2
  three
***************
*** 8,9 ****
--- 8,10 ----
  eight
+ extra
  nine
[1]
$ diff -e a b
8a
extra
.
2c
2
.
[1]
$ diff -n a b
d2 1
a2 1
2
a8 1
extra
[1]
$ diff a c
10c10
< ten
---
> ten
\\ No newline at end of file
[1]
$ diff c a
10c10
< ten
\\ No newline at end of file
---
> ten
[1]
$ diff -u a c
--- a\t2024-01-02 03:04:05.000000000 +0000
+++ c\t2024-01-02 03:04:05.000000000 +0000
@@ -7,4 +7,4 @@
 seven
 eight
 nine
-ten
+ten
\\ No newline at end of file
[1]
$ diff -c a c
*** a\t2024-01-02 03:04:05.000000000 +0000
--- c\t2024-01-02 03:04:05.000000000 +0000
***************
*** 7,10 ****
  seven
  eight
  nine
! ten
--- 7,10 ----
  seven
  eight
  nine
! ten
\\ No newline at end of file
[1]
$ diff a e
1,10d0
< one
< two
< three
< four
< five
< six
< seven
< eight
< nine
< ten
[1]
$ diff e a
0a1,10
> one
> two
> three
> four
> five
> six
> seven
> eight
> nine
> ten
[1]
$ diff -u e a
--- e\t2024-01-02 03:04:05.000000000 +0000
+++ a\t2024-01-02 03:04:05.000000000 +0000
@@ -0,0 +1,10 @@
+one
+two
+three
+four
+five
+six
+seven
+eight
+nine
+ten
[1]
$ diff -u a e
--- a\t2024-01-02 03:04:05.000000000 +0000
+++ e\t2024-01-02 03:04:05.000000000 +0000
@@ -1,10 +0,0 @@
-one
-two
-three
-four
-five
-six
-seven
-eight
-nine
-ten
[1]
$ diff -c e a
*** e\t2024-01-02 03:04:05.000000000 +0000
--- a\t2024-01-02 03:04:05.000000000 +0000
***************
*** 0 ****
--- 1,10 ----
+ one
+ two
+ three
+ four
+ five
+ six
+ seven
+ eight
+ nine
+ ten
[1]
$ diff --label X --label Y -u a b
--- X
+++ Y
@@ -1,10 +1,11 @@
 one
-two
+2
 three
 four
 five
 six
 seven
 eight
+extra
 nine
 ten
[1]
$ diff -u --label X a b
--- X
+++ b\t2024-01-02 03:04:05.000000000 +0000
@@ -1,10 +1,11 @@
 one
-two
+2
 three
 four
 five
 six
 seven
 eight
+extra
 nine
 ten
[1]
$ diff -y a b
one\t\t\t\t\t\t\t\tone
two\t\t\t\t\t\t\t      |\t2
three\t\t\t\t\t\t\t\tthree
four\t\t\t\t\t\t\t\tfour
five\t\t\t\t\t\t\t\tfive
six\t\t\t\t\t\t\t\tsix
seven\t\t\t\t\t\t\t\tseven
eight\t\t\t\t\t\t\t\teight
\t\t\t\t\t\t\t      >\textra
nine\t\t\t\t\t\t\t\tnine
ten\t\t\t\t\t\t\t\tten
[1]
$ diff -y -W 40 a b
one\t\t\tone
two\t\t   |\t2
three\t\t\tthree
four\t\t\tfour
five\t\t\tfive
six\t\t\tsix
seven\t\t\tseven
eight\t\t\teight
\t\t   >\textra
nine\t\t\tnine
ten\t\t\tten
[1]
$ diff -y --suppress-common-lines a b
two\t\t\t\t\t\t\t      |\t2
\t\t\t\t\t\t\t      >\textra
[1]
$ diff -y --left-column -W 40 a b
one\t\t   (
two\t\t   |\t2
three\t\t   (
four\t\t   (
five\t\t   (
six\t\t   (
seven\t\t   (
eight\t\t   (
\t\t   >\textra
nine\t\t   (
ten\t\t   (
[1]
$ diff -y -t -W 40 a b
one                   one
two                |  2
three                 three
four                  four
five                  five
six                   six
seven                 seven
eight                 eight
                   >  extra
nine                  nine
ten                   ten
[1]
$ diff -y a a
one\t\t\t\t\t\t\t\tone
two\t\t\t\t\t\t\t\ttwo
three\t\t\t\t\t\t\t\tthree
four\t\t\t\t\t\t\t\tfour
five\t\t\t\t\t\t\t\tfive
six\t\t\t\t\t\t\t\tsix
seven\t\t\t\t\t\t\t\tseven
eight\t\t\t\t\t\t\t\teight
nine\t\t\t\t\t\t\t\tnine
ten\t\t\t\t\t\t\t\tten
$ diff bin a
Binary files bin and a differ
[1]
$ diff -q bin a
Files bin and a differ
[1]
$ diff -a bin a
1c1,10
< a\x00b
\\ No newline at end of file
---
> one
> two
> three
> four
> five
> six
> seven
> eight
> nine
> ten
[1]
$ diff a nope
! diff: nope: No such file or directory
[2]
$ diff nope nope2
! diff: nope: No such file or directory
! diff: nope2: No such file or directory
[2]
$ diff -N a nope
1,10d0
< one
< two
< three
< four
< five
< six
< seven
< eight
< nine
< ten
[1]
$ diff a
! diff: missing operand after 'a'
! diff: Try 'diff --help' for more information.
[2]
$ diff
! diff: missing operand after 'diff'
! diff: Try 'diff --help' for more information.
[2]
$ diff a b c
! diff: extra operand 'c'
! diff: Try 'diff --help' for more information.
[2]
$ diff -u -c a b
! diff: conflicting output style options
! diff: Try 'diff --help' for more information.
[2]
$ diff - a < 'one\\n'
1a2,10
> two
> three
> four
> five
> six
> seven
> eight
> nine
> ten
[1]
$ diff -W x a b
! diff: invalid width 'x'
! diff: Try 'diff --help' for more information.
[2]
$ diff -z a b
! diff: invalid option -- 'z'
! diff: Try 'diff --help' for more information.
[2]
$ diff -T a b
2c2
<\ttwo
---
>\t2
8a9
>\textra
[1]
$ diff -uT a b
--- a\t2024-01-02 03:04:05.000000000 +0000
+++ b\t2024-01-02 03:04:05.000000000 +0000
@@ -1,10 +1,11 @@
\tone
-\ttwo
+\t2
\tthree
\tfour
\tfive
\tsix
\tseven
\teight
+\textra
\tnine
\tten
[1]
$ diff -U x a b
! diff: invalid context length 'x'
! diff: Try 'diff --help' for more information.
[2]
""",
    "what counts": """
$ > a 'Hello  World\\nfoo\\n\\nbar \\nx y\\n'
$ > b 'hello world\\nfoo\\nbar\\nxy\\n'
$ > t1 'a\\tb\\n'
$ > t2 'a       b\\n'
$ > cr 'a\\r\\nb\\r\\n'
$ > lf 'a\\nb\\n'
$ diff -i a b
1c1
< Hello  World
---
> hello world
3,5c3,4
<\x20
< bar\x20
< x y
---
> bar
> xy
[1]
$ diff -w a b
1c1
< Hello  World
---
> hello world
3d2
<\x20
[1]
$ diff -b a b
1c1
< Hello  World
---
> hello world
3d2
<\x20
5c4
< x y
---
> xy
[1]
$ diff -iw a b
3d2
<\x20
[1]
$ diff -B a b
1c1
< Hello  World
---
> hello world
3,5c3,4
<\x20
< bar\x20
< x y
---
> bar
> xy
[1]
$ diff -iwB a b
$ diff -E t1 t2
$ diff -Z a b
1c1
< Hello  World
---
> hello world
3d2
<\x20
5c4
< x y
---
> xy
[1]
$ diff --strip-trailing-cr cr lf
$ diff cr lf
1,2c1,2
< a\r
< b\r
---
> a
> b
[1]
$ diff -I '^H' -I '^h' a b
3,5c3,4
<\x20
< bar\x20
< x y
---
> bar
> xy
[1]
$ diff -B lf lf
$ diff -uB a b --label A --label B
--- A
+++ B
@@ -1,5 +1,4 @@
-Hello  World
+hello world
 foo
-
-bar\x20
-x y
+bar
+xy
[1]
""",
    "directories": """
$ > d1/a 'x\\n'
$ > d1/same 'x\\n'
$ > d1/only1 ''
$ > d1/sub/f '1\\n'
$ > d1/kind ''
$ > d2/a 'y\\n'
$ > d2/same 'x\\n'
$ > d2/only2 '2\\n'
$ > d2/sub/f '2\\n'
$ > d2/kind/x ''
$ > f 'z\\n'
$ touch -d @0 d1/a d2/a d1/sub/f d2/sub/f d2/only2
$ diff d1 d2
diff d1/a d2/a
1c1
< x
---
> y
File d1/kind is a regular empty file while file d2/kind is a directory
Only in d1: only1
Only in d2: only2
Common subdirectories: d1/sub and d2/sub
[1]
$ diff -r d1 d2
diff -r d1/a d2/a
1c1
< x
---
> y
File d1/kind is a regular empty file while file d2/kind is a directory
Only in d1: only1
Only in d2: only2
diff -r d1/sub/f d2/sub/f
1c1
< 1
---
> 2
[1]
$ diff -rq d1 d2
Files d1/a and d2/a differ
File d1/kind is a regular empty file while file d2/kind is a directory
Only in d1: only1
Only in d2: only2
Files d1/sub/f and d2/sub/f differ
[1]
$ diff -rN d1 d2
diff -rN d1/a d2/a
1c1
< x
---
> y
File d1/kind is a regular empty file while file d2/kind is a directory
diff -rN d1/only2 d2/only2
0a1
> 2
diff -rN d1/sub/f d2/sub/f
1c1
< 1
---
> 2
[1]
$ diff -r -x a -x 'only*' -x kind d1 d2
diff -r -x a -x 'only*' -x kind d1/sub/f d2/sub/f
1c1
< 1
---
> 2
[1]
$ diff -rs d1 d2
diff -rs d1/a d2/a
1c1
< x
---
> y
File d1/kind is a regular empty file while file d2/kind is a directory
Only in d1: only1
Only in d2: only2
Files d1/same and d2/same are identical
diff -rs d1/sub/f d2/sub/f
1c1
< 1
---
> 2
[1]
$ diff d1/a d2
1c1
< x
---
> y
[1]
$ diff d1 f
! diff: d1/f: No such file or directory
[2]
$ diff -r d1 nope
! diff: nope: No such file or directory
[2]
$ diff -ruN -x kind -x only2 d1 d2
diff -ruN -x kind -x only2 d1/a d2/a
--- d1/a\t1970-01-01 00:00:00.000000000 +0000
+++ d2/a\t1970-01-01 00:00:00.000000000 +0000
@@ -1 +1 @@
-x
+y
diff -ruN -x kind -x only2 d1/sub/f d2/sub/f
--- d1/sub/f\t1970-01-01 00:00:00.000000000 +0000
+++ d2/sub/f\t1970-01-01 00:00:00.000000000 +0000
@@ -1 +1 @@
-1
+2
[1]
""",
    "sliding": """
$ > a 'a\\nb\\nb\\nb\\nc\\n'
$ > b 'a\\nb\\nb\\nc\\n'
$ > f1 'f() {\\n  x\\n}\\n\\ng() {\\n  y\\n}\\n'
$ > f2 'f() {\\n  x\\n}\\n\\nh() {\\n  z\\n}\\n\\ng() {\\n  y\\n}\\n'
$ diff a b
4d3
< b
[1]
$ diff b a
3a4
> b
[1]
$ diff -U1 --label a --label b f1 f2
--- a
+++ b
@@ -4,2 +4,6 @@
\x20
+h() {
+  z
+}
+
 g() {
[1]
$ diff f1 f2
4a5,8
> h() {
>   z
> }
>\x20
[1]
$ > p 'int main() {\\n1\\n2\\n3\\n4\\n5\\n6\\n}\\n'
$ > q 'int main() {\\n1\\n2\\n3\\n4\\n5\\nX\\n}\\n'
$ diff -up --label a --label b p q
--- a
+++ b
@@ -4,5 +4,5 @@ int main() {
 3
 4
 5
-6
+X
 }
[1]
$ diff -p --label a --label b p q
*** a
--- b
*************** int main() {
*** 4,8 ****
  3
  4
  5
! 6
  }
--- 4,8 ----
  3
  4
  5
! X
  }
[1]
$ diff -F main -u --label a --label b p q
--- a
+++ b
@@ -4,5 +4,5 @@ int main() {
 3
 4
 5
-6
+X
 }
[1]
$ diff --color=always a b
\x1b[36m4d3\x1b[0m
\x1b[31m< b\x1b[0m
[1]
""",
}


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS.keys())
def test_behaves_as_the_manual_says(replay, transcript):
    replay(transcript)


def test_files_without_a_common_line_are_quick(utility):
    utility.write("a", "".join(f"a{n}\n" for n in range(20_000)))
    utility.write("b", "".join(f"b{n}\n" for n in range(20_000)))
    outcome = utility("diff", "a", "b")
    assert outcome.status == 1
    assert outcome.stdout.startswith("1,20000c1,20000\n")


READ_ONLY = {
    "warn": ("File f is read-only; trying to patch anyway\npatching file f\n", 0, "b\n"),
    "ignore": ("patching file f\n", 0, "b\n"),
    "fail": ("File f is read-only; refusing to patch\n1 out of 1 hunk ignored -- saving rejects to file f.rej\n", 1, "a\n"),
}


@pytest.mark.parametrize("behavior", READ_ONLY)
def test_patch_of_a_read_only_file(utility, behavior):
    utility.write("f", "a\n")
    utility.fs.chmod("/home/user/f", 0o444)
    outcome = utility("patch", f"--read-only={behavior}", "f", stdin="1c1\n< a\n---\n> b\n")
    assert (outcome.stdout, outcome.status, utility.read("f")) == READ_ONLY[behavior]


def test_conditions_in_conditions_end_somewhere(utility):
    utility.write("a", "1\n")
    utility.write("b", "")
    assert utility("diff", f"--old-group-format={'%(f=1?' * 200}x", "a", "b").stdout.endswith("%(f=1?x")
