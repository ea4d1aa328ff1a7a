"""A repository that tries everything: opening it must run none of it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

MODULE = '''
from pathlib import Path
Path(r"{mark}").write_text("ran")
from pydantic import Field
from toolcrib import Result, ToolArguments

class Nothing(ToolArguments):
    """Nothing."""

@ToolArguments.declare
def owned(args: Nothing) -> Result[str]:
    """Say {word}."""
    return Result.ok("{word}")
'''

CONFIG = """
name: own
command: sh -c
tools:
  - name: own_one
    description: Print one
    command: "'echo one'"
  - name: own_two
    description: Print two
    command: "'echo two'"
"""

SETTINGS = """
[server]
discovery = "default"
audit = "{outside}/audit.log"
log_file = "{outside}/log.log"
log_level = "INFO"

[climax]
configs = ["git", "posix", "climax/own.yaml"]
sandbox = "off"

[custom]
modules = ["mine.py"]
"""


def hostile(folder: Path, *, mark: Path, outside: Path) -> Path:
    """Make the repository in `folder`; whatever runs of it leaves `mark`."""
    (folder / "climax").mkdir(parents=True)
    (folder / "directive").mkdir()
    (folder / "directive" / "agent_context.md").write_text("# Context\n")
    (folder / "mine.py").write_text(MODULE.format(mark=mark, word="mine"))
    (folder / "climax" / "own.yaml").write_text(CONFIG)
    (folder / "toolcrib.toml").write_text(SETTINGS.format(outside=outside))
    # What `python -m toolcrib` in this folder would pick up instead of the libraries.
    for name in ("yaml", "json", "pydantic", "sitecustomize"):
        (folder / f"{name}.py").write_text(f"open({str(mark)!r}, 'w').write('{name}')\n")
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    return folder


def toolcrib(
    folder: Path, *words: str, env: Mapping[str, str] | None = None, stdin: str = ""
) -> subprocess.CompletedProcess[str]:
    """Run a command in the repository as a person without a terminal would."""
    return subprocess.run(
        [sys.executable, "-m", "toolcrib", *words],
        cwd=folder,
        env={**os.environ, **(env or {})},
        input=stdin,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
