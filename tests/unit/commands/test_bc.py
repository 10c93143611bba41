"""bc: arithmetic of any precision (POSIX XCU bc, GNU bc manual)."""

import random
from math import isqrt

import pytest

from bashkit.commands.numbers.bc.division import divided, floored, root
from bashkit.errors import LimitExceededError

CASES = [
    ("1+2; 7/2; 2^10; 7%3; -7%3; (1+2)*3", "3\n3\n1024\n1\n-1\n9\n"),
    ("scale=3; 7/2; -7/3; 7%3; 2^-2; 1/3", "3.500\n-2.333\n.001\n.250\n.333\n"),
    ("scale=2; 1.999*1; 1.234*2.345; 10/3*3; .1+.2; 1.0*1.0; 0*1.25; 1.00-1", "1.999\n2.893\n9.99\n.3\n1.00\n0\n0\n"),
    ("1.5^3; 2^0; (-2)^3; -2^2; 2^3^2", "3.3\n1\n-8\n4\n512\n"),
    ("2^0.5", "1\n"),
    ("a=5; a; a+=2; a; a++; ++a; a--; a; a^=2; a; (a=4); -a^2", "5\n7\n7\n9\n9\n8\n64\n4\n16\n"),
    ("b[3]=7; b[1+2]; b=2; b; b[0]", "7\n2\n0\n"),
    ("1==1; 1>2; !0; 1&&0; 1||0; 1+2==3; 3<2+2; !1==2", "1\n0\n1\n0\n1\n1\n1\n1\n"),
    ("a=b=3; a; b; a==3", "3\n3\n1\n"),
    ("length(123.45); length(0); length(0.001); scale(1.230); sqrt(2); sqrt(2.25)", "5\n1\n3\n3\n1\n1.50\n"),
    ("scale=10; sqrt(2); sqrt(16)", "1.4142135623\n4.0000000000\n"),
    ("obase=16; 255; 3.5; obase=2; 10; -5", "FF\n3.8\n1010\n-101\n"),
    ("obase=20; 399; 1.5; obase=100; 12345", " 19 19\n 01.10\n 01 23 45\n"),
    ("ibase=16; FF; A; ibase=A; 10; A; FF", "255\n10\n10\n10\n99\n"),
    ("ibase=2; 1010; 1.1", "10\n1.5\n"),
    ("5; last+1; . + 1", "5\n6\n7\n"),
    ('print 1, 2, "a\\tb\\n"; "str"', "12a\tb\nstr"),
    ('print "\\q\\\\n\\n"', '"\\n\n'),
    ("2^300", "20370359763344860862684456884093781610514683936659362506361404493543\\\n81299763336706183397376\n"),
    ("10^67", "1" + "0" * 67 + "\n"),
    ("10^68", "1" + "0" * 67 + "\\\n0\n"),
    ('if (1<2) print "yes\\n" else print "no\\n"\nif (0) 1 else 2\nif (0) 1', "yes\n2\n"),
    ("while (i<3) { i=i+1; i }", "1\n2\n3\n"),
    ("for (i=0; i<9; i++) { if (i==1) continue; if (i==3) break; i }", "0\n2\n"),
    ("for (;;) { if (++i > 2) break }\ni", "3\n"),
    ("define f(x) { return x*2; }\nf(4)", "8\n"),
    ("define f(n) { if (n<=1) return 1; return n*f(n-1) }\nf(30)", "265252859812191058636308480000000\n"),
    ("define f(n)\n{\nauto i, s\nfor (i=1; i<=n; i++) s += i\nreturn (s)\n}\ni=7; f(4); i", "10\n7\n"),
    ("define f() { x }\nx=7; y=f()\ny", "7\n0\n"),
    ("define f(a[]) { a[1]=5; return a[0]; }\nq[0]=3; f(q[]); q[1]", "3\n0\n"),
    ("define void p(*x[]) { x[0]=9 }\np(q[]); q[0]", "9\n"),
    ("/* a\ncomment */ 3 # more\n4 \\\n+ 5", "3\n9\n"),
    ("1\nhalt\n2", "1\n"),
    ("1\nquit\n2", "1\n"),
    ("5\nif (0) quit\n4", "5\n"),  # it ends bc when it is read
    ("for (i = 0; i < 3; i++) {\ni\nif (i == 1) quit\n}\n7", ""),
    ("define f(x) { return x\nquit }\n4", ""),
    ("if (0) halt\n4", "4\n"),
    ("define f(x, x) { return 1 }\nf(1, 2)\n3", "3\n"),  # such a function is not defined
    ("define f(x) { auto x; return 1 }\nf(1)\n3", "3\n"),
    ("define f(x) { auto y, y; return 1 }\nf(1)\n3", "3\n"),
    ("define f(x, x[]) { return 1 }\nf(1, a[])\n3", "1\n3\n"),
    ("1/3", "0\n"),
    ("99999999999999999999*99999999999999999999", "9999999999999999999800000000000000000001\n"),
    ("read()\n5", "5\n"),
]


