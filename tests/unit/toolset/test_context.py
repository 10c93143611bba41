import os

import pytest

from bashkit.toolset import load

FILES = {
    "agents/default/soul.md": "I am.\n",
    "agents/default/context/b.md": "Two.\n",
    "agents/default/context/a.md": "One.\n",
    "agents/default/context/notes.txt": "not this\n",
    "agents/default/context/deep/c.md": "nor this\n",
    "agents/default/README.md": "nor that\n",
    "agents/no-soul/context/a.md": "One.\n",
    "agents/soul-only/soul.md": "I am.\n",
    "agents/empty/soul.md": "\n",
    "agents/empty/context.md": "a file\n",
}


@pytest.mark.parametrize(
    ("context", "texts"),
    [
        ("agents/default", ["I am.", "One.", "Two."]),
        ("agents/default/", ["I am.", "One.", "Two."]),
        ("agents/no-soul", ["One."]),
        ("agents/soul-only", ["I am."]),
        ("agents/empty", []),
        ("agents/missing", []),
        ("[agents/default]", ["I am.", "One.", "Two."]),
        ("[agents/no-soul, agents/default/soul.md]", ["One.", "I am."]),
        ("[agents/*]", ["I am.", "One.", "Two.", "One.", "I am."]),
        ("['agents/*/soul.md']", ["I am.", "I am."]),
        ("[]", []),
    ],
)
def test_x09_context_modules_are_appended_soul_first_then_by_name(folder, context, texts):
    for name, text in FILES.items():
        folder.write(name, text)
    tool = "tools: [{name: get, stub: 1}]\n"
    plain = load(folder.write("plain.yaml", f"version: 1\nname: t\n{tool}"), environ={}).tool.system_prompt()
    prompt = load(
        folder.write("t.yaml", f"version: 1\nname: t\nprompt: {{context: {context}}}\n{tool}"), environ={}
    ).tool.system_prompt()
    assert prompt == plain + "".join(f"\n---\n\n{text}\n" for text in texts)


def test_x09_a_module_that_cannot_be_read_is_a_mistake(folder):
    folder.write("agents/a/soul.md", "x").write_bytes(b"\xff\xfe")
    assert folder.problems("version: 1\nname: t\nprompt: {context: agents/a}\n") == [
        "3:19: soul.md cannot be read: it is not UTF-8"
    ]


def test_x09_a_file_in_the_place_of_the_directory_is_a_mistake(folder):
    folder.write("soul.md", "x")
    assert folder.problems("version: 1\nname: t\nprompt: {context: soul.md}\n") == [
        "3:19: soul.md is a file, not a directory of context modules | write [soul.md]"
    ]


def test_x09_what_is_no_file_is_a_mistake(folder):
    folder.write("agents/a/context/b.md", "x")
    (folder.path / "agents/a/context/a.md").symlink_to("nowhere")
    os.mkfifo(folder.path / "agents/a/soul.md")
    toolset = "version: 1\nname: t\nprompt: {context: %s}\n"
    assert folder.problems(toolset % "agents/a") == [
        "3:19: soul.md cannot be read: it is not a regular file",
        "3:19: a.md cannot be read: No such file or directory",
    ]
    message = "3:19: agents/a/soul.md is a file, not a directory of context modules | write [agents/a/soul.md]"
    assert folder.problems(toolset % "agents/a/soul.md") == [message]
