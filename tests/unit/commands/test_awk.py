"""awk: the language (POSIX XCU awk, gawk manual)."""

import pytest


def run(utility, program, *operands, stdin=""):
    return utility("awk", program, *operands, stdin=stdin)


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        # operators and their precedence
        ("print 1 + 2 * 3 ^ 2, -2 ^ 2, 2 ^ 3 ^ 2, 2 ** 3", "19 -4 512 8"),
        ("print 7 % 3, -7 % 3, 5.5 % 2, 1 - 1 - 1, 12 / 3 / 2", "1 -1 1.5 -1 2"),
        ('print !1 + 1, !0, !"", !"a", - -3, 1 - -1', "1 1 1 0 3 2"),
        ('print -12 " " -24, 1 " " 2 + 3, "a" "b" == "ab"', "-12-24 1 5 1"),
        ('print 1==1, 2<10, "2"<"10", "a"<"b", "abc"<1', "1 1 0 1 0"),
        ("print 1 ? 2 : 3, 0 ? 2 : 0 ? 3 : 4, 1 && 0 || 1", "2 4 1"),
        ("x = y = 3; x += 2; x -= 1; x *= 3; x /= 2; x %= 4; x ^= 2; print x, y", "4 3"),
        ("i = 5; print i++, i, ++i, i--, --i; print $i++ i", "5 6 7 7 5\n05"),
        ('a = "x"; b = a++; print a, b; c = "3x" + 2; print c', "1 0\n5"),
        ("print 1e3, .5, 0x10, 010, 1e300 * 0, 100000 * 100000", "1000 0.5 16 8 0 10000000000"),
        (
            "print 2^53 + 1, 2^100, 1e18, 0.1 + 0.2, 1e-5, 1234567.8",
            ("9007199254740992 1267650600228229401496703205376 1000000000000000000 0.3 1e-05 1.23457e+06"),
        ),
        ("x = 0; print -x, log(0), -log(0)", "0 -inf +inf"),
        # values
        ('print x == 0, x == "", length(x), x + 1, "<" x ">"', "1 1 0 1 <>"),
        ('print "3x" + 1, ".5." * 2, "+5" + 0, "0x11" + 0, " 12 " + 0, "inf" + 0, "1e2" + 0, "1_0" + 0', "4 1 5 0 12 0 100 1"),
        ('if ("0") print "string"; if (0) print "no"; if (!x) print "unset"; if (0.0 "") print "text"', "string\nunset\ntext"),
        ('CONVFMT = "%.2f"; a = 3.14159; b = a ""; c = 17 ""; print b, c, a', "3.14 17 3.14159"),
        ('OFMT = "%.2f"; print 3.14159, 3.14159 "", 17, 1e20', "3.14 3.14159 17 100000000000000000000"),
        ('CONVFMT = "%d"; x[12.7]; for (k in x) print k', "12"),
        # strings
        (r'print "a\tb\\c\"de\101\x42"', 'a\tb\\c"deAB'),
        ('print length("héllo"), substr("日本語", 2, 1), index("日本語", "語"), toupper("é"), tolower("ÀB")', "5 本 3 É àb"),
        (
            'print substr("hello", 2, 3), substr("hello", 0), substr("hello", -1, 3), substr("hello", 1.5, 2.9), substr("hello", 9)',
            "ell hello hel he ",
        ),
        ('print index("foobar", "bar"), index("abc", "z"), index("abc", "")', "4 0 1"),
        ("print length()", "0"),
        ('print length "x"', "0x"),
        # statements
        ("while (i < 3) { if (i == 1) { i++; continue }; print i++ }", "0\n2"),
        ("do { j++; if (j == 2) continue; print j } while (j < 3)", "1\n3"),
        ("for (;;) if (++n > 3) break; print n", "4"),
        ('for (i = 0; i < 2; i++) for (j = 0; j < 2; j++) { if (j) continue; printf "%d%d ", i, j }', "00 10 "),
        ('switch ("b") { case "a": print 1; case /b/: print 2; case "c": print 3; break; default: print 4 }', "2\n3"),
        ("for (i = 1; i <= 3; i++) { switch (i) { case 2: continue; default: print i } }", "1\n3"),
        ('switch (3) { case "4": print "string"; break; case 3: print "number" }', "number"),
        ("if (0) print 1; else if (0) print 2; else print 3", "3"),
        ('if (1)\n;\nelse print 1\nprint "after"', "after"),
        ("x = 1 &&\n 0; print x,\n 2; # comment\n print \\\n 3", "0 2\n3"),
        # arrays
        ('a["x"]; if ("x" in a) print "in"; if (!("y" in a)) print "out"; print length(a)', "in\nout\n1"),
        ('a[1, 2] = 3; if ((1, 2) in a) print "in"; for (k in a) { split(k, p, SUBSEP); print p[1] "-" p[2] }', "in\n1-2"),
        ('SUBSEP = ":"; a[1, 2]; for (k in a) print k', "1:2"),
        ('a["x"] = 1; delete a["x"]; print length(a); a[1]; a[2]; delete a; print length(a)', "0\n0"),
        ('for (i = 3; i > 0; i--) a[i]; a["z"]; for (k in a) printf "%s ", k', "z 1 2 3 "),
        ('a[1][2] = 3; a[1]["x"] = 4; print isarray(a[1]), length(a[1]), (2 in a[1]), a[1]["x"]', "1 2 1 4"),
        ('PROCINFO["sorted_in"] = "@ind_num_desc"; a[1]; a[10]; a[9]; for (k in a) printf "%s ", k', "10 9 1 "),
        ('PROCINFO["sorted_in"] = "@val_num_asc"; a["x"] = 3; a["y"] = 1; for (k in a) printf "%s ", k', "y x "),
        ('a[1] = 5; a[01] = 6; a["1"] += 1; print a[1], length(a)', "7 1"),
        ('print 1 in a, length(a); print (a["q"] == "") length(a)', "0 0\n11"),
    ],
)
def test_statements(utility, program, expected):
    found = run(utility, f"BEGIN {{ {program}\n}}")
    assert (found.stdout.removesuffix("\n"), found.stderr, found.status) == (expected.removesuffix("\n"), "", 0)


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ('function f(a,  b) { b = a; a = 5; return b } BEGIN { x = 3; print f(x), x, f() "|" }', "3 3 |\n"),
        ("function f(n) { return n <= 1 ? 1 : n * f(n - 1) } BEGIN { print f(20) }", "2432902008176640000\n"),
        ('function fill(a) { a["x"] = 1 } BEGIN { fill(b); print length(b), b["x"] }', "1 1\n"),
        ("function outer(a) { inner(a) } function inner(b) { b[1] = 7 } BEGIN { outer(q); print q[1] }", "7\n"),
        ("function f(x,  local) { local[x] = 1; return length(local) } BEGIN { f(1); print f(2) }", "1\n"),
        ("function g() { n++ } BEGIN { g(); g(); print n }", "2\n"),
        ('function f(x) { x } BEGIN { print f(1) "|" }', "|\n"),
        ("func f(x) { return x + 1 }\nBEGIN { print f(f(1)) }", "3\n"),
        (
            (
                "function walk(t, i) { for (i in t) if (isarray(t[i])) walk(t[i]); else print i, t[i] }"
                "BEGIN { r[1] = 1; r[2][3] = 4; walk(r) }"
            ),
            "1 1\n3 4\n",
        ),
        ('function twice(x) { return x * 2 } BEGIN { f = "twice"; print @f(3) }', "6\n"),
        (
            'function cmp(i, a, j, b) { return b - a } BEGIN { v[1] = 5; v[2] = 9; n = asort(v, w, "cmp"); print w[1], w[2] }',
            "9 5\n",
        ),
    ],
)
def test_functions(utility, program, expected):
    assert run(utility, program).stdout == expected


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ('BEGIN { print "b" } END { print "e", NR }', "b\ne 3\n"),
        ("NR == 2", "c d\n"),
        ("/a/, /c/ { print NR }", "1\n2\n"),
        ("NR == 1, NR == 1", "a b\n"),
        ("!/a/", "c d\ne f g\n"),
        ("/a/ || NR == 3 { print $NF }", "b\ng\n"),
        ('$2 == "d" { next } { print $1 }', "a\ne\n"),
        ("{ for (;;) { if (NR == 2) next; break } print }", "a b\ne f g\n"),
        ("function skip() { if (NR < 3) next } { skip(); print }", "e f g\n"),
        ('{ exit 3 } END { print "end" NR }', "end1\n"),
        ("END { print $0, NF }", "e f g 3\n"),
        ("{ x = x $1 } END { print x }", "ace\n"),
        ("{ n += NF } END { print n / NR }", "2.33333\n"),
        ("{ nextfile } END { print NR }", "1\n"),
        ('BEGINFILE { print "open" } ENDFILE { print "done", FNR } NR == 1', "open\na b\ndone 3\n"),
    ],
)
def test_rules(utility, program, expected):
    assert run(utility, program, stdin="a b\nc d\ne f g\n").stdout == expected


