"""Protected files that a server makes are taken away, whenever it makes them."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest

from packs.gateway.conftest import Project, call
from support.waiting import until_async
from toolcrib.core.tool import ToolOutput
from toolcrib.packs.gateway.pack import GatewayPack
from toolcrib.packs.gateway.settings import GatewaySettings
from toolcrib.settings import open_trust

T = TypeVar("T")
PLANTING = Path(__file__).parents[3] / "support" / "planting_server.py"
PATHS = [
    ".git/hooks/pre-commit",
    ".envrc",
    ".mcp.json",
    ".claude/settings.json",
    "toolcrib.toml",
    "climax/policy.yaml",
    "climax/new.yaml",
    "tools/policies.yaml",
]
OTHERS_ACT_UPON = PATHS[:4]


class Repository(Project):
    """A repository whose pack knows what a person has trusted."""

    def run(self, work: Callable[[GatewayPack], Awaitable[T]], **settings: Any) -> T:
        """Do something with the pack, and stop every server afterwards."""

        async def session() -> T:
            trust = open_trust(self.folder)
            pack = GatewayPack(self.folder, GatewaySettings(**settings), trust)
            try:
                return await work(pack)
            finally:
                await pack.close()

        return asyncio.run(session())


@pytest.fixture
def repository(project: Project, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """A git repository without hooks, its one server in a sandbox."""
    monkeypatch.setenv("TOOLCRIB_TRUST", "all")
    subprocess.run(["git", "init", "-q", "--template=", project.folder], check=True)
    shutil.rmtree(project.folder / "mcp")
    found = Repository(project.folder)
    serve(found)
    return found


def serve(project: Repository, **switches: Any) -> None:
    words = [str(PLANTING), json.dumps(switches)]
    project.write(evil={"command": sys.executable, "args": words, "sandbox": "auto"})


def taken() -> set[str]:
    """The names of what lies in the state folder, whole folders by the name of the folder."""
    return {path.name for path in Path(os.environ["XDG_STATE_HOME"]).rglob("taken/*/*")}


def text(output: ToolOutput) -> str:
    return "\n".join(item["text"] for item in output.content)


@pytest.mark.parametrize("path", PATHS)
def test_what_a_server_makes_during_a_call_is_gone_before_the_answer(
    repository: Repository, path: str
) -> None:
    """T-14: moved to the state folder before the answer, which says so; nothing is left behind."""
    output = repository.call("evil__plant", {"paths": [path]})
    assert not (repository.folder / path).exists()
    assert output.content[0]["text"] == "done" and not output.is_error
    assert f"protected: {path.removesuffix('/pre-commit').removesuffix('/settings.json')}" in text(
        output
    )
    assert taken()


def test_what_a_server_makes_at_its_start_is_gone_before_the_first_answer(
    repository: Repository,
) -> None:
    """T-14: a server works before it is called, too."""
    serve(repository, start=PATHS)
    output = repository.call("evil__plant")
    assert not [path for path in PATHS if (repository.folder / path).exists()]
    assert "appeared during the call and was moved to" in text(output)


@pytest.mark.parametrize("way", ["thread", "child"])
def test_what_a_server_makes_between_calls_is_gone_before_the_next_answer(
    repository: Repository, way: str
) -> None:
    """T-14: whoever waits until nobody asks gains nothing by it."""

    async def work(pack: Any) -> str:
        await call(pack, "evil__plant", {"paths": OTHERS_ACT_UPON, "way": way})
        last = repository.folder / OTHERS_ACT_UPON[-1]
        await until_async(last.exists)
        return text(await call(pack, "evil__plant"))

    told = repository.run(work)
    assert not [path for path in OTHERS_ACT_UPON if (repository.folder / path).exists()]
    assert told.count("was moved to") == len(OTHERS_ACT_UPON)


def test_what_a_server_makes_when_it_is_stopped_is_taken_away(repository: Repository) -> None:
    """T-14: its end is the last moment at which it can make something."""
    serve(repository, end=PATHS)
    repository.call("evil__plant")
    assert not [path for path in PATHS if (repository.folder / path).exists()]
    assert len(taken()) == len(PATHS)


def test_a_server_that_dies_of_its_call_leaves_nothing(repository: Repository) -> None:
    """T-14: the answer that it died says so as well."""
    output = repository.call("evil__plant", {"paths": PATHS, "way": "die"})
    assert output.is_error and "died during the call" in text(output)
    assert "was moved to" in text(output)
    assert not [path for path in PATHS if (repository.folder / path).exists()]


def test_a_link_is_taken_away_and_not_what_it_leads_to(
    repository: Repository, tmp_path: Path
) -> None:
    """T-14: what lies behind a link is not the server's."""
    (tmp_path / "mine").write_text("mine")
    serve(repository, link=str(tmp_path / "mine"))
    repository.call("evil__plant", {"paths": [".envrc"]})
    assert not (repository.folder / ".envrc").is_symlink()
    assert (tmp_path / "mine").read_text() == "mine"


def test_what_a_person_makes_while_the_server_rests_stays(repository: Repository) -> None:
    """T-14: a server that has not run since cannot have made it."""

    async def work(pack: Any) -> str:
        await call(pack, "evil__plant")
        planted = pack.servers.server("evil")._planted
        await until_async(lambda: planted._resting)
        (repository.folder / ".vscode").mkdir()
        (repository.folder / "toolcrib.toml").write_text("")
        told = text(await call(pack, "evil__plant"))
        await until_async(lambda: planted._resting)
        (repository.folder / ".idea").mkdir()
        return told

    assert "moved" not in repository.run(work)
    assert (repository.folder / ".idea").is_dir(), "made before the server was stopped"
    assert (repository.folder / ".vscode").is_dir()
    assert (repository.folder / "toolcrib.toml").is_file()


def test_a_server_without_a_sandbox_is_not_watched(repository: Repository) -> None:
    """T-14: in the sandbox; what a person lets out of it may write."""
    words = [str(PLANTING), "{}"]
    entry = {"command": sys.executable, "args": words, "sandbox": "off"}
    repository.write(evil=entry)
    repository.call("evil__plant", {"paths": [".envrc"]})
    assert (repository.folder / ".envrc").exists()


def test_calls_at_the_same_time_leave_nothing(repository: Repository) -> None:
    """T-14: whichever of them ends first."""

    async def work(pack: Any) -> None:
        calls = (call(pack, "evil__plant", {"paths": [path]}) for path in PATHS)
        await asyncio.gather(*calls)

    repository.run(work)
    assert not [path for path in PATHS if (repository.folder / path).exists()]
