"""Typed functions as tools: their signatures declare the flags, and they are called with their own arguments."""

from __future__ import annotations

import dataclasses
import datetime as dt
import decimal
import enum
import functools
import pathlib
import re
import typing
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

import pytest

from bashkit.errors import DefinitionError
from bashkit.tools import FunctionTool, ScriptedTool, ToolDef, tool
from bashkit.tools.typed import docstrings, signature
from bashkit.tools.typed.binding import takes_tool_args

if TYPE_CHECKING:
    from bashkit.tools import ToolArgs


class Size(enum.Enum):
    SMALL = "small"
    LARGE = "large"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


@dataclasses.dataclass
class Address:
    city: str
    zip: str = ""
    lines: list[str] = dataclasses.field(default_factory=list)


class Options(typing.TypedDict):
    fast: bool
    name: typing.NotRequired[str]


class Row(typing.NamedTuple):
    id: int
    name: str = ""


@pytest.fixture(params=["pydantic", "basic"])
def translator(request, monkeypatch):
    if request.param == "pydantic":
        pytest.importorskip("pydantic", reason="it does the work where it is installed")
    monkeypatch.setattr(signature, "has_pydantic", lambda: request.param == "pydantic")
    return request.param


def run(function, script):
    response = ScriptedTool("t", tools=[function]).execute_sync(script)
    return response.stdout or response.stderr


# -- calling -----------------------------------------------------------------------------------------------------------

KINDS = [
    (str, "x", "'x'"),
    (int, "7", "7"),
    (float, "7", "7.0"),
    (bool, "true", "True"),
    (Literal["a", "b"], "b", "'b'"),
    (Size, "large", "<Size.LARGE: 'large'>"),
    (Level, "2", "<Level.HIGH: 2>"),
    (list[int], "1,2", "[1, 2]"),
    (Sequence[str], "a,b", "['a', 'b']"),
    (tuple[int, ...], "1,2", "(1, 2)"),
    (tuple[int, str], "'[1,\"x\"]'", "(1, 'x')"),
    (set[int], "1,2", "{1, 2}"),
    (frozenset[str], "a", "frozenset({'a'})"),
    (dict[str, int], "a=1,b=2", "{'a': 1, 'b': 2}"),
    (Mapping[str, Size], "a=small", "{'a': <Size.SMALL: 'small'>}"),
    (int | None, "7", "7"),
    (int | str, "x", "'x'"),
    (dt.date, "2026-02-01", "datetime.date(2026, 2, 1)"),
    (dt.datetime, "2026-02-01T03:04:05Z", "datetime.datetime(2026, 2, 1, 3, 4, 5, tzinfo=UTC)"),
    (dt.time, "03:04", "datetime.time(3, 4)"),
    (uuid.UUID, str(uuid.UUID(int=1)), "UUID('00000000-0000-0000-0000-000000000001')"),
    (decimal.Decimal, "1.10", "Decimal('1.10')"),
    (pathlib.Path, "/a/b", "PosixPath('/a/b')"),
    (Address, "city=Rome", "Address(city='Rome', zip='', lines=[])"),
    (list[Address], '\'[{"city":"Rome"}]\'', "[Address(city='Rome', zip='', lines=[])]"),
    (Options, "fast=true", "{'fast': True}"),
    (Row, "id=1", "Row(id=1, name='')"),
    (Annotated[int, "A number"], "7", "7"),
]


@pytest.mark.parametrize(("kind", "word", "expected"), KINDS, ids=[str(kind[0]) for kind in KINDS])
def test_an_argument_is_converted_to_its_annotation(translator, kind, word, expected):
    def show(value):
        return repr(value)

    show.__annotations__ = {"value": kind}
    found = run(tool(show), f"show --value {word}")
    assert re.sub(r"datetime.timezone.utc|TzInfo\((UTC|0)\)", "UTC", found) == expected


