"""Edits of single values, and their way back."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from toolcrib.cli.adoption.edits import ValueEdit, applied, form_of, taken_back, value_at

JSON = '{\n  // mine\n  "mcpServers": {\n    "a": {"command": "x"}, // why\n    "b": {}\n  }\n}\n'
TOML = (
    '# mine\n[mcp_servers.a]\ncommand = "x" # why\n[mcp_servers.a.env]\nK = "v"\n\n[other]\nz = 1\n'
)
names = st.text("abcdefgh-_ .\"'é", min_size=1, max_size=8)
entries = st.dictionaries(
    names, st.one_of(st.text(max_size=8), st.integers(0, 9), st.booleans()), min_size=1, max_size=3
)


def test_the_form_of_a_file_is_known_by_its_name() -> None:
    """X-27: Codex writes TOML, the others JSON."""
    assert form_of(Path("config.toml")) == "toml"
    assert form_of(Path(".claude.json")) == "json"


def test_a_value_is_taken_out_and_the_rest_stays_as_it_is_written() -> None:
    """X-27: comments and order are kept."""
    edit = ValueEdit(("mcpServers", "b"), {}, None)
    assert applied(JSON, "json", [edit]).replace(" // why", ", // why").count("// mine") == 1
    edit = ValueEdit(("mcp_servers", "a"), {"command": "x", "env": {"K": "v"}}, None)
    assert applied(TOML, "toml", [edit]) == "# mine\n[other]\nz = 1\n"


def test_what_was_touched_since_is_left_and_named() -> None:
    """X-28: entry by entry, with a word on what differs."""
    edits = [
        ValueEdit(("mcpServers", "a"), {"command": "x"}, None),
        ValueEdit(("mcpServers", "n"), None, {"n": 1}),
    ]
    text = applied(JSON, "json", edits)
    same, remarks = taken_back(text, "json", edits)
    assert json.loads(same.replace("// mine", "").replace("// why", ""))["mcpServers"] == {
        "a": {"command": "x"}, "b": {},
    }  # fmt: skip
    assert not remarks
    touched = text.replace('"n": 1', '"n": 2')
    kept, remarks = taken_back(touched, "json", edits, "file")
    assert value_at(kept, "json", ("mcpServers", "n")) == {"n": 2}
    assert value_at(kept, "json", ("mcpServers", "a")) == {"command": "x"}
    assert remarks == ["file: mcpServers.n was changed since, and left as it is"]


def test_a_second_way_back_changes_nothing() -> None:
    """X-28: an undo that was cut short can be repeated."""
    edits = [ValueEdit(("mcp_servers", "a"), {"command": "x", "env": {"K": "v"}}, None)]
    once, _ = taken_back(applied(TOML, "toml", edits), "toml", edits)
    assert taken_back(once, "toml", edits) == (once, [])


@given(st.dictionaries(names, entries, max_size=3), names, entries)
def test_an_edit_and_its_way_back_mean_the_same_in_json(old, name, entry) -> None:
    """X-28: whatever the names and values."""
    text = json.dumps({"mcpServers": old}, indent=2)
    edit = ValueEdit(("mcpServers", name), old.get(name), entry)
    new = applied(text, "json", [edit])
    assert json.loads(new)["mcpServers"] == {**old, name: entry}
    back, remarks = taken_back(new, "json", [edit])
    assert json.loads(back)["mcpServers"] == old
    assert not remarks


@given(names, entries, entries)
def test_an_edit_and_its_way_back_mean_the_same_in_toml(name, entry, other) -> None:
    """X-28: whatever the names and values; other tables stay."""
    text = applied("", "toml", [ValueEdit(("mcp_servers", "other one"), None, other)])
    if name == "other one":
        return
    edit = ValueEdit(("mcp_servers", name), None, entry)
    new = applied(text, "toml", [edit])
    assert tomllib.loads(new)["mcp_servers"] == {"other one": other, name: entry}
    back, _ = taken_back(new, "toml", [edit])
    assert tomllib.loads(back)["mcp_servers"] == {"other one": other}
