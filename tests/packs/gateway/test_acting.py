"""What of a repository's servers acts: each entry, and the files that its command line names."""

from __future__ import annotations

import json
from pathlib import Path

from toolcrib.packs.gateway.acting import acting_files, describe
from toolcrib.packs.gateway.settings import GatewaySettings
from toolcrib.policy.trust.acting import SCRIPT, SERVER


def _repo(folder: Path, **entry: object) -> Path:
    (folder / "mcp").mkdir()
    (folder / "serve.py").write_text("print()\n")
    text = json.dumps({"mcpServers": {"own": {"command": "python3", **entry}}})
    (folder / "mcp" / "servers.json").write_text(text)
    return folder


def test_files_in_the_command_line_of_a_server_act(tmp_path: Path) -> None:
    """T-2: for every server of the repository, grant or not."""
    repo = _repo(tmp_path, args=["-u", "${workspaceFolder}/serve.py"])
    found = {(file.path, file.kind) for file in acting_files(repo, GatewaySettings(), {})}
    assert found == {("mcp/servers.json/own", SERVER), ("serve.py", SCRIPT)}


def test_a_server_is_told_in_words(tmp_path: Path) -> None:
    """T-6: what it starts, with which network, and what of it nobody compares."""
    repo = _repo(tmp_path, args=["serve.py"], network="public", env={"A": "${TOKEN}"})
    entry = next(f for f in acting_files(repo, GatewaySettings(), {}) if f.kind == SERVER)
    assert describe(entry) == [
        "starts python3 serve.py with network to any public host",
        "code of this repo that is not compared gets: network to any public host",
        "wants $TOKEN",
    ]
