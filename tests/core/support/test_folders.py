"""Where this user's state, caches and settings lie."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolcrib.core.errors import ConfigError
from toolcrib.core.support.folders import cache_folder, config_folder, state_folder


def test_a_cache_lies_where_the_desktop_says_else_in_the_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """FAULTS: a relative XDG_CACHE_HOME is ignored, as the standard asks."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert cache_folder() == tmp_path / "cache" / "toolcrib"
    monkeypatch.setenv("XDG_CACHE_HOME", "cache")
    assert cache_folder() == tmp_path / ".cache" / "toolcrib"


@pytest.mark.parametrize("home", [None, "", "/", "/nowhere/at/all"])
def test_without_a_home_nothing_is_kept(home: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """FAULTS: no HOME: starts; one that is not there is not made."""
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.delenv("HOME", raising=False)
    if home is not None:
        monkeypatch.setenv("HOME", home)
    assert cache_folder() is None


def test_state_in_a_relative_folder_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """FAULTS: state that what is served could write is none."""
    monkeypatch.setenv("TOOLCRIB_STATE", "state")
    with pytest.raises(ConfigError, match="relative"):
        state_folder()
    monkeypatch.setenv("TOOLCRIB_STATE", "/somewhere")
    assert state_folder() == Path("/somewhere")


def test_settings_of_a_person_lie_in_their_config_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """FAULTS: a home from HOME alone is enough."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME")
    assert config_folder() == tmp_path / ".config" / "toolcrib"
