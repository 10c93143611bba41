"""Python as models write it into scripts: each must print what CPython prints."""

FILES = {
    "sales.csv": "region,product,units,price\nnorth,apple,10,1.50\nsouth,pear,4,2.25\nnorth,pear,7,2.25\neast,apple,0,1.50\n",
    "users.json": '[{"id": 1, "name": "Ann", "tags": ["a", "b"]}, {"id": 2, "name": "Bob", "tags": []}, {"id": 3, "name": "Cy", "tags": ["b"]}]',
    "log.txt": "10:01 INFO start\n10:02 ERROR disk full\n10:03 WARN slow\n10:04 ERROR net down\n\n10:05 INFO end\n",
    "numbers.txt": "3\n1\n4\n1\n5\n9\n2\n6\n",
    "config.toml": '[server]\nport = 80\nhosts = ["a", "b"]\n',
}
STDIN = "alpha 1\nbeta 22\n\ngamma 333\n"

SNIPPETS = {
    "rows of a CSV": """
import csv
with open("sales.csv", newline="") as f:
    for row in csv.DictReader(f):
        print(row["region"], float(row["price"]) * int(row["units"]))
""",
    "a sum for each group": """
import csv
from collections import defaultdict
totals = defaultdict(float)
with open("sales.csv") as f:
    for row in csv.DictReader(f):
        totals[row["region"]] += int(row["units"]) * float(row["price"])
for region, total in sorted(totals.items(), key=lambda pair: -pair[1]):
    print(f"{region:<8}{total:>8.2f}")
""",
    "a CSV that is written": """
import csv
rows = [["a", 1], ["b,c", 2], ['d"e', None]]
with open("out.csv", "w", newline="") as f:
    writer = csv.writer(f)
    writer.writerow(["name", "n"])
    writer.writerows(rows)
print(open("out.csv", newline="").read().replace("\\r\\n", "\\n"))
""",
    "JSON of a file": """
import json
with open("users.json") as f:
    users = json.load(f)
print([u["name"] for u in users if u["tags"]])
print(json.dumps({u["name"]: len(u["tags"]) for u in users}, indent=2, sort_keys=True))
""",
    "JSON that is nested": """
import json
data = json.loads('{"a": {"b": [1, {"c": null}]}, "d": true, "e": 1.5, "f": "\\\\u00e9"}')
print(data["a"]["b"][1]["c"], data["d"], data["e"], data["f"])
print(json.dumps(data, separators=(",", ":"), ensure_ascii=False))
""",
    "JSON that is wrong": """
import json
try:
    json.loads("{a: 1}")
except json.JSONDecodeError as e:
    print("bad", type(e).__name__)
""",
    "a counter": """
from collections import Counter
words = "the cat the dog a cat the end".split()
for word, count in Counter(words).most_common(2):
    print(word, count)
""",
    "levels of a log": """
import re
from collections import Counter
pattern = re.compile(r"^(\\d+:\\d+) (\\w+) (.*)$")
levels = Counter()
for line in open("log.txt"):
    match = pattern.match(line.rstrip("\\n"))
    if match:
        levels[match.group(2)] += 1
print(dict(sorted(levels.items())))
""",
    "regular expressions": """
import re
text = "Mail a@b.org, c.d@e.com; call 555-1234."
print(re.findall(r"[\\w.]+@[\\w.]+\\w", text))
print(re.sub(r"(\\d{3})-(\\d{4})", r"\\2-\\1", text))
print(re.split(r"[,;]\\s*", text))
print(re.search(r"(?P<who>\\w+)@", text).group("who"))
""",
    "statistics by hand": """
numbers = [int(line) for line in open("numbers.txt")]
numbers.sort()
n = len(numbers)
mean = sum(numbers) / n
median = (numbers[n // 2 - 1] + numbers[n // 2]) / 2
variance = sum((x - mean) ** 2 for x in numbers) / (n - 1)
print(f"{mean:.3f} {median} {variance ** 0.5:.4f} {min(numbers)} {max(numbers)}")
""",
    "dates": """
from datetime import date, datetime, timedelta
start = date(2024, 2, 28)
for day in range(3):
    print((start + timedelta(days=day)).isoformat())
print((date(2024, 12, 25) - start).days)
print(datetime(2024, 3, 1, 12, 30).strftime("%Y-%m-%d %H:%M %A"))
""",
    "dates that are read": """
from datetime import datetime
moment = datetime.strptime("2024-05-06 07:08:09", "%Y-%m-%d %H:%M:%S")
print(moment, moment.weekday(), moment.isoformat())
print(datetime.fromisoformat("2024-01-02T03:04:05"))
""",
    "a table": """
rows = [("apple", 3, 1.5), ("kiwi", 12, 0.25)]
print(f"{'name':<10}|{'n':>5}|{'price':>8}")
print("-" * 25)
for name, n, price in rows:
    print(f"{name:<10}|{n:>5d}|{price:>8.2f}")
print(f"{sum(n for _, n, _ in rows):,} {0.256:.1%} {255:#x} {5:08b} {1e6:g}")
""",
    "lines of standard input": """
import sys
for number, line in enumerate(sys.stdin, 1):
    line = line.strip()
    if not line:
        continue
    name, value = line.split()
    print(number, name.title(), int(value) * 2)
""",
    "words of standard input": """
import sys
words = sys.stdin.read().split()
print(len(words), words[-1], file=sys.stdout)
""",
    "input": """
first = input()
print(first.upper())
print(input("next? "))
""",
    "arguments": """
import sys
print(len(sys.argv), sys.argv[1:])
name = sys.argv[1] if len(sys.argv) > 1 else "nobody"
print(f"hello {name}")
""",
    "an exit status": """
import sys
def main():
    print("working")
    return 4
if __name__ == "__main__":
    sys.exit(main())
""",
    "an exit with a message": """
import sys
try:
    sys.exit("it failed")
finally:
    print("cleaned up")
""",
    "an exit by its exception": """
print("before")
raise SystemExit(7)
""",
    "an uncaught exception": """
def divide(a, b):
    return a / b
print("so far")
divide(1, 0)
""",
    "an exception of a key": """
try:
    {"a": 1}["b"]
except KeyError as error:
    print("missing", error)
else:
    print("no")
finally:
    print("done")
""",
    "exceptions that are raised": """
def check(value):
    if value > 2:
        raise ValueError(f"{value} is too large")
    return value
for value in range(5):
    try:
        print(check(value))
    except (TypeError, ValueError) as failure:
        print("failed:", failure)
""",
    "comprehensions": """
matrix = [[1, 2, 3], [4, 5, 6]]
print([list(row) for row in zip(*matrix)])
print({x: x * x for x in range(4)}, {x % 3 for x in range(9)})
print([x for row in matrix for x in row if x % 2])
""",
    "sorting": """
people = [("Ann", 31), ("Bob", 25), ("Cy", 31)]
print(sorted(people, key=lambda p: (-p[1], p[0])))
print(max(people, key=lambda p: p[1]), sorted("banana", reverse=True)[:3])
""",
    "strings": """
text = "  Hello, World!  "
print(text.strip().lower().replace("world", "there"), text.count("l"), text.find("W"))
print("-".join(reversed("abc")), "abc"[::-1], "a,b,,c".split(","), "x".zfill(3), "ab".center(6, "*"))
print("path/to/file.txt".rsplit("/", 1)[-1].partition("."), "Tab\\tsep".expandtabs(4))
print("%s has %d (%.1f)" % ("it", 3, 2.5), "{:>5}|{!r}".format("x", "y"))
""",
    "files": """
import os
os.makedirs("made/deep", exist_ok=True)
with open("made/deep/a.txt", "w") as f:
    f.write("one\\n")
with open("made/deep/a.txt", "a") as f:
    f.write("two\\n")
print(open("made/deep/a.txt").read().splitlines(), os.path.exists("made/none"), sorted(os.listdir("made")))
os.rename("made/deep/a.txt", "made/b.txt")
os.remove("made/b.txt")
print(os.path.isdir("made/deep"), os.path.basename("/x/y.z"), os.path.splitext("y.tar.gz"), os.path.join("a", "b"))
""",
    "paths": """
from pathlib import Path
folder = Path("some") / "place"
folder.mkdir(parents=True, exist_ok=True)
(folder / "note.txt").write_text("first\\nsecond\\n")
note = folder / "note.txt"
print(note.name, note.stem, note.suffix, note.parent, note.exists(), note.read_text().count("\\n"))
print([p.name for p in sorted(Path(".").glob("*.csv"))], [str(p) for p in Path("some").rglob("*.txt")])
print(Path("nothing").exists(), Path("a/b").with_suffix(".c"))
""",
    "a file that is not there": """
try:
    open("nowhere.txt")
except FileNotFoundError:
    print("not there")
""",
    "variables of the shell": """
import os
print(os.environ["GREETING"], os.environ.get("NOTHING", "unset"), os.getenv("GREETING"))
""",
    "classes": """
class Account:
    rate = 0.1
    def __init__(self, owner, balance=0):
        self.owner = owner
        self.balance = balance
    def deposit(self, amount):
        if amount <= 0:
            raise ValueError("amount must be positive")
        self.balance += amount
        return self
    def __repr__(self):
        return f"Account({self.owner!r}, {self.balance})"
account = Account("Ann").deposit(50).deposit(25)
print(account, Account.rate * account.balance)
try:
    account.deposit(-1)
except ValueError as error:
    print(error)
""",
    "data classes": """
from dataclasses import dataclass, field
@dataclass
class Point:
    x: int
    y: int = 0
    tags: list = field(default_factory=list)
p = Point(3)
p.tags.append("a")
print(p, p == Point(3, 0, ["a"]))
""",
    "itertools": """
import itertools
print(list(itertools.chain([1], [2, 3])), list(itertools.islice(itertools.count(5), 3)))
print([(k, len(list(g))) for k, g in itertools.groupby("aabccc")])
print(list(itertools.combinations("abc", 2)), list(itertools.product([0, 1], repeat=2)))
print(list(itertools.accumulate([1, 2, 3])))
""",
    "functools": """
from functools import reduce, lru_cache
print(reduce(lambda a, b: a * b, range(1, 6)))
@lru_cache(maxsize=None)
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)
print(fib(50))
""",
    "mathematics": """
import math
print(math.sqrt(2), math.pi, math.floor(-1.5), math.ceil(1.2), math.gcd(12, 18), math.factorial(10))
print(round(2.71828, 2), round(-0.5), 7 // -2, 7 % -2, divmod(17, 5), 2 ** 100, abs(-3.5), 10 / 4)
print(float("inf") > 1, math.isclose(0.1 + 0.2, 0.3), sum([0.1] * 3), int("ff", 16), hex(255), bin(5))
""",
    "decimals": """
from decimal import Decimal
print(Decimal("0.10") + Decimal("0.20"), Decimal("1") / Decimal("3"), Decimal("2.675").quantize(Decimal("0.01")))
""",
    "hashes": """
import hashlib, base64
print(hashlib.sha256(b"hello").hexdigest(), hashlib.md5("é".encode()).hexdigest())
print(base64.b64encode(b"hi there").decode(), base64.b64decode("aGk=").decode())
""",
    "slices and unpacking": """
first, *middle, last = [1, 2, 3, 4, 5]
print(first, middle, last, [*range(3), *"ab"], {**{"a": 1}, "b": 2})
numbers = list(range(10))
print(numbers[2:8:3], numbers[-3:], numbers[::-2])
a, b = 1, 2
a, b = b, a
print(a, b)
""",
    "a while loop": """
n, steps = 27, 0
while n != 1:
    n = n // 2 if n % 2 == 0 else 3 * n + 1
    steps += 1
print(steps)
for i in range(3):
    if i == 5:
        break
else:
    print("no break")
""",
    "match": """
def kind(value):
    match value:
        case {"type": "user", "name": str(name)}:
            return f"user {name}"
        case [x, y]:
            return f"pair {x} {y}"
        case int() | float():
            return "number"
        case _:
            return "other"
print(kind({"type": "user", "name": "Ann"}), kind([1, 2]), kind(1.5), kind("x"))
""",
    "walrus and conditions": """
data = [1, 5, 2, 8]
if (n := len(data)) > 3:
    print(f"{n} items", "many" if n > 10 else "few", any(x > 7 for x in data), all(data))
print(1 < 2 < 3, not [], None is None, [] or "default")
""",
    "bytes": """
data = "héllo".encode("utf-8")
print(data, len(data), data.decode(), data[1:3].hex(), bytes.fromhex("4142"))
""",
    "enumerate and zip": """
for index, (letter, number) in enumerate(zip("abc", [10, 20, 30]), start=1):
    print(index, letter, number, sep=":", end=";")
print()
print(dict(zip(["x", "y"], [1, 2])), list(map(str, [1, 2])), list(filter(None, [0, 1, "", "x"])))
""",
    "sets": """
a, b = {1, 2, 3}, {2, 3, 4}
print(sorted(a & b), sorted(a | b), sorted(a - b), sorted(a ^ b), a.issubset({1, 2, 3, 4}), frozenset([1]) in {frozenset([1])})
""",
    "nested functions": """
def counter(start=0):
    value = start
    def step(by=1, *args, **options):
        nonlocal value
        value += by + sum(args) + options.get("extra", 0)
        return value
    return step
step = counter(10)
print(step(), step(5), step(1, 2, 3, extra=4))
""",
    "a heap and a queue": """
from collections import deque, namedtuple
queue = deque([1, 2, 3], maxlen=3)
queue.append(4)
queue.rotate(1)
Point = namedtuple("Point", "x y")
print(list(queue), queue.popleft(), Point(1, 2).x, Point(1, 2))
""",
    "bisection": """
import bisect
scores = [10, 20, 30]
bisect.insort(scores, 25)
print(scores, bisect.bisect_left(scores, 20))
""",
    "TOML": """
import tomllib
with open("config.toml", "rb") as f:
    config = tomllib.load(f)
print(config["server"]["port"], config["server"]["hosts"])
""",
    "random numbers with a seed": """
import random
random.seed(7)
values = [random.randint(1, 6) for _ in range(5)]
print(values, random.choice("abc"), round(random.random(), 6))
""",
    "copies": """
import copy
a = {"x": [1, 2]}
b = copy.deepcopy(a)
b["x"].append(3)
print(a, b)
""",
    "asynchronous functions": """
import asyncio
async def work(n):
    await asyncio.sleep(0)
    return n * n
async def main():
    print(await asyncio.gather(*(work(n) for n in range(4))))
asyncio.run(main())
""",
    "standard error": """
import sys
print("to stdout")
print("to stderr", file=sys.stderr)
sys.stdout.write("written\\n")
""",
    "JSON to standard output": """
import json, sys
json.dump({"a": [1, 2]}, sys.stdout)
print()
""",
    "a join of two files": """
import csv, json
names = {u["id"]: u["name"] for u in json.load(open("users.json"))}
orders = [(1, 9.5), (3, 2.0), (1, 0.5), (4, 1)]
totals = {}
for user, amount in orders:
    totals[names.get(user, "?")] = totals.get(names.get(user, "?"), 0) + amount
print(totals)
""",
    "types": """
from typing import Any, Optional
def describe(value: Any, unit: Optional[str] = None) -> str:
    return f"{type(value).__name__} {isinstance(value, (int, float))} {unit}"
print(describe(1), describe("x", "m"), describe(None), type([]), int)
""",
    "numbered lines of a file": """
with open("log.txt") as f:
    for number, line in enumerate(f, start=1):
        if "ERROR" in line:
            print(number, line, end="")
print(sorted(open("numbers.txt"))[0], max(len(line) for line in open("log.txt")), next(open("log.txt")))
""",
    "string methods on lines": """
lines = open("log.txt").readlines()
print(len(lines), [line.split(maxsplit=2)[1] for line in lines if line.strip()], lines[0].startswith("10"))
print(sum(1 for line in lines if "ERROR" in line))
""",
    "assertions": """
values = [1, 2, 3]
assert sum(values) == 6, "the sum is wrong"
assert len(values) == 4, f"expected 4, got {len(values)}"
""",
    "other ways to import": """
import os.path
from os import path, getcwd
from collections import Counter as C
import json as j, re
print(path.join("a", "b"), os.path.dirname("/x/y"), C("aab")["a"], j.dumps([1]), bool(re.match("a", "ab")))
""",
    "text in several lines": '''
query = """
SELECT name
FROM users
"""
print(query.strip().splitlines())
print("""a
  b""")
''',
    "global names": """
total = 0
def add(n):
    global total
    total += n
for n in range(5):
    add(n)
print(total)
""",
}

# What Monty 1.4 cannot do, with what it says; the documentation has the same list.
LACKING = {
    "yield": ("x = 1\ndef f():\n    yield x", "line 3", "does not support yield expressions"),
    "del": ("x = 1\ndel x", "line 2", "does not support the 'del' statement"),
    "a class with a base class": ("x = 1\nclass A(Exception):\n    pass", "line 2", "does not support class inheritance"),
    "a method of a built-in type by itself": ("x = 1\nlist(map(str.upper, 'ab'))", "line 2", "'str' has no attribute 'upper'"),
    "globals": ("x = 1\nglobals()", "line 2", "name 'globals' is not defined"),
    "bytes of numbers": ("x = 1\nbytes([65])", "line 2", "cannot convert 'list' object to bytes"),
    "a module": ("x = 1\nimport statistics", "line 2", "No module named 'statistics'; this Python has asyncio, "),
    "a module of the host": ("x = 1\nimport subprocess", "line 2", "No module named 'subprocess'; this Python has asyncio, "),
}
