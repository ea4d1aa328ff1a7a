"""YAML with limits and places."""

from __future__ import annotations

import time

import pytest
import yaml as pyyaml
from hypothesis import given
from hypothesis import strategies as st

from support.growth import assert_costs_at_most
from toolcrib.core.errors import ConfigError
from toolcrib.files.yaml import load

DOCUMENT = """\
name: git
tools:
  - name: status
    timeout: 30
    args:
      - {name: path, required: true}
  - name: log
env: &env
  A: one
other:
  <<: *env
  B: two
"""


def place(text: str, *path: str | int) -> str:
    return str(load(text, "c.yaml").places[path])


def test_values_are_those_of_the_safe_loader() -> None:
    text = """
    texts: [plain, 'it''s', "a\\tb", "", yes-man, '12', "true", 1.2.3, '<<']
    numbers: [1, -2, 0x1F, 0o17, 017, 1_000, 1.5, -.inf, 1e3, 1.0e+3, 190:20:30]
    booleans: [true, FALSE, yes, No, on, Off]
    nothing: [~, null, NULL, ]
    dates: [2024-02-29, 2024-02-29 12:00:00, 2001-12-14t21:59:43.10-05:00]
    folded: >
      one
      two
    literal: |
      one
        two
    tagged: [!!str 12, !!int "12", !!float "1", !!bool "yes", !!null "", ! 12]
    nested: {a: {b: [{c: d}]}}
    """
    assert load(text, "x").value == pyyaml.load(text, pyyaml.CSafeLoader)


def test_a_key_is_always_the_text_that_was_written() -> None:
    assert load("on: 1\n404: 2\n~: 3\n2024-01-01: 4", "x").value == {
        "on": 1,
        "404": 2,
        "~": 3,
        "2024-01-01": 4,
    }


def test_an_empty_document_is_nothing() -> None:
    for text in ("", "\n# only a comment\n", "---\n", "---\n...\n"):
        loaded = load(text, "x")
        assert loaded.value is None
        assert loaded.place("tools").line


def test_places_are_those_of_keys_and_of_list_items() -> None:
    assert place(DOCUMENT, "name") == "c.yaml:1:1"
    assert place(DOCUMENT, "tools") == "c.yaml:2:1"
    assert place(DOCUMENT, "tools", 0) == "c.yaml:3:5"
    assert place(DOCUMENT, "tools", 0, "timeout") == "c.yaml:4:5"
    assert place(DOCUMENT, "tools", 0, "args", 0, "required") == "c.yaml:6:22"
    assert place(DOCUMENT, "tools", 1, "name") == "c.yaml:7:5"


def test_what_an_alias_brings_is_placed_where_it_was_written() -> None:
    assert place(DOCUMENT, "other", "A") == "c.yaml:9:3"
    assert place(DOCUMENT, "other", "B") == "c.yaml:12:3"
    assert place("a: &x [1]\nb: *x", "b") == "c.yaml:2:1"
    assert place("a: &x [1]\nb: *x", "b", 0) == "c.yaml:1:8"


def test_a_place_carries_its_line_for_the_person_who_reads_it() -> None:
    assert load(DOCUMENT, "c.yaml").places["tools", 0, "timeout"].source == "    timeout: 30"


def test_the_place_of_something_absent_is_that_of_what_surrounds_it() -> None:
    loaded = load(DOCUMENT, "c.yaml")
    assert str(loaded.place("tools", 1, "args", 5, "name")) == "c.yaml:7:5"
    assert str(loaded.place("nothing")) == "c.yaml:1:1"


def test_places_are_a_mapping_of_every_path() -> None:
    places = load("a: [1, {b: 2}]", "x").places
    assert list(places) == [(), ("a",), ("a", 0), ("a", 1), ("a", 1, "b")]
    assert len(places) == 5
    assert ("a", 7) not in places
    assert ("a", 0, "deeper") not in places


