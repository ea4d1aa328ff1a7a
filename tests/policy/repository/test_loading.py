"""The layers of a project, whoever asks for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolcrib.core.errors import ConfigError
from toolcrib.policy.repository.loading import load_layers
from toolcrib.policy.repository.places import PolicySource
from toolcrib.policy.trust.records import TrustRecord
from toolcrib.settings import open_trust


def test_no_policy_says_nothing_and_a_stray_one_refuses(tmp_path: Path) -> None:
    """C-7, T-5: None where nobody says anything; a file that looks like a policy refuses."""
    assert load_layers(tmp_path, PolicySource()) == (None, [])
    (tmp_path / "climax").mkdir()
    (tmp_path / "climax" / "rules.yaml").write_text("default: enabled\n")
    layers, warnings = load_layers(tmp_path, PolicySource())
    assert layers is not None and layers.decide("git_log") is None and warnings == []
    (told,) = load_layers(tmp_path, PolicySource(""))[1]
    assert "--policy climax/rules.yaml" in str(told.next), "what helps `climax run CONFIG`, too"


def test_a_tool_of_a_server_is_not_named_in_vain(tmp_path: Path) -> None:
    """X-23: SERVER__TOOL is nobody's config; another unknown name is told."""
    (tmp_path / "climax").mkdir()
    file = tmp_path / "climax" / "policy.yaml"
    file.write_text("tools: {github__create: {}, git_lgo: {}}\n")
    _, warnings = load_layers(tmp_path, PolicySource())
    assert [str(each.what) for each in warnings] == [
        "The policy names the tool 'git_lgo', which no config has"
    ]
    file.write_text("default: maybe\n")
    with pytest.raises(ConfigError, match="default"):
        load_layers(tmp_path, PolicySource())


DOCKER = (
    'default: enabled\nexecutor: {type: docker, image: evil:1, volumes: ["/:/host"]}\n'
    "tools: {echo_a: {}}\n"
)


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a policy that allows everything, on this machine."""
    monkeypatch.delenv("TOOLCRIB_TRUST", raising=False)
    monkeypatch.setenv("TOOLCRIB_STATE", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    folder = tmp_path / "repo"
    (folder / "climax").mkdir(parents=True)
    (folder / "climax" / "policy.yaml").write_text("default: enabled\n")
    (folder / "climax" / "e.yaml").write_text(
        "name: e\ncommand: echo\ntools: [{name: echo_a, command: a}]\n"
    )
    return folder


@pytest.mark.parametrize("trusted", [True, False])
def test_an_image_that_nobody_has_trusted_runs_nothing(repo: Path, trusted: bool) -> None:
    """T-1, T-5: a policy of a fresh clone, or an edited one, must not have docker started."""
    trust = open_trust(repo)
    if trusted:
        assert trust.records is not None
        trust.records.add(TrustRecord.of(trust.verdict.present.content, trust.identity))
    policy = repo / "climax" / "policy.yaml"
    policy.write_text(DOCKER)
    trust.refresh()
    layers, _ = load_layers(repo, PolicySource(), trust)
    assert layers is not None and layers.decide("echo_a") is None
    assert layers.executor.type == "local"
    policy.unlink()  # it has held in this process, and holds on: as far as it forbids
    trust.refresh()
    layers, _ = load_layers(repo, PolicySource(), trust)
    assert layers is not None and layers.decide("echo_a") is None
    assert layers.executor.type == "local"


def test_an_image_that_was_trusted_is_used(repo: Path) -> None:
    """C-7, T-5: docker of a trusted policy works as ever."""
    (repo / "climax" / "policy.yaml").write_text(DOCKER)
    trust = open_trust(repo)
    assert trust.records is not None
    trust.records.add(TrustRecord.of(trust.verdict.present.content, trust.identity))
    trust.refresh()
    layers, _ = load_layers(repo, PolicySource(), trust)
    assert layers is not None and layers.decide("echo_a") is not None
    assert layers.executor.image == "evil:1" and layers.executor.volumes == ("/:/host",)


def test_a_stricter_edit_that_is_deleted_goes_on_beside_what_was_trusted(repo: Path) -> None:
    """T-5: a policy that held in this process does not vanish, and neither does the record's."""
    trust = open_trust(repo)
    assert trust.records is not None
    trust.records.add(TrustRecord.of(trust.verdict.present.content, trust.identity))
    policy = repo / "climax" / "policy.yaml"
    policy.write_text("default: disabled\n")
    trust.refresh()
    assert load_layers(repo, PolicySource(), trust)[0].decide("echo_a") is None  # type: ignore[union-attr]
    policy.unlink()
    trust.refresh()
    layers, _ = load_layers(repo, PolicySource(), trust)
    assert layers is not None and layers.decide("echo_a") is None


def test_a_policy_without_any_config_acts_as_well(repo: Path) -> None:
    """T-2, T-5, X-23: it governs the tools of servers, and an edit that allows waits."""
    (repo / "climax" / "e.yaml").unlink()
    policy = repo / "climax" / "policy.yaml"
    policy.write_text("default: enabled\ndeny: [own__push]\n")
    trust = open_trust(repo)
    assert [file.path for file in trust.verdict.present.content.files] == ["climax/policy.yaml"]
    assert trust.records is not None
    trust.records.add(TrustRecord.of(trust.verdict.present.content, trust.identity))
    policy.write_text("default: enabled\n")
    trust.refresh()
    layers, _ = load_layers(repo, PolicySource(), trust)
    assert layers is not None and layers.decide("own__push") is None
    assert layers.decide("own__pull") is not None
