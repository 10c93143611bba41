"""Every part of an OpenAPI document replaced by what does not belong there: it becomes tools, or mistakes with places, and no error of ours."""

import copy
import json

import pytest
import yaml

from bashkit.errors import ToolsetError
from bashkit.toolset import load

from .test_openapi import PETS
from .test_swagger import API

WRONG = ([[1]], {"$ref": "#"})
MORE = (None, "\ud800", 1.5, True, "", [], {}, [{}], {"a": []}, {"$ref": "#/none"})
EACH = [*WRONG, *(pytest.param(wrong, marks=pytest.mark.thorough) for wrong in MORE)]


def places(value, path=()):
    """The path of every part."""
    if path:
        yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in items:
        yield from places(part, (*path, key))


def replaced(document, path, wrong):
    document = copy.deepcopy(document)
    above = document
    for key in path[:-1]:
        above = above[key]
    above[path[-1]] = wrong
    return document


@pytest.mark.parametrize("wrong", EACH, ids=json.dumps)
@pytest.mark.parametrize("text", [PETS, API], ids=["openapi", "swagger"])
def test_y02_a_damaged_document(folder, text, wrong):
    document = yaml.safe_load(text)
    toolset = folder.write("t.yaml", "version: 1\nname: t\nsources:\n  - openapi: api.json\n    base_url: http://localhost/\n")
    for path in places(document):
        folder.write("api.json", json.dumps(replaced(document, path, wrong)))
        try:
            load(toolset, environ={}).tools  # noqa: B018 - reads the document
        except ToolsetError as error:
            assert error.problems and all(problem.line for problem in error.problems), path
