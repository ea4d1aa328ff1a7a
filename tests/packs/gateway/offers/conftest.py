"""A real client over a real pipe, and a server of each era with resources and prompts."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from support.pipe import Pipe, toolcrib

OFFERING = Path(__file__).parents[3] / "support" / "offering_server.py"


@pytest.fixture
def serving(tmp_path: Path) -> Callable[..., Pipe]:
    """toolcrib with one server, whose catalogue is known."""
    repo = tmp_path / "repo"
    (repo / "mcp").mkdir(parents=True)
    env = {
        "TOOLCRIB_STATE": str(tmp_path / "state"),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "TOOLCRIB_TRUST": "all",
    }

    def start(era: str, **entry: Any) -> Pipe:
        words = {"command": sys.executable, "args": [str(OFFERING), era], "sandbox": "off"}
        text = json.dumps({"mcpServers": {"srv": {**words, **entry}}})
        (repo / "mcp/servers.json").write_text(text)
        return Pipe(toolcrib("serve", "gateway", "--project", str(repo)), env=env)

    return start
