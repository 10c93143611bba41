"""awk: fields, regular expressions, formats and functions (POSIX XCU awk, gawk manual)."""

import pytest

PROGRAMS = [
    # regular expressions
    (
        r'print "*a" ~ /*a/, "a{" ~ /a{/, "aa" ~ /^a{2}$/, "^*" ~ /^*/, "]" ~ /[\]a]/, "/" ~ /[/]/, "-" ~ /[a\-z]/',
        "1 1 1 0 1 1 1",
    ),
    (r'print "a+b" ~ /a\+b/, "\t" ~ /\t/, "A" ~ /\x41/, "A" ~ /\101/, "ab cd" ~ /b\y/, "." ~ "\\.", "a" ~ /a)/', "1 1 1 1 1 1 0"),
    ('print "abc" ~ "^ab", "abc" ~ /b$/, "a.c" ~ /a\\.c/, "abc" ~ /a\\.c/, "a/b" ~ /a\\/b/, "x" ~ ""', "1 0 1 0 1 1"),
    ("print 6 / 2 / 3; a = 4; print a /2/ 1", "1\n2"),
    ('print match("xabbbc", /ab|abbb/), RSTART, RLENGTH; print match("x", /y/), RSTART, RLENGTH', "2 2 4\n0 0 -1"),
    (
        'if (match("key=val", /([a-z]+)=([a-z]+)/, m)) print m[1], m[2], m[0], m[2, "start"], m[2, "length"]',
        "key val key=val 5 3",
    ),
    ('IGNORECASE = 1; print "ABC" ~ /b/, "ABC" == "abc"; x = "ABC"; gsub(/b/, "-", x); print x', "1 1\nA-C"),
    # sub, gsub, gensub
    ('s = "hello"; n = gsub(/l/, "[&\\\\&]", s); print n, s', "2 he[l&][l&]o"),
    ('s = "aaa"; print gsub(/x*/, "-", s), s; t = "abc"; gsub(/b*/, "X", t); print t', "4 -a-a-a-\nXaXcX"),
    ('s = "a.b.c"; gsub(".", "x", s); print s; s = "a.b"; gsub("\\\\.", "-", s); print s', "xxxxx\na-b"),
    ('s = "foo foo"; print sub(/o+/, "0", s), s, sub(/z/, "", s), s', "1 f0 foo 0 f0 foo"),
    ('s = "a"; sub(/a/, "\\\\\\\\&", s); print s; s = "a"; sub(/a/, "\\\\q", s); print s', "\\a\n\\q"),
    ('$0 = "a b c"; gsub(/b/, "X Y"); print NF, $2; sub(/a/, "q", $1); print', "4 X\nq X Y c"),
    (
        'print gensub(/(.)(.)/, "\\\\2\\\\1", "g", "abcd"), gensub(/a/, "b", 2, "aaa"), gensub(/b/, "<\\\\0&>", 1, "abc")',
        "badc aba a<bb>c",
    ),
    ('a["x"] = "1-2"; gsub(/-/, "+", a["x"]); print a["x"]', "1+2"),
    # split
    ('n = split("a1b22c", x, /[0-9]+/, s); print n, x[1], x[3], s[1], s[2]', "3 a c 1 22"),
    ('print split("", y), length(y), split(" a  b ", z), z[1] z[2], split("abc", w, ""), w[2]', "0 0 2 ab 3 b"),
    ('FS = ":"; print split("a:b:c", x), split("a b", y, " "), split("a.b", z, "."), split(" a b", q, / /)', "3 2 2 3"),
    ('n = patsplit("a1b22", x, /[0-9]+/, s); print n, x[1], x[2], s[0], s[1]', "2 1 22 a b"),
    # arithmetic
    ('print int(-3.9), int("3abc"), sqrt(16), exp(0), log(1), sin(0), cos(0), atan2(0, -1)', "-3 3 4 1 0 0 1 3.14159"),
    ("print and(12, 10), or(12, 10), xor(12, 10), lshift(1, 4), rshift(16, 2), compl(0)", "8 14 6 16 4 9007199254740991"),
    ('print strtonum("0xFF"), strtonum("017"), strtonum("12abc"), strtonum(8)', "255 15 12 8"),
    ("srand(7); a = rand(); srand(7); print (a == rand()), (a < 1), srand(3), srand()", "1 1 7 3"),
    ('print typeof(x), typeof(1), typeof("a"), typeof(@/x/)', "untyped number string regexp"),
    # arrays
    (
        'a["x"] = 3; a["y"] = 1; a["z"] = "b"; n = asort(a, b); print n, b[1], b[2], b[3]; n = asorti(a, c); print c[1] c[2] c[3]',
        "3 1 3 b\nxyz",
    ),
    # printf
    ('printf "%d|%5d|%-5d|%05d|%+d|% d|%i\\n", 3.9, 42, 42, 42, 42, 42, "12abc"', "3|   42|42   |00042|+42| 42|12"),
    ('printf "%o|%x|%X|%#o|%#x|%u|%.3d\\n", 8, 255, 255, 8, 255, 3, 5', "10|ff|FF|010|0xff|3|005"),
    ('printf "%x %u\\n", -1, -1', "ffffffffffffffff 18446744073709551615"),
    (
        'printf "%e|%.2f|%g|%G|%8.3f|%-8.1f|\\n", 12345.678, 2.5, 0.0001, 1e-10, 3.14159, 2.25',
        "1.234568e+04|2.50|0.0001|1E-10|   3.142|2.2     |",
    ),
    ('printf "%s|%5s|%-5s|%.2s|%c%c%c|%%\\n", "a", "é", "b", "xyz", 65, "hello", 233', "a|    é|b    |xy|Ahé|%"),
    ('printf "%*d|%-*d|%.*f|%*s\\n", 5, 42, 5, 42, 2, 3.14159, -4, "ab"', "   42|42   |3.14|ab  "),
    ('printf "%2$s %1$s\\n", "a", "b"', "b a"),
    ('printf "%d %s\\n", -log(0), log(0)', "+inf -inf"),
    ('printf "%d %d\\n", 2^53 + 1, 2^70', "9007199254740992 1180591620717411303424"),
    ('printf("%s %s\\n", "a", "b"); x = sprintf("%03d", 7); print x', "a b\n007"),
]


