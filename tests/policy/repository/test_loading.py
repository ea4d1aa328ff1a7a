"""The layers of a project, whoever asks for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolcrib.core.errors import ConfigError
from toolcrib.policy.repository.loading import load_layers
from toolcrib.policy.repository.places import PolicySource


def test_no_policy_says_nothing_and_a_stray_one_refuses(tmp_path: Path) -> None:
    """C-7, T-5: None where nobody says anything; a file that looks like a policy refuses."""
    assert load_layers(tmp_path, PolicySource()) == (None, [])
    (tmp_path / "climax").mkdir()
    (tmp_path / "climax" / "rules.yaml").write_text("default: enabled\n")
    layers, warnings = load_layers(tmp_path, PolicySource())
    assert layers is not None and layers.decide("git_log") is None and warnings == []
    assert len(load_layers(tmp_path, PolicySource(""))[1]) == 1


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
