"""What the tests of the gateway share: a project whose servers are real processes."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest

from toolcrib.core.executor import ToolExecutor
from toolcrib.core.tool import CallContext, ToolOutput
from toolcrib.packs.gateway.pack import GatewayPack
from toolcrib.packs.gateway.settings import GatewaySettings

ODD = Path(__file__).parents[2] / "support" / "odd_server.py"
T = TypeVar("T")


def odd(entry: dict[str, Any] | None = None, **switches: Any) -> dict[str, Any]:
    """An entry of the odd server with some of its switches on."""
    words = {"command": sys.executable, "args": [str(ODD), json.dumps(switches)]}
    return {**words, "sandbox": "off", **(entry or {})}


class Project:
    """A repository with servers, and a way to call their tools."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "mcp").mkdir(parents=True)

    def write(self, **servers: dict[str, Any]) -> None:
        """Write the repository's file of servers."""
        (self.folder / "mcp" / "servers.json").write_text(json.dumps({"mcpServers": servers}))

    def run(self, work: Callable[[GatewayPack], Awaitable[T]], **settings: Any) -> T:
        """Do something with the pack, and stop every server afterwards."""

        async def session() -> T:
            pack = GatewayPack(self.folder, GatewaySettings(**settings))
            try:
                return await work(pack)
            finally:
                await pack.close()

        return asyncio.run(session())

    def call(self, name: str, arguments: Any = None, **settings: Any) -> ToolOutput:
        """Call one tool."""
        return self.run(lambda pack: call(pack, name, arguments), **settings)


async def call(pack: GatewayPack, name: str, arguments: Any = None) -> ToolOutput:
    """Call a tool of a pack through an executor of its own."""
    unlisted = pack.contribute().unlisted
    assert unlisted is not None
    tool = unlisted.get(name)
    assert tool is not None, name
    return await ToolExecutor().run(tool, arguments or {}, CallContext())


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """An empty repository, with the state, cache and settings of a user of its own."""
    for variable in ("XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(variable, str(tmp_path / variable))
    monkeypatch.delenv("TOOLCRIB_STATE", raising=False)
    return Project(tmp_path / "repo")
