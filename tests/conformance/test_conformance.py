"""The official suite, in its short form; `make conformance` runs all of it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

RUN = Path(__file__).parent / "run.py"


@pytest.mark.skipif(
    shutil.which("npx") is None, reason="Node is missing: `make conformance` needs it"
)
@pytest.mark.parametrize(
    ("revision", "scenario"),
    [("2025-11-25", "server-initialize"), ("2026-07-28", "server-stateless")],
)
def test_the_official_suite_passes_in_each_era(revision: str, scenario: str) -> None:
    """S-1: both eras are served by one protocol layer, as the official suite sees it."""
    command = [sys.executable, str(RUN), "--scenario", scenario, revision]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"checks of {scenario} pass" in done.stdout