@pytest.mark.parametrize(("program", "expected"), PROGRAMS)
def test_text(utility, program, expected):
    found = utility("awk", f"BEGIN {{ {program} }}")
    assert (found.stdout.removesuffix("\n"), found.stderr) == (expected, "")


def test_missing_argument_of_a_format(utility):
    found = utility("awk", 'BEGIN { printf "%s %s", "a" }')
    assert found.status == 2
    assert found.stderr.splitlines() == [
        "awk: cmd. line:1: fatal: not enough arguments to satisfy format string",
        "\t`%s %s'",
        "\t    ^ ran out for this one",
    ]


FIELDS = [
    ([], "{ print $2, NF, $NF, $(NF - 1) }", " a  b\tc \n", "b 3 c b\n"),
    ([], '{ $2 = ""; print; print NF }', "a b c\n", "a  c\n3\n"),
    ([], '{ $6 = "x"; print; print NF }', "a b\n", "a b    x\n6\n"),
    ([], '{ NF = 2; print; NF = 4; print $0 "|" }', "a b c\n", "a b\na b  |\n"),
    ([], '{ $(NF + 2) = "x"; print }', "a b\n", "a b  x\n"),
    ([], '{ $0 = "x y"; print NF, $2 }', "a b c\n", "2 y\n"),
    ([], "{ $1 = $1; print }", "  a   b  \n", "a b\n"),
    ([], "{ $2 = $2 * 1.1; s += $2; print $2; print s * 1000 }", "a 1.2345678\n", "1.35802\n1358.02\n"),
    (
        [],
        '{ print ($1 > $2), ($3 > $1), ($4 == 100), ($5 == 16), ($6 == 5), ($1 > "9"), ($8 == 0), ($8 == "") }',
        "10 9 abc 1e2 0x10 +5 .5.\n",
        "1 1 1 0 1 0 0 1\n",
    ),
    ([], '{ x = $1; y = x; if (y > 9) print "number"; a[1] = $1; if (a[1] > 9) print "kept" }', "10\n", "number\nkept\n"),
    ([], "$1", "0\n1\na\n0.0\n", "1\na\n"),
    ([], "{ $3 = 5; if ($3 == 5.0) print $3 + 1 }", "a b c\n", "6\n"),
    ([], "{ print $1 $2 }", "a\r b\r\n", "a\rb\r\n"),
    ([], "{ print $2 }", "a\xa0b c\n", "c\n"),
    (["-F:"], "{ print $2, NF }", "a:b::d\n\n", "b 4\n 0\n"),
    (["-F", "|"], "{ print $2 }", "a|b\n", "b\n"),
    (["-F", r"\|"], "{ print $2 }", "a|b\n", "b\n"),
    (["-F", r"\t"], "{ print $2 }", "a b\tc\n", "c\n"),
    (["-F", ", *"], "{ print $2 }", "a,  b,c\n", "b\n"),
    (["-F", "."], "{ print $2 }", "a.b\n", "b\n"),
    (["-F", "[0-9]"], "{ print $2, NF }", "1a2\n", "a 3\n"),
    (["-F", ""], "{ print $2, NF }", "héy\n", "é 3\n"),
    (["-v", "FS=,", "-v", "OFS=-"], "{ print $1, $2; $1 = $1; print }", "a,b\n", "a-b\na-b\n"),
    ([], '{ FS = ":"; print $1 }', "a:b c\nd:e f\n", "a:b\nd\n"),
    ([], 'BEGIN { FIELDWIDTHS = "2 3 *" } { print $1, $2, $3, NF }', "abcdefgh\n", "ab cde fgh 3\n"),
    ([], 'BEGIN { FPAT = "([^,]+)|(\\"[^\\"]+\\")" } { print NF, $2 }', 'a,"b,c",d\n', '3 "b,c"\n'),
    ([], 'BEGIN { OFS = "-"; ORS = "|" } { print $1, $2 }', "a b\nc d\n", "a-b|c-d|"),
    ([], "{ i = 1; print $i++; print $1, i }", "3 x\n", "3\n4 1\n"),
    ([], "{ print $NF++; print $NF }", "a 7\n", "7\n8\n"),
    ([], "{ print -$1, +$2, !$3, $1^2 }", "3 4x 0\n", "-3 4 1 9\n"),
]