@pytest.mark.parametrize(("program", "expected"), CASES)
def test_program(utility, program, expected):
    assert utility("bc", stdin=program + "\n").stdout == expected


LIBRARY = [
    (
        "s(1); c(1); a(1); l(2); e(1); j(0,1)",
        (
            ".84147098480789650665\n.54030230586813971740\n.78539816339744830961\n"
            ".69314718055994530941\n2.71828182845904523536\n.76519768655796655144\n"
        ),
    ),
    (
        "scale=5; 4*a(1); e(2); l(10); s(.5); e(-1); a(.5); a(-3); l(0)",
        "3.14156\n7.38905\n2.30258\n.47942\n.36787\n.46364\n-1.24904\n-99999.00000\n",
    ),
    ("scale", "20\n"),
    ("1/7", ".14285714285714285714\n"),
]


@pytest.mark.parametrize(("program", "expected"), LIBRARY)
def test_library(utility, program, expected):
    assert utility("bc", "-l", stdin=program + "\n").stdout == expected


@pytest.mark.parametrize(
    ("program", "stdout", "stderr"),
    [
        ("1 +* 2; 3\n4", "4\n", "(standard_in) 1: syntax error\n"),
        ("7 $ 8\n9", "9\n", "(standard_in) 1: illegal character: $\n(standard_in) 1: syntax error\n"),
        ("1; 1/0; 2\n3", "1\n3\n", "Runtime error (func=(main)): Divide by zero\n"),
        ("1%0", "", "Runtime error (func=(main)): Modulo by zero\n"),
        ("foo(1)", "", "Runtime error (func=(main)): Function foo not defined.\n"),
        ("sqrt(-1)", "", "Runtime error (func=(main)): Square root of a negative number\n"),
        ("define z(x) { return x; }\nz(1,2)", "", "Runtime error (func=(main)): Parameter number mismatch\n"),
        ("2^1.5", "2\n", "Runtime warning (func=(main)): non-zero scale in exponent\n"),
        ("break", "", "(standard_in) 1: Break outside a for/while\n"),
    ],
)
def test_messages(utility, program, stdout, stderr):
    found = utility("bc", stdin=program + "\n")
    assert (found.stdout, found.stderr, found.status) == (stdout, stderr, 0)


def test_files_come_before_standard_input(utility):
    utility.write("lib", "define f(x) { return x+1; }\n")
    assert utility("bc", "-q", "lib", stdin="f(2)\n").stdout == "3\n"
    found = utility("bc", "none")
    assert (found.stderr, found.status) == ("File none is unavailable.\n", 1)


def test_line_length(utility):
    assert utility("bc", stdin="10^80\n", env={"BC_LINE_LENGTH": "0"}).stdout == "1" + "0" * 80 + "\n"
    assert utility("bc", stdin="10^9\n", env={"BC_LINE_LENGTH": "8"}).stdout == "100000\\\n0000\n"


def test_long_numbers(utility):
    shown = utility("bc", stdin="x=3^20000; x/3^19990; x%3; length(x)\n").stdout
    assert shown == "59049\n0\n9543\n"


@pytest.mark.parametrize(
    ("program", "limit"),
    [
        ("x=10^2000; while (1) x", "max_output_bytes"),
        ("while (1) x=1", "timeout"),
        ("2^9999999999", "max_string_bytes"),
        ("x=9; while (1) x=x*x", "max_string_bytes"),
        ("scale=999999999; 1/3", "max_string_bytes"),
        ("define f(x) { return f(x+1); }\nf(1)", "max_function_depth"),
        ("while (1) a[i++]=1", "max_words"),
        ("e(999999999)", "max_string_bytes"),
    ],
)
def test_limits(utility, program, limit):
    limits = (
        {"timeout": 0.2}
        if limit == "timeout"
        else {"max_words": 50_000, "max_string_bytes": 1 << 20, "max_output_bytes": 1 << 20}
    )
    with pytest.raises(LimitExceededError) as caught:
        utility("bc", "-l", stdin=program + "\n", **limits)
    assert caught.value.name == limit


def test_long_numbers_are_divided_as_short_ones():
    chance = random.Random(7)
    for _ in range(60):
        left, right = (chance.getrandbits(chance.choice([1, 8191, 8192, 8193, 20_000, 50_001, 90_000])) for _ in range(2))
        assert divided(left, right or 1) == divmod(left, right or 1)
        assert (floored(left, right or 1), floored(-left, right or 1)) == (left // (right or 1), -left // (right or 1))
        assert (root(left), root(left * left), root(left * left + 2 * left)) == (isqrt(left), left, left)


def test_a_sum_of_very_many_numbers(utility):
    count = 20_000
    numbers = [str(number) for number in range(1, count + 1)]
    assert utility("bc", stdin="+".join(numbers) + "\n").stdout == f"{count * (count + 1) // 2}\n"
    assert utility("bc", stdin="-".join(numbers) + "\n").stdout == f"{2 - count * (count + 1) // 2}\n"
    assert utility("bc", stdin="*".join(["1"] * count) + "*2\n").stdout == "2\n"
