"""Which projects a server serves."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolcrib.core.errors import ConfigError
from toolcrib.server.projects.entries import RESERVED, read_entries

HASH = "a" * 64


def test_a_file_says_where_each_project_is_and_what_holds_for_it(tmp_path: Path) -> None:
    """R-10: path from the file's folder, tokens with names, trust, stronger settings."""
    file = tmp_path / "projects.toml"
    file.write_text(
        f'[p1]\npath = "one"\ntokens = ["ann:sha256:{HASH}"]\ntrusted = true\n'
        '[p1.settings.guide]\nproject = "x"\n[p1.settings.http]\nport = 9\n'
        '[p2]\npath = "/two"\ntrust = ["d1", "d2"]\n'
    )
    found = read_entries(file)
    assert found["p1"].path == tmp_path / "one" and found["p2"].path == Path("/two")
    assert list(found["p1"].tokens.values()) == ["ann"]
    assert found["p1"].overrides == {"guide": {"project": "x"}, "trust": {"digest": "all"}}
    assert found["p2"].overrides == {"trust": {"digest": "d1,d2"}}


def test_a_folder_has_a_project_for_each_repository_in_it(tmp_path: Path) -> None:
    """R-10: a toolcrib.toml or a .git makes one; what cannot be a name is left out."""
    for name in ("b", "a", "Plain", "UPPER", "mcp"):
        (tmp_path / name).mkdir()
    for name in ("b", "UPPER", "mcp"):
        (tmp_path / name / "toolcrib.toml").touch()
    (tmp_path / "a" / ".git").mkdir()
    assert list(read_entries(tmp_path)) == ["a", "b"]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ('[P]\npath = "x"\n', "no name for a project"),
        (f'["{"a" * 64}"]\npath = "x"\n', "no name for a project"),
        *((f'[{name}]\npath = "x"\n', "no name for a project") for name in RESERVED),
        ("[p]\n", "path must be"),
        ('[p]\npath = "x"\ntoken = ["a"]\n', "did you mean 'tokens'"),
        ('[p]\npath = "x"\ntrusted = "yes"\n', "trusted must be true or false"),
        ('[p]\npath = "x"\ntrust = "d"\n', "trust must be a list"),
        ('[p]\npath = "x"\nsettings = 3\n', "must hold tables"),
        ('[p]\npath = "x"\n[p.settings.guid]\n', "Unknown section [guid]; did you mean 'guide'"),
        ('[p]\npath = "x"\n[p.settings.trust]\n', "Unknown section [trust]"),
        ('[p]\npath = "x"\n[p.settings.guide]\nprojct = "y"\n', "did you mean 'project'"),
        ('[p]\npath = "x"\n[p.settings.server]\npage_size = 0\n', "[server] page_size"),
        ("p = 3\n", "must be a table"),
        ("[p\n", "--projects"),
    ],
)
def test_what_is_wrong_is_told_with_its_name_and_file(tmp_path: Path, text: str, word: str) -> None:
    """R-10: one clear line instead of a project that is silently not there."""
    file = tmp_path / "projects.toml"
    file.write_text(text)
    with pytest.raises(ConfigError, match=r"projects\.toml") as refused:
        read_entries(file)
    assert word.lower() in str(refused.value).lower()


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    """R-10: with the option and the path."""
    with pytest.raises(ConfigError, match="--projects: no such file"):
        read_entries(tmp_path / "nothing.toml")
