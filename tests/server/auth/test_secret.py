"""The secret that replicas share."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from toolcrib.core.errors import ConfigError
from toolcrib.server.auth.secret import shared_secret

LONG = "x" * 32


def test_the_variable_wins_over_the_file_and_a_newline_does_not_count(tmp_path: Path) -> None:
    """R-1: `TOOLCRIB_SECRET` is the secret itself; the file's last newline is no part of it."""
    (tmp_path / "secret").write_text("y" * 32 + "\n")
    assert shared_secret(tmp_path, "secret", {}) == b"y" * 32
    assert shared_secret(tmp_path, "secret", {"TOOLCRIB_SECRET": LONG}) == LONG.encode()
    assert shared_secret(tmp_path, None, {}) is None


@pytest.mark.parametrize("given", ["", "x" * 31])
def test_a_short_secret_is_refused_with_the_length_it_needs(tmp_path: Path, given: str) -> None:
    """R-1: shorter: exit 1 before the port opens, one line that names 32."""
    with pytest.raises(ConfigError, match="32"):
        shared_secret(tmp_path, None, {"TOOLCRIB_SECRET": given})
    (tmp_path / "directive").mkdir()
    command = [sys.executable, "-m", "toolcrib", "serve", "directive", "--http", "127.0.0.1:0"]
    environment = {"TOOLCRIB_SECRET": given, "HOME": str(tmp_path), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, timeout=20, env=environment
    )
    assert done.returncode == 1 and "32" in done.stderr and "serving on" not in done.stderr


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    """R-1: a secret file that cannot be read is no silent fallback."""
    with pytest.raises(ConfigError, match="secret_file"):
        shared_secret(tmp_path, "nowhere", {})
