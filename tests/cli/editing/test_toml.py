"""U-1: Codex keeps its settings in TOML; what others wrote there stays."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from toolcrib.cli.editing import toml
from toolcrib.core.errors import ConfigError

CODEX = '''# my settings
model = "o9"  # the good one

[mcp_servers.github]
command = "gh-mcp"
args = [
  "--stdio",  # quiet
]

[mcp_servers.github.env]
NOTE = """
[mcp_servers.toolcrib]
"""

# profiles below
[profiles.fast]
model = "o9-mini"
'''

NAME = ["mcp_servers", "toolcrib"]
ENTRY = {"command": "toolcrib", "args": ["serve", "--project", "/a b/c"]}


def test_a_table_is_added_at_the_end_and_the_rest_is_untouched():
    """U-1: install merges."""
    new = toml.set_keys(CODEX, NAME, ENTRY)
    assert new == CODEX + (
        '\n[mcp_servers.toolcrib]\ncommand = "toolcrib"\nargs = ["serve", "--project", "/a b/c"]\n'
    )


def test_keys_that_somebody_added_to_the_table_stay():
    """U-1: a second install keeps a person's own keys."""
    old = toml.set_keys(CODEX, NAME, ENTRY).replace(
        'command = "toolcrib"', 'command = "toolcrib" # ours\nstartup_timeout_sec = 30'
    )
    new = toml.set_keys(old, NAME, {"command": "/usr/bin/toolcrib", "args": ["serve"]})
    assert 'command = "/usr/bin/toolcrib" # ours\nstartup_timeout_sec = 30\nargs = ["serve"]' in new


def test_removing_a_table_takes_its_subtables_and_nothing_else():
    """U-1: uninstall."""
    new = toml.remove(CODEX, ["mcp_servers", "github"])
    assert new == (
        '# my settings\nmodel = "o9"  # the good one\n\n'
        '# profiles below\n[profiles.fast]\nmodel = "o9-mini"\n'
    )


def test_an_inline_table_is_refused_and_not_broken():
    """U-1: never loses what was there."""
    with pytest.raises(ConfigError, match="cannot be changed safely"):
        toml.set_keys('mcp_servers = { x = { command = "y" } }\n', NAME, ENTRY)


def test_a_broken_file_is_refused_with_its_place():
    """U-1: the error says where."""
    with pytest.raises(ConfigError) as caught:
        toml.set_keys("a = 1\nb = = 2\n", NAME, ENTRY, "config.toml")
    assert str(caught.value.where) == "config.toml:2:5"


def test_an_absent_table_is_removed_by_doing_nothing():
    """U-1: uninstall is idempotent."""
    assert toml.remove(CODEX, NAME) is CODEX


names = st.from_regex(r"[A-Za-z0-9_-]{1,8}", fullmatch=True)
texts = st.text(st.characters(codec="utf-8"), max_size=12)
scalars = st.booleans() | st.integers(-(2**60), 2**60) | texts
comments = st.sampled_from(["", "  # note ] } \" '", "\t#"])


@st.composite
def documents(draw):
    """TOML as a person might have written it: comments, arrays over lines, odd strings."""
    lines = []

    def value() -> str:
        kind = draw(st.sampled_from(["plain", "literal", "multi", "array", "inline"]))
        if kind == "literal":
            return "'" + draw(st.sampled_from(["", "[x]", 'a"b', "# no"])) + "'"
        if kind == "multi":
            return draw(st.sampled_from(['"""\n[x]\n"""', "'''\n# no\na = 1'''", '"""a""b\\""""']))
        if kind == "array":
            return "[ # first\n  " + ",\n  ".join(toml._value(draw(scalars)) for _ in "ab") + ",\n]"
        if kind == "inline":
            return "{ a = 1, b = [2] }"
        return toml._value(draw(scalars))

    def body() -> None:
        for key in draw(st.lists(names, max_size=3, unique=True)):
            lines.append(f"{draw(st.sampled_from(['', '  ']))}{key} = {value()}{draw(comments)}")

    body()
    for table in draw(st.lists(names, max_size=3, unique=True)):
        lines.append(draw(st.sampled_from(["", "# about it", "\n"])))
        prefix = draw(st.sampled_from(["mcp_servers.", "", '"mcp_servers" . ']))
        lines.append(f"[{prefix}{table}]{draw(comments)}")
        body()
    return draw(st.sampled_from(["\n", "\r\n"])).join(lines) + draw(st.sampled_from(["", "\n"]))


def parsed(text: str) -> dict:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        assume(False)
        raise


@given(documents(), names, texts, st.lists(texts, max_size=3))
def test_setting_keys_changes_those_keys_alone(text, name, command, args):
    """U-1: on any file, the result is the old content with the entry in it, or a refusal."""
    old = parsed(text)
    assume(isinstance(old.get("mcp_servers", {}), dict))
    entry = {"command": command, "args": args}
    try:
        new = toml.set_keys(text, ["mcp_servers", name], entry)
    except ConfigError as error:
        assert "cannot be changed safely" in str(error)
        return
    servers = old.setdefault("mcp_servers", {})
    servers[name] = {**servers.get(name, {}), **entry}
    assert tomllib.loads(new) == old
    assert toml.set_keys(new, ["mcp_servers", name], entry) == new


@given(documents(), names)
def test_removing_leaves_all_the_rest(text, name):
    """U-1: on any file, uninstall takes one table or refuses."""
    old = parsed(text)
    assume(isinstance(old.get("mcp_servers", {}), dict))
    try:
        new = toml.remove(text, ["mcp_servers", name])
    except ConfigError:
        return
    old.get("mcp_servers", {}).pop(name, None)
    assert toml._without_empty(tomllib.loads(new)) == toml._without_empty(old)
    assert new.count("# about it") == text.count("# about it")