def test_defaults_of_the_function_apply(translator):
    @tool
    def show(size: Size = Size.SMALL, tags: tuple[str, ...] = ("a",), address: Address | None = None) -> str:
        return repr((size, tags, address))

    assert run(show, "show") == "(<Size.SMALL: 'small'>, ('a',), None)"
    assert run(show, "show --address.city Rome") == "(<Size.SMALL: 'small'>, ('a',), Address(city='Rome', zip='', lines=[]))"


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("show --number x", "show: --number: expected integer, got 'x'\n"),
        ("show --day 2026-02-31", "show: --day: expected string (date), got '2026-02-31'\n"),
        ("show --size medium", "show: --size: expected one of small, large, got 'medium'\n"),
        ("show --nme x", "show: --nme is not a parameter"),
    ],
)
def test_what_does_not_fit_is_refused_as_for_any_tool(translator, script, message):
    @tool
    def show(number: int = 1, day: dt.date = dt.date(2026, 1, 1), size: Size = Size.SMALL) -> str:
        return "shown"

    assert run(show, script).startswith(message)


def test_what_only_the_type_can_refuse_is_refused_too(translator):
    @tool
    def show(at: dt.time) -> str:
        return "shown"

    found = ScriptedTool("t", tools=[(ToolDef("show", input_schema={"properties": {"at": {}}}), show.function)]).execute_sync(
        "show --at noon"
    )
    assert found.exit_code == 2
    assert found.stderr.startswith("show: --at: ")


def test_a_wrong_duration_is_told_with_a_right_one():
    pytest.importorskip("pydantic", reason="it reads durations")

    def pause(length: dt.timedelta) -> str:
        return str(length)

    assert run(tool(pause), "pause --length PT1H") == "1:00:00"
    assert run(tool(pause), "pause --length 1h") == "pause: --length: expected a duration such as PT1H30M\n"


def test_models_of_pydantic_validate_and_are_given():
    pydantic = pytest.importorskip("pydantic")

    class Item(pydantic.BaseModel):
        sku: str
        count: int = pydantic.Field(1, ge=1, description="How many")

    def order(items, limit):
        return [type(item).__name__ for item in items] + [limit]

    order.__annotations__ = {"items": list[Item], "limit": Annotated[int, pydantic.Field(ge=3, description="At most")]}
    made = tool(order)
    assert run(made, 'order --items \'[{"sku":"x"}]\' --limit 3') == '["Item",3]\n'
    assert "--limit: expected at least 3, got 2" in run(made, "order --items sku=x --limit 2")
    schema = made.definition.input_schema
    assert schema["properties"]["limit"] == {"type": "integer", "minimum": 3, "description": "At most"}
    assert schema["properties"]["items"] == {"type": "array", "items": {"$ref": "#/$defs/Item"}}
    assert schema["$defs"]["Item"]["properties"]["count"]["description"] == "How many"


def test_async_functions_and_generators_are_tools(translator):
    @tool
    async def later(n: int) -> int:
        return n + 1

    @tool
    def count(n: int) -> Iterator[int]:
        yield from range(n)

    @tool
    async def count_later(n: int):
        for number in range(n):
            yield number

    made = ScriptedTool("t", tools=[later, count, count_later])
    assert made.execute_sync("later 1; count 2; count_later 2").stdout == "2\n0\n1\n0\n1\n"


def test_special_parameters(translator):
    @tool
    def show(first: int, /, from_: str, *, only: bool = False, **others: str) -> str:
        return repr((first, from_, only, others))

    assert run(show, "show --first 1 --from x --only --more y") == "(1, 'x', True, {'more': 'y'})"


def test_a_parameter_annotated_tool_args_gets_them(translator):
    @tool
    def show(user: str, args: ToolArgs) -> str:
        return f"{user} {args.stdin} {dict(args)}"

    assert run(show, "echo in | show --user me") == "me in\n {'user': 'me'}"
    assert "args" not in show.definition.input_schema["properties"]


