"""Clients that other people wrote, over stdio: the TypeScript SDK and the Inspector."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
BUILD = HERE.parents[1] / "build" / "typescript"
SDK = "@modelcontextprotocol/sdk@1"
INSPECTOR = "@modelcontextprotocol/inspector@2.12.0"
FIVE = [
    "directive/file.get",
    "directive/files.list",
    "directive/impact.template",
    "directive/spec.template",
    "directive/tdr.template",
]

pytestmark = pytest.mark.skipif(shutil.which("npm") is None, reason="npm is missing")


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("repo")
    command = [sys.executable, "-m", "toolcrib", "directive", "init"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return folder


@pytest.fixture(scope="module")
def typescript() -> Path:
    if not (BUILD / "node_modules" / "@modelcontextprotocol" / "sdk").is_dir():
        BUILD.mkdir(parents=True, exist_ok=True)
        (BUILD / "package.json").write_text('{"private": true}\n')
        install = ["npm", "install", "--no-audit", "--no-fund", "--prefix", str(BUILD), SDK]
        done = subprocess.run(install, capture_output=True, text=True, timeout=300)
        if done.returncode:
            pytest.skip(f"the TypeScript SDK cannot be had: {done.stderr[-200:]}")
    return BUILD


def test_the_typescript_sdk_lists_and_calls(repo: Path, typescript: Path) -> None:
    """S-1: the official TypeScript client over stdio."""
    server = [sys.executable, "-m", "toolcrib", "serve", "directive"]
    command = ["node", str(HERE / "typescript" / "client.mjs"), str(typescript), *server]
    done = subprocess.run(command, cwd=repo, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    seen: dict[str, Any] = json.loads(done.stdout)
    assert seen["server"]["name"] == "toolcrib"
    assert seen["capabilities"] == {"tools": {}}
    assert seen["tools"] == FIVE
    assert "not write code" in seen["primer"]
    assert seen["refused"] == -32001


@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_the_inspector_lists_exactly_the_five_tools(repo: Path, era: str) -> None:
    """D-1, S-1: to the MCP Inspector, in both eras."""
    command = ["npx", "-y", INSPECTOR, "--cli", sys.executable, "-m", "toolcrib", "serve"]
    command += ["directive", "--method", "tools/list", "-q", "--format", "json"]
    command += ["--protocol-era", era]
    done = subprocess.run(command, cwd=repo, capture_output=True, text=True, timeout=240)
    if done.returncode and "npm" in done.stderr and "404" in done.stderr:
        pytest.skip("the Inspector cannot be had")
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    tools = answer.get("tools") or answer["result"]["tools"]
    assert [tool["name"] for tool in tools] == FIVE
