from __future__ import annotations

import subprocess
import sys

import pytest

from toolcrib.cli.commands.flags import parsed_value


@pytest.fixture
def flags(toolcrib, home):
    return lambda *words: toolcrib("flags", *words)


@pytest.mark.parametrize(
    ("typed", "value"),
    [
        ("true", True),
        ("False", False),
        ("text", "text"),
        ("", ""),
        ("5", "5"),
        ('["a","b"]', ["a", "b"]),
        ('{"a":"b"}', {"a": "b"}),
        ("[not json", "[not json"),
    ],
)
def test_a_typed_value_is_taken_as_a_person_means_it(typed, value):
    """U-1, G-2: bool, string, list of strings, map of strings."""
    assert parsed_value(typed) == value


def test_a_flag_is_set_shown_and_removed(flags):
    """U-1: toolcrib flags."""
    assert flags("list").out == "No flags are set.\n"
    assert flags("set", "terse", "true").out == "terse = true (this project)\n"
    assert flags("set", "who", '["ada"]', "--global").code == 0
    assert flags("list").out.splitlines() == [
        "flag   value    set by",
        "terse  true     project",
        'who    ["ada"]  global',
    ]
    assert flags("get", "who").out == '["ada"]\n'
    assert flags("unset", "terse").out == "terse is not set (this project)\n"
    assert flags("get", "terse") == (1, "", "")


def test_the_project_beats_the_global_one(flags):
    """G-2: a project's false beats a global true."""
    flags("set", "f", "true", "--global")
    flags("set", "f", "false")
    assert flags("get", "f", "--json").json == {"name": "f", "value": False, "set_by": "project"}
    assert flags("get", "f", "--global", "--json").json["value"] is True
    assert flags("list", "--global", "--json").json == {"f": True}


def test_a_script_reads_null_for_what_is_not_set(flags):
    ran = flags("get", "nothing", "--json")
    assert (ran.code, ran.json["value"]) == (1, None)


def test_text_is_text_when_asked_for(flags):
    flags("set", "f", "true", "--text")
    assert flags("get", "f", "--json").json["value"] == "true"


def test_a_bad_name_is_one_clear_error(flags):
    ran = flags("set", "a b", "x")
    assert ran.code == 1
    assert "must begin with a letter or digit" in ran.err
    assert flags("set", "f", "[1]").code == 1


def test_the_command_needs_no_pydantic_and_no_mcp(tmp_path):
    """U-1: commands that need no protocol never load it."""
    code = (
        "import sys; from toolcrib.cli import main\n"
        "main(['flags', 'set', 'f', 'true']); main(['content', 'categories'])\n"
        "print([m for m in ('pydantic', 'mcp') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={"PATH": "", "TOOLCRIB_STATE": str(tmp_path / "state")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[-1] == "[]"