def test_methods_wrapped_functions_and_partials_are_tools(translator):
    def logged(function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            return f"logged {function(*args, **kwargs)}"

        return wrapper

    class Shop:
        name = "shop"

        @tool
        def get(self, number: int) -> str:
            """Get one."""
            return f"{self.name} {number}"

    @tool
    @logged
    def show(number: int) -> str:
        return repr(number)

    assert run(Shop().get, "get 1") == "shop 1"
    assert run(show, "show 1") == "logged 1"
    assert run(tool(name="two")(functools.partial(show, number=2)), "two") == "logged 2"


# -- which functions take their own arguments --------------------------------------------------------------------------


def with_annotation(kind: Any) -> Callable[..., Any]:
    def function(args):
        return None

    function.__annotations__ = {"args": kind}
    return function


class Client:
    def method(self, args):
        return None

    def __call__(self, args: ToolArgs):
        return None


@pytest.mark.parametrize(
    ("function", "properties", "expected"),
    [
        (lambda args: None, (), True),
        (lambda whatever: None, ("id",), True),
        (lambda user: None, ("user",), False),
        (lambda args: None, ("args",), True),
        (with_annotation("ToolArgs"), ("args",), True),
        (with_annotation("bashkit.ToolArgs"), ("args",), True),
        (with_annotation("Mapping[str, Any]"), (), True),
        (with_annotation(Any), (), True),
        (with_annotation("int"), (), False),
        (with_annotation("list[str]"), ("args",), False),
        (lambda args, bound=1: None, (), True),
        (lambda args=None: None, (), True),
        (lambda author, limit=3: None, ("author", "limit"), False),
        (lambda author, limit=3: None, None, False),
        (lambda whatever: None, None, True),
        (lambda a, b: None, (), False),
        (lambda a, *, b: None, (), False),
        (lambda *given: None, ("id",), True),
        (lambda **given: None, (), False),
        (lambda: None, (), False),
        (print, ("id",), True),
        (Client().method, (), True),
        (Client(), (), True),
    ],
)
def test_which_functions_take_the_tool_args(function, properties, expected):
    assert takes_tool_args(function, properties) == expected


def test_a_function_of_a_declared_tool_gets_the_arguments_it_names():
    schema = {"properties": {"author": {"type": "string"}, "limit": {"type": "integer"}, "user-id": {}}}

    def books(author, limit=3, user_id=None):
        return [author, limit, user_id]

    made = ScriptedTool("t", tools=[(ToolDef("books", input_schema=schema), books)])
    assert (
        made.execute_sync("books --author Ada; books --author Bob --limit 1 --user-id 7").stdout
        == '["Ada",3,null]\n["Bob",1,7]\n'
    )


def test_an_argument_that_the_function_needs_and_the_tool_does_not_declare_is_named():
    made = ScriptedTool("t", tools=[(ToolDef("books", input_schema={"properties": {"a": {}}}), lambda a, b: None)])
    assert made.execute_sync("books --a 1").stderr == "books: <lambda> needs b, which the tool does not require\n"


# -- declaring ---------------------------------------------------------------------------------------------------------


def test_the_definition_comes_from_the_function(translator):
    @tool(effects="read", tags=("a",), name="orders")
    def list_orders(user: int, size: Size = Size.SMALL, note: Annotated[str | None, "A note"] = None) -> list[Row]:
        """List the orders.

        Only those of this year.

        Args:
            user: Whose orders,
                by number.
        """

    definition = list_orders.definition
    assert (definition.name, definition.effects, definition.tags) == ("orders", "read", ("a",))
    assert definition.description == "List the orders.\n\nOnly those of this year."
    properties = definition.input_schema["properties"]
    assert properties["user"] == {"type": "integer", "description": "Whose orders, by number."}
    assert properties["size"] == {"type": "string", "enum": ["small", "large"], "default": "small"}
    assert properties["note"]["description"] == "A note"
    assert definition.input_schema["required"] == ["user"]
    assert definition.input_schema["additionalProperties"] is False
    assert list_orders.__name__ == "list_orders"
    assert list_orders(1) is None
    text = ScriptedTool("t", tools=[list_orders]).execute_sync("orders --help").stdout
    assert "id" in text.partition("Output:")[2]


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (int, {"type": "integer"}),
        (dict[str, int], {"type": "object", "additionalProperties": {"type": "integer"}}),
        (Iterator[int], {"type": "integer"}),
        (list[int], {"type": "array", "items": {"type": "integer"}}),
        (str, None),
        (None, None),
        (Any, None),
        ("Unknown", None),
        (Callable[[], int], None),
    ],
)
def test_the_output_schema_is_that_of_the_result_or_of_each_item(translator, kind, expected):
    def show():
        return None

    show.__annotations__ = {"return": kind}
    assert tool(show).definition.output_schema == expected


def test_results_fit_the_schemas_that_are_derived_from_them(translator):
    @tool(validate_output="error")
    def rows() -> list[Row]:
        return [Row(1, "a")]

    @tool(validate_output="error")
    def items() -> Iterator[Address]:
        yield Address("Rome")

    made = ScriptedTool("t", tools=[rows, items])
    assert made.execute_sync("rows; items").stdout == '[{"id":1,"name":"a"}]\n{"city":"Rome","zip":"","lines":[]}\n'