@pytest.mark.parametrize(("options", "program", "stdin", "expected"), FIELDS)
def test_fields(utility, options, program, stdin, expected):
    assert utility("awk", *options, program, stdin=stdin).stdout == expected


RECORDS = [
    ("\n", "a\nb", "1:a\n2:b\n"),
    (";", "a;b;c\n", "1:a\n2:b\n3:c\n\n"),
    ("", "\n\na b\nc\n\n\nd\n", "1:a b\nc\n2:d\n"),
    ("[bdf]", "a1b2d3", "1:a1\n2:2\n3:3\n"),
    ("\r\n", "a\r\nb\r\n", "1:a\n2:b\n"),
    ("\n\n+", "a\nb\n\n\nc", "1:a\nb\n2:c\n"),
]


@pytest.mark.parametrize(("separator", "stdin", "expected"), RECORDS)
def test_records(utility, separator, stdin, expected):
    assert utility("awk", "-v", f"RS={separator}", '{ print NR ":" $0 }', stdin=stdin).stdout == expected


def test_paragraphs_split_fields_at_newlines(utility):
    program = 'BEGIN { RS = ""; FS = ":" } { print NF, $1, $3 }'
    assert utility("awk", program, stdin="a:b\nc\n\n\nd\n").stdout == "3 a c\n1 d \n"


def test_separator_changes_between_records(utility):
    program = '{ print NR ":" $0; RS = ";" }'
    assert utility("awk", program, stdin="a\nb;c\nd;e\n").stdout == "1:a\n2:b\n3:c\nd\n4:e\n\n"


def test_record_terminator(utility):
    assert utility("awk", "-v", "RS=[0-9]+", '{ print $0 "(" RT ")" }', stdin="a12b3c").stdout == "a(12)\nb(3)\nc()\n"


def test_bytes_survive(utility):
    found = utility("awk", '{ print $1; print length($2); print "\\377" }', stdin=b"\xff\xfe a\xffb\n")
    assert found.stdout == "\udcff\udcfe\n3\n\udcff\n"


def test_many_records_are_counted(utility):
    data = "".join(f"{number} x\n" for number in range(5000))
    assert utility("awk", '{ s += $1; c[$2]++ } END { print s, NR, c["x"] }', stdin=data).stdout == "12497500 5000 5000\n"
