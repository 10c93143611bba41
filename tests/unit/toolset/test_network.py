"""The key ``network``: what curl and wget may reach in the scripts of a toolset."""

import pytest

from bashkit.toolset import load

HEAD = "version: 1\nname: t\nsecrets: [TOKEN]\nenv: {REGION: eu}\ntools: [{name: a, stub: 1}]\n"


def test_nothing_is_reached_without_it(folder):
    response = load(folder.write("t.yaml", HEAD), environ={}).tool.execute_sync("curl -sS https://api.example.com")
    assert response.exit_code != 0
    assert "network" in response.stderr


def test_hosts_methods_and_limits(folder):
    text = "network: {allow: [api.example.com], methods: [GET, POST], timeout: 5s, max_redirects: 2, max_response_bytes: 100}\n"
    policy = load(folder.write("t.yaml", HEAD + text), environ={}).options["network"]
    assert policy.refusal("POST", "https", "api.example.com", 443) is None
    assert policy.refusal("PUT", "https", "api.example.com", 443) is not None
    assert policy.refusal("GET", "https", "example.com", 443) is not None
    assert (policy.timeout, policy.max_redirects, policy.max_response_bytes, policy.allow_private) == (5.0, 2, 100, False)


def test_headers_are_filled_from_env_and_secrets(folder):
    text = "network: {allow: ['*.example.com'], headers: {api.example.com: {Authorization: 'Bearer ${TOKEN}', X-Region: '${REGION}'}}}\n"
    toolset = load(folder.write("t.yaml", HEAD + text), environ={"TOKEN": "hunter2"})
    assert toolset.options["network"].credentials("https", "api.example.com", 443) == {
        "Authorization": "Bearer hunter2",
        "X-Region": "eu",
    }
    assert toolset.options["network"].credentials("https", "other.example.com", 443) == {}
    assert "hunter2" not in repr(toolset)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("network: {}\n", "6:10: "),
        ("network: {allow: [not a host]}\n", "6:1: 'not a host' is not a host"),
        ("network: {allow: [a.example.com], methods: [get]}\n", "6:45: "),
        ("network: {allow: [a.example.com], headers: {a.example.com: {A: '${OTHER}'}}}\n", "6:64: the variable OTHER is not set"),
        ("network: {allow: [a.example.com], timeout: soon}\n", "6:44: a duration is"),
        ("network: {alow: [a.example.com]}\n", "6:10: "),
    ],
)
def test_mistakes_have_their_place(folder, text, problem):
    found = folder.problems(HEAD + text, environ={"TOKEN": "x"})
    assert any(one.startswith(problem) for one in found), found
