"""How a server on this machine is started."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from packs.gateway.conftest import Project, odd
from toolcrib.core.errors import CallError
from toolcrib.packs.gateway.entries import ConfiguredServer
from toolcrib.packs.gateway.faults import ServerFault
from toolcrib.packs.gateway.launcher import Launcher, starts_ourselves, walls_of
from toolcrib.packs.gateway.references import resolve
from toolcrib.packs.gateway.settings import DEPTH, depth
from toolcrib.policy.floors import SANDBOX, strictest
from toolcrib.running.limits import Limits
from toolcrib.running.sandbox.ladder import Sandbox
from toolcrib.settings import open_trust


def entry(command: str = "x", *args: str, source: Any = "repo", **more: Any) -> ConfiguredServer:
    return ConfiguredServer(
        "s", source, "stdio", "f", 1, Path("/"), command=command, args=args, **more
    )


@pytest.mark.parametrize(
    ("words", "ours"),
    [
        (("toolcrib", "serve"), True),
        (("uvx", "toolcrib", "serve", "--classic"), True),
        (("python3", "-m", "toolcrib", "serve"), True),
        (("uvx", "toolcrib@latest", "serve"), True),
        (("pipx", "run", "toolcrib==0.1", "serve"), True),
        (("/usr/bin/python3.11", "/opt/x/bin/toolcrib", "serve"), True),
        (("uvx", "toolcrib-other", "serve"), False),
        (("toolcrib", "list"), False),
        (("uvx", "mcp-server-time"), False),
        (("other", "serve"), False),
    ],
)
def test_own_serve_is_recognised(words: tuple[str, ...], ours: bool) -> None:
    """X-3: the command is toolcrib's own, or a runner with that word, and `serve` is there."""
    assert starts_ourselves(entry(*words)) is ours


@pytest.mark.parametrize(("text", "expected"), [("0", 0), ("1", 1), ("x", 2), ("99999", 2)])
def test_what_is_no_depth_is_the_deepest(
    monkeypatch: pytest.MonkeyPatch, text: str, expected: int
) -> None:
    """X-3: a variable that somebody else wrote cannot open another level."""
    monkeypatch.setenv(DEPTH, text)
    assert depth() == expected


def test_a_server_of_the_person_stands_in_an_empty_folder_until_the_repo_is_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """X-4: of the repo's entries the root; of the user's the root once the repo is trusted."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    trusted = False
    launcher = Launcher(tmp_path, _no_secret, lambda: trusted)

    def folder(given: ConfiguredServer) -> str:
        return launcher._folder(given, resolve(given, tmp_path, str))

    assert folder(entry()) == str(tmp_path)
    empty = folder(entry(source="user"))
    assert empty != str(tmp_path) and not list(Path(empty).iterdir())
    trusted = True
    assert folder(entry(source="user")) == str(tmp_path)
    assert folder(entry(source="user", cwd="sub")) == "/sub"


def test_a_secret_that_nobody_mapped_makes_the_server_unavailable(tmp_path: Path) -> None:
    """X-5: unset_reference, with the name of what is missing."""
    launcher = Launcher(tmp_path, _no_secret, lambda: True)
    with pytest.raises(ServerFault, match="github") as caught:
        asyncio.run(launcher.resolved(entry(env={"T": "secret:github"})))
    assert caught.value.reason == "unset_reference"


def test_a_server_that_needs_a_sandbox_has_it_or_is_refused(project: Project) -> None:
    """X-12: `required` refuses where that cannot be had; else it has processes of its own."""
    project.write(odd=odd({"sandbox": "required"}))
    output = project.call("odd__t0")
    assert output.structured is not None
    if Sandbox("required", project.folder).level == "bubblewrap":
        assert output.structured["pid"] < 10
    else:
        assert output.structured["error"]["data"]["reason"] == "start_failed"


@pytest.mark.parametrize(
    ("own", "asked", "level"),
    [("off", "auto", "auto"), ("required", "off", "required"), ("auto", "required", "required")],
)
def test_an_entry_of_the_repository_is_not_looser_than_the_person_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, own: str, asked: str, level: str
) -> None:
    """T-5, T-12, T-14: the strictest sandbox, the person's hidden paths, what acts read-only."""
    config = tmp_path / "config" / "toolcrib"
    config.mkdir(parents=True)
    (config / "config.toml").write_text(f'[climax]\nsandbox = "{own}"\nhidden = ["~/private"]\n')
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    repo = tmp_path / "repo"
    (repo / "mcp").mkdir(parents=True)
    servers = {"mcpServers": {"s": {"command": "true"}}}
    (repo / "mcp" / "servers.json").write_text(json.dumps(servers))
    walls = walls_of(open_trust(repo))
    assert strictest([asked, walls.floors["repo"]], SANDBOX) == level
    assert walls.floors["user"] == "off", "of one's own servers only the organisation's word counts"
    assert walls.hidden == ("~/private",)
    assert str(repo / "mcp" / "servers.json") in walls.acting()


async def _no_secret(name: str) -> str:
    raise CallError(f"the secret {name!r} is not mapped")


def test_a_server_has_the_limits_of_a_command_without_a_sandbox_too(project: Project) -> None:
    """X, exactly: a command's limits of memory and processes, none of CPU."""
    project.write(odd=odd(call="limits"))
    limits = json.loads(project.call("odd__t0").content[0]["text"])
    assert limits["memory"] == Limits().memory and limits["cpu"] == -1