def test_exit_status(utility):
    assert run(utility, 'BEGIN { exit 3 } END { print "e" }').status == 3
    assert run(utility, 'BEGIN { exit } END { exit 4; print "no" }').status == 4
    assert run(utility, "{ exit 5 } END { exit }", stdin="x\n").status == 5


@pytest.mark.parametrize(
    ("program", "stderr", "status"),
    [
        (
            "BEGIN { if () { print } }",
            "awk: cmd. line:1: BEGIN { if () { print } }\nawk: cmd. line:1:             ^ syntax error\n",
            1,
        ),
        ("BEGIN {\n x = 5\n @ }", "awk: cmd. line:3:  @ }\nawk: cmd. line:3:    ^ syntax error\n", 1),
        (
            'BEGIN { print "abc }',
            'awk: cmd. line:1: BEGIN { print "abc }\nawk: cmd. line:1:               ^ unterminated string\n',
            1,
        ),
        ("BEGIN {", "awk: cmd. line:1: BEGIN {\nawk: cmd. line:1:        ^ unexpected newline or end of string\n", 1),
        (
            "BEGIN { return 1 }",
            "awk: cmd. line:1: BEGIN { return 1 }\nawk: cmd. line:1:         ^ `return' used outside function context\n",
            1,
        ),
        ("BEGIN { next }", "awk: cmd. line:1: error: `next' used in BEGIN action\n", 1),
        ("BEGIN { break }", "awk: cmd. line:1: error: `break' is not allowed outside a loop or switch\n" * 2, 1),
        ("BEGIN { f(1) }", "awk: cmd. line:1: fatal: function `f' not defined\n", 2),
        ("function f(a, a) {}", "awk: cmd. line:1: error: function `f': parameter #2, `a', duplicates parameter #1\n", 1),
        ("function f(a) {} function f(b) {}", "awk: cmd. line:1: error: function name `f' previously defined\n", 1),
        (
            'BEGIN { print substr("x") }',
            (
                'awk: cmd. line:1: BEGIN { print substr("x") }\n'
                "awk: cmd. line:1:                         ^ 1 is invalid as number of arguments for substr\n"
            ),
            1,
        ),
        ("BEGIN { print /(/ }", "awk: cmd. line:1: error: Unmatched ( or \\(: /(/\n", 1),
        ("BEGIN { print 1 / 0 }", "awk: cmd. line:1: error: division by zero attempted\n", 1),
        ("BEGIN { x = 0\n print 1 / x }", "awk: cmd. line:2: fatal: division by zero attempted\n", 2),
        ("BEGIN { x = 0; print 1 % x }", "awk: cmd. line:1: fatal: division by zero attempted in `%'\n", 2),
        ("BEGIN { y /= x }", "awk: cmd. line:1: fatal: division by zero attempted in `/='\n", 2),
        ('BEGIN { x = "("; print "a" ~ x }', "awk: cmd. line:1: fatal: invalid regexp: Unmatched ( or \\(: /(/\n", 2),
        ("BEGIN { print $(-1) }", "awk: cmd. line:1: fatal: attempt to access field -1\n", 2),
        ("BEGIN { print $1e999 }", f"awk: cmd. line:1: fatal: attempt to access field {-(1 << 63)}\n", 2),
        ("BEGIN { $1e999 = 1 }", f"awk: cmd. line:1: fatal: attempt to access field {-(1 << 63)}\n", 2),
        ("BEGIN { i = 1e999; print $i }", f"awk: cmd. line:1: fatal: attempt to access field {-(1 << 63)}\n", 2),
        ("BEGIN { NF = -1 }", "awk: cmd. line:1: fatal: NF set to negative value\n", 2),
        ("BEGIN { NF = 1e999 }", "awk: cmd. line:1: fatal: NF set to negative value\n", 2),
        ("BEGIN { a[1]; print a }", "awk: cmd. line:1: fatal: attempt to use array `a' in a scalar context\n", 2),
        ("BEGIN { a = 1; a[1] }", "awk: cmd. line:1: fatal: attempt to use scalar `a' as an array\n", 2),
        (
            "function f(x) { x = 1 } BEGIN { a[1]; f(a) }",
            "awk: cmd. line:1: fatal: attempt to use array `x (from a)' in a scalar context\n",
            2,
        ),
        ('BEGIN { print > "/none/x" }', "awk: cmd. line:1: fatal: cannot redirect to `/none/x': No such file or directory\n", 2),
        ('BEGIN { getline x < "" }', "awk: cmd. line:1: fatal: expression for `<' redirection has null string value\n", 2),
        ('BEGIN { print "\\q" }', "awk: cmd. line:1: warning: escape sequence `\\q' treated as plain `q'\n", 0),
        ('BEGIN { print "\\q\\q"; print "\\q" }', "awk: cmd. line:1: warning: escape sequence `\\q' treated as plain `q'\n", 0),
        ('BEGIN { print "\\xg" }', "awk: cmd. line:1: warning: no hex digits in `\\x' escape sequence\n", 0),
        ("/\\d\\d/", "awk: cmd. line:1: warning: regexp escape sequence `\\d' is not a known regexp operator\n", 0),
        ('BEGIN { fflush("x") }', "awk: cmd. line:1: warning: fflush: `x' is not an open file, pipe or co-process\n", 0),
        ("END", "awk: cmd. line:1: END blocks must have an action part\n", 1),
        ("BEGIN { x = log(-1) }", "awk: cmd. line:1: warning: log: received negative argument -1\n", 0),
    ],
)
def test_messages(utility, program, stderr, status):
    found = run(utility, program)
    assert (found.stderr, found.status) == (stderr, status)


def test_message_names_the_record(utility):
    utility.write("t", "1\n0\n")
    found = run(utility, "{ print 1 / $1 }", "t")
    assert (found.stdout, found.stderr) == ("1\n", "awk: cmd. line:1: (FILENAME=t FNR=2) fatal: division by zero attempted\n")


@pytest.mark.parametrize("depth", [2_000, 30_000])
def test_deep_nesting_is_an_error(utility, depth):
    found = run(utility, "BEGIN { x = " + "(" * depth + "1" + ")" * depth + " }")
    assert (found.stdout, found.status) == ("", 2)
    assert "nested too deeply" in found.stderr


def test_names_cannot_reach_python(utility):
    found = run(utility, "BEGIN { __import__ = 1; rt = 2; R = 3; class = 4; None = 5; print __import__ rt R class None }")
    assert found.stdout == "12345\n"


def test_gawk_is_awk_by_its_own_name(utility):
    assert utility("gawk", "BEGIN { print 1 }").stdout == "1\n"
    assert utility("gawk", "BEGIN {").stderr.startswith("gawk: cmd. line:1: ")