@pytest.mark.parametrize(
    ("annotation", "message"),
    [("Missing", "the annotation of x cannot be read: NameError: name 'Missing' is not defined"), ("Callable[[], int]", "")],
)
def test_an_annotation_that_is_not_json_is_an_error(translator, annotation, message):
    def show(x, y):
        return None

    show.__annotations__ = {"x": annotation}
    with pytest.raises(DefinitionError, match="parameter x: " + message):
        assert tool(show).definition


def test_a_parameter_without_a_name_for_callers_is_an_error():
    def show(*names: str, loud: bool = False):
        return None

    with pytest.raises(DefinitionError, match=r"parameter \*names: .* names: list\[str\]"):
        assert tool(show).definition


def test_what_is_no_function_cannot_be_a_tool():
    with pytest.raises(DefinitionError, match="tool makes a tool of a function, not of 5"):
        tool(5)


def test_an_unknown_option_is_an_error():
    with pytest.raises(DefinitionError, match="colour"):
        assert tool(colour="red")(dict).definition


def test_the_builder_and_add_tool_take_decorated_functions():
    @tool
    def one(n: int) -> int:
        return n

    built = ScriptedTool.builder("t").tool(one).build()
    built.add_tool(FunctionTool(lambda n=1: n, name="two", input_schema={"properties": {"n": {}}}))
    assert built.execute_sync("one 1; two --n 2").stdout == "1\n2\n"
    with pytest.raises(DefinitionError, match="has no callback"):
        ScriptedTool.builder("t").tool(ToolDef("x"))


def test_a_default_may_be_a_field_of_pydantic():
    pydantic = pytest.importorskip("pydantic", reason="pydantic is not installed")

    whose, most, none = pydantic.Field(description="Whose"), pydantic.Field(20, ge=1), pydantic.Field(default_factory=list)

    @tool
    def seek(name: str = whose, limit: "int" = most, tags: list[str] = none) -> str:  # noqa: UP037
        tags.append("seen")
        return f"{name} {limit} {tags}\n"

    assert seek.definition.input_schema == {
        "type": "object",
        "properties": {
            "name": {"type": "string", "description": "Whose"},
            "limit": {"type": "integer", "minimum": 1, "default": 20},
            "tags": {"type": "array", "items": {"type": "string"}, "default": []},
        },
        "required": ["name"],
        "additionalProperties": False,
    }
    shell = ScriptedTool("t", tools=[seek])
    assert shell.execute_sync("seek Ada; seek Ada --limit 2 --tags a").stdout == "Ada 20 ['seen']\nAda 2 ['a', 'seen']\n"
    assert shell.execute_sync("seek Ada --limit 0").stderr.startswith("seek: --limit: expected at least 1, got 0\n")
    plain = ToolDef("get", "", {"properties": {"name": {}, "limit": {}}, "required": ["name"]})
    assert ScriptedTool("t", tools=[(plain, seek.function)]).execute_sync("get Ada; get Ada --limit 0").to_dict() == {
        "stdout": "Ada 20 ['seen']\n",
        "stderr": "get: --limit: input should be greater than or equal to 1\n",
        "exit_code": 2,
    }


# -- docstrings --------------------------------------------------------------------------------------------------------

GOOGLE = """Do it.

    Really.

    Args:
        a (int): The first,
            in two lines.
        *rest: The others.
        b: The second: with a colon.

    Returns:
        c: Nothing of interest.
    """
NUMPY = """Do it.

    Really.

    Parameters
    ----------
    a : int
        The first,
        in two lines.
    b, rest
        The second: with a colon.

    Returns
    -------
    c : int
        Nothing of interest.
    """
SPHINX = """Do it.

    Really.

    :param int a: The first,
        in two lines.
    :param b: The second: with a colon.
    :type b: str
    :returns: Nothing of interest.
    """


@pytest.mark.parametrize("text", [GOOGLE, NUMPY, SPHINX])
def test_docstrings_explain_parameters(text):
    found = docstrings.read(text)
    assert found.description == "Do it.\n\nReally."
    assert found.parameters["a"] == "The first, in two lines."
    assert found.parameters["b"] == "The second: with a colon."
    assert "c" not in found.parameters


@pytest.mark.parametrize(("text", "description"), [(None, ""), ("One line.", "One line."), ("a: b\nc", "a: b\nc")])
def test_other_docstrings_are_descriptions(text, description):
    assert docstrings.read(text) == docstrings.Documentation(description)
