"""The person's browser, and what only looks like one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

CODE = """
import sys
from pathlib import Path
from toolcrib.running.sandbox import places
places.temporary_folders = lambda environment: []  # the test itself lies in one
from toolcrib.cli.terminal.browser import open_page
open_page("http://127.0.0.1:1/", Path(sys.argv[1]))
"""


@pytest.mark.parametrize(("where", "started"), [("repo/bin", False), ("own/bin", True)])
def test_no_program_of_the_repository_is_taken_for_a_browser(
    where: str, started: bool, tmp_path: Path
) -> None:
    """T-14: what toolcrib starts itself is never found below the project."""
    repo, mark = tmp_path / "repo", tmp_path / "mark"
    folder = tmp_path / where
    repo.mkdir()
    folder.mkdir(parents=True)
    for name in ("www-browser", "xdg-open", "x-www-browser"):
        (folder / name).write_text(f"#!/bin/sh\necho $1 > {mark}\n")
        (folder / name).chmod(0o755)
    dropped = ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY")
    env = {name: value for name, value in os.environ.items() if name not in dropped}
    subprocess.run(
        [sys.executable, "-c", CODE, str(repo)],
        cwd=repo, env={**env, "PATH": f".:{folder}"}, check=True, timeout=60,
    )  # fmt: skip
    assert mark.exists() == started
