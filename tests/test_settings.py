"""`toolcrib.toml`: options over environment over file over defaults, and errors that point."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from toolcrib.core.errors import ConfigError
from toolcrib.files import toml_places
from toolcrib.settings import PACKS, find_project, json_schema, load


def write(folder: Path, text: str, name: str = "toolcrib.toml") -> Path:
    (folder / name).write_text(text)
    return folder


def complaint(folder: Path, text: str, name: str = "toolcrib.toml") -> ConfigError:
    with pytest.raises(ConfigError) as caught:
        settings = load(write(folder, text, name))
        for pack in PACKS:
            settings.section(pack)
    return caught.value


def test_no_file_at_all_works(tmp_path: Path) -> None:
    """S-4: no file at all works."""
    settings = load(tmp_path)
    assert settings.server.discovery == "default"
    assert settings.http.host == "127.0.0.1"


def test_options_beat_environment_beats_file_beats_defaults(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """S-4: options over environment over file over defaults."""
    write(tmp_path, "[http]\nport = 1001\n")
    assert load(tmp_path).http.port == 1001
    monkeypatch.setenv("TOOLCRIB_HTTP_PORT", "1002")
    assert load(tmp_path).http.port == 1002
    assert load(tmp_path, {"http": {"port": 1003}}).http.port == 1003
    assert load(tmp_path, {"http": {"port": None}}).http.port == 1002


def test_the_section_of_pyproject_is_read_where_there_is_no_own_file(tmp_path: Path) -> None:
    """S-4: `[tool.toolcrib]` in pyproject.toml."""
    write(
        tmp_path,
        '[project]\nname = "x"\n[tool.toolcrib.server]\nnames = "safe"\n',
        "pyproject.toml",
    )
    assert load(tmp_path).server.names == "safe"
    write(tmp_path, '[server]\nnames = "exact"\n')
    assert load(tmp_path).server.names == "exact"


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ('[server]\nname = "safe"\n', 2, "did you mean 'names'"),
        ("[sever]\n", 1, "did you mean 'server'"),
        ('[server]\n\nnames = "saef"\n', 3, "must be one of: exact, safe; did you mean 'safe'?"),
        ('[http]\nport = "many"\n', 2, "must be a whole number"),
        ("[http]\nport = true\n", 2, "must be a whole number"),
        ("[server]\nlog_json = 1\n", 2, "must be true or false"),
        ("[http]\ntokens = 5\n", 2, "must be a list"),
        ("[climax]\nconfig = []\n", 2, "did you mean 'configs'"),
        ("server = 3\n", 1, "must be a table"),
        ('[http]\nport = "80"\n', 2, "must be a whole number"),
        ('[server]\npacks = "guide"\n', 2, "must be a list"),
        (
            "[http]\nport = 70000\n",
            2,
            "[http] port must be at least 0 and at most 65535, got 70000",
        ),
        ("[server]\npage_size = 0\n", 2, "must be at least 1, got 0"),
        ("[http]\nbody_timeout = nan\n", 2, "must be at least 0.1 and at most 3600, got nan"),
        ("[http\nport = 3\n", 1, "Expected"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(
    tmp_path: Path, text: str, line: int, words: str
) -> None:
    """S-4: unknown keys are errors with the nearest name, and the place in the file."""
    error = complaint(tmp_path, text)
    assert error.where is not None and error.where.line == line
    assert words in str(error)
    assert f"toolcrib.toml:{line}" in error.render()


@pytest.mark.parametrize(
    "text",
    [
        "[server]\npacks = " + "[" * 5000,
        "[server]\npage_size = " + "9" * 5000,
        "[" + ".".join("a" * 5000) + "]",
    ],
    ids=["deep", "long number", "long name"],
)
def test_a_hostile_file_is_refused_in_words(tmp_path: Path, text: str) -> None:
    """FAULTS: deep nesting, wrong type: rejected in under a second, naming the file."""
    error = complaint(tmp_path, text)
    assert error.where is not None and error.where.file == "toolcrib.toml"


def test_a_variable_means_what_its_field_wants(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """S-4: the environment has no types: lists, numbers and booleans are read out of its text."""
    for name, value in [
        ("TOOLCRIB_SERVER_PACKS", "guide, climax,"),
        ("TOOLCRIB_SERVER_LOG_JSON", "Yes"),
        ("TOOLCRIB_HTTP_BODY_TIMEOUT", "5"),
        ("TOOLCRIB_HTTP_ALLOWED_HOSTS", ""),
    ]:
        monkeypatch.setenv(name, value)
    settings = load(tmp_path)
    assert settings.server.packs == ("guide", "climax")
    assert settings.server.log_json is True
    assert settings.http.body_timeout == 5.0
    assert settings.http.allowed_hosts == ()
    monkeypatch.setenv("TOOLCRIB_SERVER_PAGE_SIZE", "many")
    with pytest.raises(ConfigError, match="page_size must be a whole number, got 'many'"):
        load(tmp_path)


@pytest.mark.parametrize(
    "text",
    [
        '[tool]\ntoolcrib.server.names = "safe"\n',
        '[ tool . toolcrib . server ]\nnames = "safe"\n',
        '[tool.toolcrib]\nserver = {names = "safe"}\n',
    ],
)
def test_pyproject_may_spell_its_tables_in_any_way(tmp_path: Path, text: str) -> None:
    """S-4: `[tool.toolcrib]` in pyproject.toml, however TOML lets it be written."""
    assert load(write(tmp_path, text, "pyproject.toml")).server.names == "safe"
    for other in ('tool = "toolcrib"\n', "[tool.ruff]\n# toolcrib\n"):
        assert load(write(tmp_path, other, "pyproject.toml")).server.names == "exact"
    with pytest.raises(ConfigError, match="must be a table"):
        load(write(tmp_path, "[tool]\ntoolcrib = 1\n", "pyproject.toml"))


def test_a_key_in_pyproject_is_told_with_its_place(tmp_path: Path) -> None:
    """S-4: the same for `[tool.toolcrib]`."""
    error = complaint(tmp_path, "[tool.toolcrib.http]\nprot = 1\n", "pyproject.toml")
    assert error.where is not None and error.where.line == 2
    assert "did you mean 'port'" in str(error)


def test_a_file_that_is_not_text_is_one_clear_line(tmp_path: Path) -> None:
    """FAULTS: wrong bytes are told, not guessed."""
    (tmp_path / "toolcrib.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigError, match="Not UTF-8"):
        load(tmp_path)


def test_the_root_is_found_from_inside(tmp_path: Path) -> None:
    """S-2: the repo around here."""
    inside = tmp_path / "a" / "b"
    inside.mkdir(parents=True)
    write(tmp_path, "")
    assert find_project(inside) == tmp_path.resolve()


@pytest.mark.parametrize(
    ("document", "valid"),
    [
        ({}, True),
        (
            {"server": {"names": "safe"}, "climax": {"configs": ["git"], "sandbox": "required"}},
            True,
        ),
        ({"server": {"names": "other"}}, False),
        ({"http": {"port": "x"}}, False),
        ({"http": {"port": 70000}}, False),
        ({"what": {}}, False),
        ({"http": {"prot": 1}}, False),
    ],
)
def test_the_schema_agrees_with_the_reader(document: dict[str, Any], valid: bool) -> None:
    """S-4: a JSON Schema for the file."""
    schema = json_schema()
    json.dumps(schema)
    assert jsonschema_rs.Draft202012Validator(schema).is_valid(document) is valid


def test_every_setting_says_what_it_is_for() -> None:
    """S-4: the schema helps in an editor."""
    for name, section in json_schema()["properties"].items():
        for key, property in section["properties"].items():
            assert property["description"], f"[{name}] {key}"


@pytest.mark.parametrize(
    ("text", "kept"), [("[server]\npage_size = 7\n", 1), ("[server]\nname = 2026-07-28\n", 0)]
)
def test_a_file_that_was_read_before_is_not_parsed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, kept: int
) -> None:
    """S-4: the same settings, and the same mistakes; what JSON cannot say is not kept."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("TOOLCRIB_STATE", str(tmp_path / "state"))
    parsed: list[str] = []

    def parse(text: str, file: str) -> dict[str, Any]:
        parsed.append(file)
        return loads(text, file)

    loads = toml_places.load
    monkeypatch.setattr(toml_places, "load", parse)
    (tmp_path / "toolcrib.toml").write_text(text)
    told: list[str] = []
    for _ in range(2):
        try:
            told.append(str(load(tmp_path).server.page_size))
        except ConfigError as error:
            told.append(str(error))
    assert told[0] == told[1] and len(parsed) == 2 - kept
