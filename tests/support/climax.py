"""Fixtures: small configs on disk, and an easy way to call their tools."""

from __future__ import annotations

import asyncio
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from toolcrib.core.executor import ToolExecutor
from toolcrib.core.tool import ToolOutput
from toolcrib.discovery.catalog import discovery_tools
from toolcrib.packs.climax.config.config import load_config
from toolcrib.packs.climax.pack import ClimaxPack
from toolcrib.packs.climax.settings import ClimaxSettings
from toolcrib.running.program import CLIConfig


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads what another one, or a person's server, has kept."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Write a file below the test's folder."""

    def write(text: str, name: str = "tools.yaml") -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text), encoding="utf-8")
        return path

    return write


@pytest.fixture
def config(write: Callable[..., Path], tmp_path: Path) -> Callable[[str], CLIConfig]:
    """Load a config from its text."""

    def load(text: str) -> CLIConfig:
        return load_config(write(text), tmp_path)[0]

    return load


class Crib:
    """A pack in a folder; every question is answered in an event loop of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def ask(self, name: str, arguments: Any = None, **settings: Any) -> ToolOutput:
        """Call a tool of the shelf, or one of the two meta-tools."""
        return self.ask_all([(name, arguments or {})], **settings)[0]

    def ask_all(self, calls: list[tuple[str, Any]], **settings: Any) -> list[ToolOutput]:
        settings.setdefault("sandbox", "off")

        async def session() -> list[ToolOutput]:
            pack = ClimaxPack(self.folder, ClimaxSettings(**settings))
            executor = ToolExecutor()
            shelf = pack.contribute().unlisted
            assert shelf is not None
            meta = {tool.name: tool for tool in discovery_tools([shelf], [], executor)}
            try:
                return [
                    await executor.run(meta.get(name) or shelf.get(name), arguments)  # type: ignore[arg-type]
                    for name, arguments in calls
                ]
            finally:
                await pack.close()

        return asyncio.run(session())


@pytest.fixture
def crib(tmp_path: Path) -> Iterator[Crib]:
    """A folder whose configs can be called."""
    yield Crib(tmp_path)
