"""What doctor says of the sandbox."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from support.rungs import sandbox_on
from toolcrib.packs.climax.sandbox_health import sandbox_health
from toolcrib.running.sandbox.ladder import Sandbox


def lines(sandbox: Sandbox) -> dict[str, str]:
    return {each.text: each.level for each in sandbox_health(sandbox, [])}


def test_each_wall_has_its_line(tmp_path: Path) -> None:
    """T-16: a line for level, network, reads and sockets."""
    found = lines(sandbox_on("bubblewrap", tmp_path))
    assert len(found) == 4
    assert set(found.values()) == {"ok"}
    assert "sandbox: bubblewrap" in found


def test_a_lower_rung_says_what_it_lacks_and_the_cure(tmp_path: Path) -> None:
    """T-12, T-16: on rlimits nothing is hidden, and doctor says so."""
    low = sandbox_health(sandbox_on("rlimits", tmp_path), [])
    reads = next(each for each in low if "reads open" in each.text)
    assert (reads.level, reads.cure) == ("warning", "Install bubblewrap.")
    landlock = sandbox_health(sandbox_on("landlock", tmp_path), [])
    assert any("their names can" in each.text for each in landlock)


def test_an_environment_in_the_repository_is_named_on_landlock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T-14: on landlock, if toolcrib's environment lies in the repo, doctor says so."""
    (tmp_path / ".venv").mkdir()
    monkeypatch.setattr(sys, "prefix", str(tmp_path / ".venv"))
    found = lines(sandbox_on("landlock", tmp_path))
    assert any("is toolcrib's own, and commands may write it" in text for text in found)
    assert len(lines(sandbox_on("bubblewrap", tmp_path))) == 4


def test_off_and_required_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-16: `required` refuses where it cannot be had."""
    assert lines(Sandbox("off", tmp_path)) == {"sandbox: off": "warning"}
    required = Sandbox("required", tmp_path)
    monkeypatch.setattr(required, "_working_bwrap", lambda: None)
    (found,) = sandbox_health(required, [])
    assert found.level == "error"
