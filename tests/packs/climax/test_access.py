"""Grants and secrets from the files of the repository and of the person."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from toolcrib.core.errors import ConfigError
from toolcrib.packs.climax.access import load_grants, load_secrets
from toolcrib.packs.climax.settings import ClimaxSettings
from toolcrib.policy.person import PersonalFiles, load_person


@pytest.fixture
def person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The person's own `config.toml`."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    file = tmp_path / "config" / "toolcrib" / "config.toml"
    file.parent.mkdir(parents=True)
    return file


def loaded(file: Path, text: str) -> PersonalFiles:
    file.write_text(text)
    file.chmod(0o600)
    return load_person()


def test_a_line_of_each_file_is_named(person: Path, tmp_path: Path) -> None:
    """T-11: what holds and from which file:line."""
    (tmp_path / "toolcrib.toml").write_text('[climax.access.shop]\nnetwork = ["a.example"]\n')
    settings = ClimaxSettings(access={"shop": {"network": ["a.example"]}})
    own = loaded(person, '[climax.access.shop.deploy]\nreads = ["~/.kube"]\n')
    granted = load_grants(tmp_path, settings, own).of("shop", "tools/shop.yaml", "deploy")
    assert granted.access.network.shown() == ["a.example"]
    assert granted.access.reads == ("~/.kube",)
    repository, mine = granted.sources
    assert repository == "toolcrib.toml:2"
    assert mine.endswith("config/toolcrib/config.toml:2")


def test_the_person_can_limit_every_tool(person: Path, tmp_path: Path) -> None:
    """T-5: `[climax] network` in the person's file is a ceiling."""
    own = loaded(person, '[climax]\nnetwork = "none"\n')
    grants = load_grants(tmp_path, ClimaxSettings(), own)
    assert grants.access("git", "git (bundled)", "git_push").network.word == "none"


@pytest.mark.parametrize("text", ['[climax]\nnetwork = "*"\n', '[climax]\naccess = "x"\n'])
def test_what_does_not_fit_is_an_error(person: Path, tmp_path: Path, text: str) -> None:
    """T-11: with the file that says it."""
    with pytest.raises(ConfigError, match=r"\[climax\]"):
        load_grants(tmp_path, ClimaxSettings(), loaded(person, text))


def test_secrets_are_the_persons(person: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-17: the user's `config.toml` says where they are."""
    monkeypatch.setenv("TOKEN", "value-of-the-token")
    own = loaded(person, '[secrets]\ngithub = {env = "TOKEN"}\n')
    secrets = load_secrets(own, lambda name: None)
    assert asyncio.run(secrets.fetch("github")) == "value-of-the-token"
    assert load_secrets(None, lambda name: None).names() == ()
