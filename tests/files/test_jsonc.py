"""U-1: a client's file keeps its comments, its order and its other entries."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolcrib.core.errors import ConfigError
from toolcrib.files import jsonc

ZED = """// Zed settings
{
  "theme": "One Dark", // my favourite
  /* servers that I use */
  "context_servers": {
    "github": { "command": "gh-mcp", "args": [] }, // keep
  },
  "vim_mode": true,
}
"""


def test_a_member_is_added_and_every_comment_stays():
    """U-1: install merges."""
    new = jsonc.set_member(ZED, ["context_servers", "toolcrib"], {"command": "toolcrib"})
    assert (
        new
        == """// Zed settings
{
  "theme": "One Dark", // my favourite
  /* servers that I use */
  "context_servers": {
    "github": { "command": "gh-mcp", "args": [] }, // keep
    "toolcrib": {
      "command": "toolcrib"
    },
  },
  "vim_mode": true,
}
"""
    )


def test_removing_what_was_added_gives_the_old_text_back():
    """U-1: uninstall undoes install."""
    new = jsonc.set_member(ZED, ["context_servers", "toolcrib"], {"command": "toolcrib"})
    assert jsonc.remove_member(new, ["context_servers", "toolcrib"]) == ZED


def test_a_line_comment_behind_the_last_member_does_not_swallow_the_comma():
    """U-1: comments are kept and stay comments."""
    old = '{\n  "a": 1 // one\n  // the end\n}'
    new = jsonc.set_member(old, ["b"], 2)
    assert new == '{\n  "a": 1, // one\n  // the end\n  "b": 2\n}'


def test_a_changed_value_is_replaced_where_it_stands():
    """U-1: a second install changes the entry and nothing else."""
    old = '{"z": 1, "a": {"command": "old" /* mine */, "env": {}}}'
    new = jsonc.set_member(old, ["a", "command"], "new")
    assert new == '{"z": 1, "a": {"command": "new" /* mine */, "env": {}}}'


def test_the_same_value_changes_nothing():
    """U-1: install is idempotent."""
    assert jsonc.set_member(ZED, ["vim_mode"], True) is ZED


@pytest.mark.parametrize("text", ["", "  \n", "\ufeff"])
def test_an_empty_file_becomes_an_object(text):
    """U-1: a client that was never configured."""
    assert jsonc.load(jsonc.set_member(text, ["a", "b"], 1)) == {"a": {"b": 1}}


def test_line_ends_and_tabs_are_kept():
    """U-1: a file from Windows stays one."""
    new = jsonc.set_member('{\r\n\t"a": 1\r\n}\r\n', ["b"], {"c": 2})
    assert new == '{\r\n\t"a": 1,\r\n\t"b": {\r\n\t\t"c": 2\r\n\t}\r\n}\r\n'


def test_what_is_not_an_object_is_never_replaced():
    """U-1: nothing is lost."""
    with pytest.raises(ConfigError, match="servers has to be an object, not list"):
        jsonc.set_member('{"servers": []}', ["servers", "x"], 1, "mcp.json")


@pytest.mark.parametrize(
    ("text", "place", "what"),
    [
        ('{\n  "a": 1\n  "b": 2\n}', "f:3:3", "expected ',' or '}'"),
        ("{'a': 1}", "f:1:2", "double quotes"),
        ('{"a": }', "f:1:7", "expected a JSON value"),
        ('{"a": 1} x', "f:1:10", "something follows"),
        ("[" * 101, "f:1:101", "levels of nesting"),
        ('{"a": 1', "f:1:8", "expected"),
        ('{"a": "\\q"}', "f:1:7", "Invalid"),
    ],
)
def test_a_broken_file_is_refused_with_its_place(text, place, what):
    """U-1: a file that is broken is left alone, and the error says where."""
    with pytest.raises(ConfigError, match=what) as caught:
        jsonc.parse(text, "f")
    assert str(caught.value.where) == place


keys = st.text(st.characters(codec="utf-8"), max_size=6)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3),
    max_leaves=8,
)
objects = st.dictionaries(keys, values, max_size=4)
blanks = st.sampled_from(["", " ", "\n", "\t", "\n    ", " // note, {\n", '/* a \n " b */', "\r\n"])


@st.composite
def commented(draw, value=None):
    """The same JSON, as a person might have written it."""
    value = draw(objects) if value is None else value

    def blank() -> str:
        return draw(blanks)

    def shown(item) -> str:
        if isinstance(item, dict):
            return many(f"{json.dumps(k)}{blank()}:{blank()}{shown(v)}" for k, v in item.items())
        if isinstance(item, list):
            inner = many(shown(each) for each in item)
            return f"[{inner[1:-1]}]"
        return json.dumps(item, ensure_ascii=False)

    def many(items) -> str:
        parts = [blank() + item + blank() for item in items]
        end = draw(st.sampled_from(["", ","])) if parts else ""
        return "{" + ",".join(parts) + end + blank() + "}"

    return value, blank() + shown(value) + blank()


def comments(text: str) -> list[str]:
    """The comments of a text, in order."""
    pattern = r'"(?:[^"\\]|\\.)*"|(//[^\n]*|/\*.*?\*/)'
    return [m.strip() for m in re.findall(pattern, text, re.DOTALL) if m]


@given(commented())
def test_any_file_is_read_as_it_is(example):
    """U-1: the reader agrees with JSON."""
    value, text = example
    assert jsonc.load(text) == value


@given(commented(), keys, keys, values)
def test_setting_a_member_changes_that_member_and_loses_nothing(example, outer, inner, new):
    """U-1: never loses what was there."""
    value, text = example
    if isinstance(value.get(outer, {}), dict):
        changed = jsonc.set_member(text, [outer, inner], new)
        expected = {**value, outer: {**value.get(outer, {}), inner: new}}
        assert jsonc.load(changed) == expected
        assert list(jsonc.load(changed)) == list(expected)
        if inner not in value.get(outer, {}):
            assert comments(changed) == comments(text)
        assert jsonc.set_member(changed, [outer, inner], new) == changed
    else:
        with pytest.raises(ConfigError):
            jsonc.set_member(text, [outer, inner], new)


@given(commented(), keys, values)
def test_removing_what_was_set_leaves_what_was_there(example, key, new):
    """U-1: install and uninstall, one after the other, on any file."""
    value, text = example
    removed = jsonc.remove_member(jsonc.set_member(text, [key], new), [key])
    expected = {k: v for k, v in value.items() if k != key}
    assert jsonc.load(removed) == expected
    if key not in value:
        assert comments(removed) == comments(text)


@given(commented(), st.data())
def test_any_member_can_be_removed(example, data):
    """U-1: uninstall from any place of the file."""
    value, text = example
    for key in data.draw(st.permutations(list(value))):
        text = jsonc.remove_member(text, [key])
        del value[key]
        assert jsonc.load(text) == value


@given(st.text(alphabet='{}[]",:/*\\\n ab1', max_size=30))
def test_no_text_makes_it_crash(text):
    """U-1: a broken file is an error that names its place, never a traceback."""
    try:
        jsonc.load(text)
    except ConfigError as error:
        assert error.where is not None and error.where.line
