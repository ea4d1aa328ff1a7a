"""Where a repository's policy lies, when its settings say and when they do not."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolcrib.core.errors import ConfigError
from toolcrib.policy.repository.places import PolicySource, only_policy, shown


def test_a_policy_that_is_named_is_the_one_and_an_empty_name_switches_it_off(
    tmp_path: Path,
) -> None:
    """C-7: named, found, or switched off."""
    (tmp_path / "climax").mkdir()
    (tmp_path / "climax" / "policy.yaml").write_text("default: enabled\n")
    assert PolicySource().paths(tmp_path) == [tmp_path / "climax/policy.yaml"]
    assert PolicySource("strict.yaml").paths(tmp_path) == [tmp_path / "strict.yaml"]
    assert PolicySource("").paths(tmp_path) == []
    assert PolicySource(None, ("git",)).paths(tmp_path) == []


def test_two_policies_are_a_guess_and_refused(tmp_path: Path) -> None:
    """C-7: only one can hold."""
    both = [tmp_path / "climax/policy.yaml", tmp_path / "climax/policy.yml"]
    with pytest.raises(ConfigError, match=r"climax/policy\.yaml and climax/policy\.yml"):
        only_policy(both, tmp_path)
    assert only_policy(both[:1], tmp_path) == both[0] and only_policy([], tmp_path) is None
    assert shown(Path("/elsewhere/x"), tmp_path) == "/elsewhere/x"
