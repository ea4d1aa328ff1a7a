"""Where the keys of a TOML text stand."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolcrib.core.errors import ConfigError
from toolcrib.files.toml_places import load, place_of, statements

TEXT = '''\
# a comment with [brackets] and key = 1
title = "[not] a table"
server.port = 1

[climax]
text = """
[server]
max_output = 1
"""
max_output = -5
inner = { a = 1 }

[ "a b" . c ]
d = [
  1, # ]
]

[[list]]
x = 1
[[list]]
x = 2
[list.below]
y = 3
'''


@pytest.mark.parametrize(
    ("path", "place"),
    [
        (("title",), "t:2:1"),
        (("server", "port"), "t:3:8"),
        (("climax",), "t:5:2"),
        (("climax", "max_output"), "t:10:1"),
        (("climax", "inner", "a"), "t:11:1"),
        (("climax", "missing"), "t:5:2"),
        (("a b", "c", "d"), "t:14:1"),
        (("a b", "c"), "t:13:11"),
        (("list", 0, "x"), "t:19:1"),
        (("list", 1, "x"), "t:21:1"),
        (("list", 1, "below", "y"), "t:23:1"),
        (("nowhere",), "t"),
    ],
)
def test_a_key_is_found_where_it_is_written(path: tuple[str | int, ...], place: str) -> None:
    """S-4, U-3: errors say file:line:column; text inside of strings is no key."""
    assert str(place_of(TEXT, "t", path)) == place


def test_the_line_itself_comes_along() -> None:
    """U-3: the message shows it."""
    assert place_of(TEXT, "t", ("climax", "max_output")).source == "max_output = -5"


@pytest.mark.parametrize(
    ("text", "place", "what"),
    [
        ("a = \n", "t:1:5", "This is not TOML: Invalid value"),
        ("\n[[[\n", "t:2:3", "This is not TOML"),
        ('a = """x', "t:1", "This is not TOML"),
        ("a = " + "[" * 20_000, "t", "This is not"),
    ],
)
def test_what_is_not_toml_is_told_with_its_place(text: str, place: str, what: str) -> None:
    """FAULTS: broken files are refused with the place."""
    with pytest.raises(ConfigError) as caught:
        load(text, "t", next="Mend it.")
    assert str(caught.value.where).startswith(place)
    assert caught.value.what.startswith(what)
    assert caught.value.next == "Mend it."


KEYS = st.text(alphabet="abz-_9 .\"'é", max_size=4)
VALUES = st.one_of(st.integers(), st.text(alphabet='ab"[]#=\n\\', max_size=6), st.booleans())


@given(st.dictionaries(KEYS, st.dictionaries(KEYS, VALUES, max_size=3), max_size=3))
def test_every_key_of_a_document_has_its_place(tables: dict[str, dict[str, object]]) -> None:
    """S-4: whatever names and values somebody chooses."""
    lines = []
    expected = {}
    for table, values in tables.items():
        lines.append(f"[{json.dumps(table, ensure_ascii=False)}]")
        for key, value in values.items():
            lines.append(
                f"{json.dumps(key, ensure_ascii=False)} = {json.dumps(value, ensure_ascii=False)}"
            )
            expected[table, key] = len(lines)
    text = "\n".join(lines)
    assert load(text, "t") == tables
    for path, line in expected.items():
        assert place_of(text, "t", path).line == line
    assert len(statements(text)) == len(lines)