def test_merge_keys_give_what_is_lacking_and_the_first_one_wins() -> None:
    text = """
    a: &a {x: 1, y: 1}
    b: &b {y: 2, z: 2}
    c: {<<: [*a, *b], x: 0}
    d:
      z: 9
      <<: *b
    """
    value = load(text, "x").value
    assert value["c"] == {"x": 0, "y": 1, "z": 2}
    assert value["d"] == {"y": 2, "z": 9}
    assert value == pyyaml.load(text, pyyaml.CSafeLoader)


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        ("a: 1\nb: 2\na: 3", "3:1", "Key 'a' is already given in line 1"),
        ("a:\n\tb: 1", "2:1", "A tab stands in the indentation"),
        ("a:\n  - b\n \t- c", "3:2", "A tab stands in the indentation"),
        ("a: b: c", "1:5", "This is not valid YAML"),
        ("a: 'open", "1:9", "This is not valid YAML"),
        ("a: [1, 2\nb: 3", "2:2", "This is not valid YAML"),
        ("a: *nobody", "1:4", "Alias *nobody cannot be used here"),
        ("a: &a [*a]", "1:8", "it would contain itself"),
        ("a: 1\n---\nb: 2", "2:1", "A second document begins here"),
        ("a: !!python/object:os.system x", "1:4", "Tag !!python/object:os.system is not allowed"),
        ("a: !env HOME", "1:4", "Tag !env is not allowed"),
        ("a: !!set {x, y}", "1:4", "Tag !!set is not allowed"),
        ("a: !!binary aGk=", "1:4", "Tag !!binary is not allowed"),
        ("a: 2024-13-45", "1:4", "'2024-13-45' is no timestamp"),
        ("a: !!int x", "1:4", "'x' is no int"),
        ("a: !!bool x", "1:4", "'x' is no bool"),
        ("a: !!int ''", "1:4", "'' is no int"),
        (f"a: !!int '{'1' * 200}'", "1:4", "is no int"),
        ("a: !!timestamp x", "1:4", "'x' is no timestamp"),
        ("? [a, b]\n: 1", "1:3", "A key must be plain text"),
        ("a: 1\n<<: 5", "2:5", "'<<' takes a mapping"),
        ("a: x\x07y", "1:5", "Character U+0007 is not allowed"),
        ("é: ü\nb: \ud800", "2:4", "A lone surrogate is no character"),
        ("%TAG ! tag:x,2000:\n%TAG ! tag:x,2000:\n---\na: 1", "2:1", "This is not valid YAML"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(text: str, where: str, what: str) -> None:
    """State: YAML duplicate keys, tabs and the like are rejected with file:line:column."""
    with pytest.raises(ConfigError) as caught:
        load(text, "tools/git.yaml")
    assert str(caught.value).startswith(f"tools/git.yaml:{where}: ")
    assert what in str(caught.value)


def test_a_very_long_line_is_not_repeated_in_the_error() -> None:
    with pytest.raises(ConfigError) as caught:
        load("a: " + "x" * 500_000 + ": y", "x")
    assert len(caught.value.render()) < 1000


def test_a_thousand_tools_in_twenty_files_load_in_a_moment() -> None:
    """Twenty configurations of fifty tools: well below a third of a second of CPU."""
    tool = """
  - name: tool_{0}
    description: Does the thing number {0} with care
    command: sub cmd{0}
    timeout: 30
    args:
      - {{name: path, description: The path, type: string, required: true, positional: true}}
      - name: format
        type: string
        enum: [json, text, csv]
        default: json
        flag: --format"""
    text = "name: x\ncommand: git\ntools:" + "".join(map(tool.format, range(50)))
    load(text, "warm up")
    started = time.process_time()
    for number in range(20):
        loaded = load(text, f"{number}.yaml")
        assert len(loaded.value["tools"]) == 50
        assert loaded.places["tools", 49, "name"].line
    assert_costs_at_most(time.process_time() - started, 30)


JSONISH = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(JSONISH)
def test_whatever_pyyaml_writes_is_read_back(value: object) -> None:
    text = pyyaml.safe_dump(value)
    assert load(text, "x").value == value


@given(st.text() | st.text(alphabet="ab:-[]{}&*!|>'\"%@`#,? \n\t<", max_size=60))
def test_any_text_is_a_value_or_a_config_error_with_a_place(text: str) -> None:
    try:
        load(text, "x")
    except ConfigError as error:
        assert error.where is not None
        assert error.where.line
        assert error.where.column
