import textwrap

import pytest

from bashkit.toolset import load

MODULE = """
import asyncio

def function(args): return {"got": args["id"]}
async def later(args): return {"got": args["id"]}
def two(args, more): return 1
def none(): return 1
def optional(args, more=1): return {"got": args["id"]}

class Client:
    @staticmethod
    def static(args): return {"got": args["id"]}
    @classmethod
    def made(cls, args): return {"got": args["id"]}
    @staticmethod
    async def async_static(args): return {"got": args["id"]}
    def method(self, args): return {"got": args["id"]}
    async def async_method(self, args): return {"got": args["id"]}
    def __call__(self, args): return {"got": args["id"]}
    class Inner:
        @staticmethod
        def static(args): return {"got": args["id"]}
    @property
    def moody(self): raise RuntimeError("not today")

class Later:
    async def __call__(self, args): return {"got": args["id"]}

client = Client()
later_client = Later()
VALUE = 3
"""
TEXT = """\
version: 1
name: t
tools:
  - name: get
    input_schema: {{type: object, properties: {{id: {{type: integer}}}}}}
    callback: {{python: {0}}}
"""


@pytest.fixture
def module(folder, request):
    """A module of its own name: what is imported stays imported for the whole test run."""
    name = f"targets_{abs(hash(request.node.name))}"
    folder.write(f"{name}/__init__.py", "")
    folder.write(f"{name}/api.py", MODULE)
    return f"{name}.api"


@pytest.mark.parametrize(
    "target",
    [
        "function", "later", "optional", "Client.static", "Client.made", "Client.async_static", "Client.Inner.static",
        "client.method", "client.async_method", "client", "later_client", "client.static",
    ],
)  # fmt: skip
def test_y01_everything_that_can_be_called_can_be_a_target(folder, module, target):
    assert folder.problems(TEXT.format(f"{module}.{target}"), resolve=True) == []
    toolset = load(folder.path / "t.yaml", environ={})
    assert toolset.tool.execute_sync("get --id 7").stdout == '{"got":7}\n'


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("two", "MODULE.two(args, more) needs args, which input_schema does not declare"),
        ("none", "MODULE.none() has no parameter id, which input_schema declares"),
        (
            "Client.method",
            "MODULE.Client.method is a method of the objects of MODULE.Client: make it a static or class method, or name an object that has it",
        ),
        ("Client", "MODULE.Client is a class, not a function: name a static or class method, or an object of it"),
        ("VALUE", "MODULE.VALUE is an int, not a function"),
        ("Clint.static", "the module MODULE has no class or object Clint (did you mean MODULE.Client?)"),
        ("Client.statik", "the class MODULE.Client has no function statik (did you mean MODULE.Client.static?)"),
        ("client.metod", "the Client MODULE.client has no function metod (did you mean MODULE.client.method?)"),
        ("client.moody", "MODULE.client.moody cannot be read: RuntimeError: not today"),
    ],
)
def test_y03_what_cannot_be_a_target_is_reported_with_its_place(folder, module, target, message):
    found = folder.problems(TEXT.format(f"{module}.{target}"), resolve=True)
    assert found == ["6:24: " + message.replace("MODULE", module)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1\ny = 1 / 0\n", "NAME.py:2: ZeroDivisionError: division by zero"),
        ("import json\njson.loads('[')\n", "NAME.py:2: JSONDecodeError: Expecting value: line 1 column 2 (char 1)"),
        ("def f(args):\n    return (\n", "NAME.py:2:12: SyntaxError: '(' was never closed"),
        (
            "def f(args):\nreturn 1\n",
            "NAME.py:2:1: IndentationError: expected an indented block after function definition on line 1",
        ),
        ("\nimport no_such_dependency_y03\n", "NAME.py:2: there is no module no_such_dependency_y03"),
        ("import sys\nsys.exit(3)\n", "NAME.py:2: SystemExit: 3"),
        ("def g():\n    raise KeyError\n\ng()\n", "NAME.py:2: KeyError"),
    ],
)
def test_y03_a_module_that_cannot_be_imported_says_where(folder, text, message, request):
    name = f"module_{abs(hash(request.node.name))}"
    folder.write(f"{name}.py", textwrap.dedent(text))
    assert folder.problems(TEXT.format(f"{name}.f"), resolve=True) == [
        f"6:24: {name} cannot be imported: {message.replace('NAME', name)}"
    ]


def test_y03_the_error_of_a_module_that_is_imported_by_another_is_found_there(folder):
    folder.write("outer_y03/__init__.py", "")
    folder.write("outer_y03/api.py", "from outer_y03 import inner\n")
    folder.write("outer_y03/inner.py", "\n\nraise ValueError('no')\n")
    found = folder.problems(TEXT.format("outer_y03.api.f"), resolve=True)
    assert found == ["6:24: outer_y03.api cannot be imported: outer_y03/inner.py:3: ValueError: no"]
