"""Files that look like a policy and are not in use."""

from __future__ import annotations

from pathlib import Path

from toolcrib.policy.repository.strays import stray_policies


def test_what_reads_like_a_policy_is_one_and_a_config_is_not(tmp_path: Path) -> None:
    """C-7: somebody believes that it holds."""
    home = tmp_path / "climax"
    home.mkdir()
    (home / "rules.yaml").write_text("default: disabled\ntools: {}\n")
    (home / "git.yaml").write_text("name: git\ncommand: git\ntools: {}\n")
    (home / "Policy.YAML").write_text("anything\n")
    found = [path.name for path in stray_policies(tmp_path, [home / "git.yaml"], [])]
    assert found == ["Policy.YAML", "rules.yaml"]
    assert stray_policies(tmp_path, [], [home / "rules.yaml", home / "Policy.YAML"]) == []
