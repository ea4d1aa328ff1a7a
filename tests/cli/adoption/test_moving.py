"""Carrying an adoption out, and taking it back, whatever happens in between."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from toolcrib.cli.adoption import moving
from toolcrib.cli.adoption.journal import journals

CURSOR = '{\n  // mine\n  "mcpServers": {"a": {"command": "x", "env": {"A_KEY": "k3y"}}}\n}\n'
CODEX = '# mine\n[mcp_servers.b]\ncommand = "y"\n\n[mcp_servers.b.env]\nB_TOKEN = "t0k"\n'
KILLER = """
import os, signal, sys
from pathlib import Path
left = int(sys.argv[1])
def counted(real):
    def call(*args, **more):
        global left
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        left -= 1
        return real(*args, **more)
    return call
Path.replace = counted(Path.replace)
Path.unlink = counted(Path.unlink)
from toolcrib.cli import main
sys.exit(main(sys.argv[2:]))
"""


@pytest.fixture
def clients(home: Path) -> dict[Path, bytes]:
    """Two clients with a server each."""
    for name, text in ((".cursor/mcp.json", CURSOR), (".codex/config.toml", CODEX)):
        (home / name).parent.mkdir()
        (home / name).write_text(text)
    return everything(home)


def everything(home: Path) -> dict[Path, bytes]:
    """Each file of a home but for what can be made again, and what a kill left half written."""
    found = [path for path in home.rglob("*") if path.is_file()]
    scratch = [path for path in found if re.fullmatch(r"\..+\.\w{8}", path.name)]
    return {
        path: path.read_bytes()
        for path in found
        if path not in scratch and not {".cache", ".local"} & set(path.parts)
    }


def whereabouts(home: Path) -> dict[str, int]:
    """In how many files each server stands."""
    found = dict.fromkeys("ab", 0)
    for path in (".cursor/mcp.json", ".codex/config.toml", ".config/toolcrib/servers.json"):
        text = (home / path).read_text() if (home / path).exists() else ""
        found["a"] += '"a": {' in text
        found["b"] += "[mcp_servers.b]" in text or '"b": {' in text
    return found


def killed_after(steps: int, repo: Path, *words: str) -> bool:
    """Run a command that is killed at a step; whether it was."""
    ran = subprocess.run(
        [sys.executable, "-c", KILLER, str(steps), *words], cwd=repo, capture_output=True
    )
    assert ran.returncode in (0, -signal.SIGKILL), ran.stderr.decode()
    return ran.returncode != 0


def test_undo_is_byte_exact_where_nobody_touched_anything(toolcrib, clients, home) -> None:
    """X-28: files, folders and secrets that were made are gone again."""
    assert toolcrib("adopt", "--no-connect", "--yes").code == 0
    assert everything(home) != clients
    secrets = home / ".local/state/toolcrib/secrets"
    assert sorted(path.read_text() for path in secrets.iterdir()) == ["k3y", "t0k"]
    undone = toolcrib("adopt", "--undo", "--yes", "--json")
    assert undone.code == 0 and undone.json["remarks"] == []
    assert everything(home) == clients
    assert not (home / ".config/toolcrib").exists()
    assert not list(secrets.iterdir())
    assert toolcrib("adopt", "--list", "--json").json == {"adoptions": []}


def test_what_was_touched_since_is_put_back_entry_by_entry(toolcrib, clients, home) -> None:
    """X-28: with a word on what differs; nothing of anybody else is lost."""
    assert toolcrib("adopt", "--no-connect", "--yes").code == 0
    file = home / ".cursor/mcp.json"
    file.write_text(
        file.read_text().replace('"mcpServers": {', '"mcpServers": {"new": {"command": "n"},')
    )
    own = home / ".config/toolcrib/servers.json"
    value = json.loads(own.read_text())
    value["mcpServers"]["b"]["deny"] = ["c"]
    own.write_text(json.dumps(value))
    undone = toolcrib("adopt", "--undo", "--yes", "--json")
    assert undone.code == 0
    assert any("mcpServers.b was changed since" in each for each in undone.json["remarks"])
    now = json.loads(file.read_text().replace("// mine", ""))["mcpServers"]
    assert now == {"new": {"command": "n"}, "a": {"command": "x", "env": {"A_KEY": "k3y"}}}
    assert (home / ".codex/config.toml").read_bytes() == clients[home / ".codex/config.toml"]
    assert set(json.loads(own.read_text())["mcpServers"]) == {"b"}


def test_an_adoption_whose_servers_moved_again_is_undone_after_the_later_one(
    toolcrib, clients, home
) -> None:
    """X-28: a server that two clients had is never in neither file."""
    first = toolcrib("adopt", "cursor", "--no-connect", "--yes", "--json").json["id"]
    (home / ".gemini").mkdir()
    same = {"mcpServers": {"a": {"command": "x", "env": {"A_KEY": "k3y"}}}}
    (home / ".gemini/settings.json").write_text(json.dumps(same))
    second = toolcrib("adopt", "gemini", "--no-connect", "--yes", "--json").json
    assert second["adopted"][0]["name"] == "a"
    refused = toolcrib("adopt", "--undo", first, "--yes")
    assert refused.code == 2 and second["id"] in refused.err
    assert toolcrib("adopt", "--undo", second["id"], "--yes").code == 0
    assert toolcrib("adopt", "--undo", first, "--yes").code == 0
    assert everything(home) == {
        **clients,
        home / ".gemini/settings.json": json.dumps(same).encode(),
    }


def test_kill_at_any_point_leaves_every_server_in_a_file(repo, clients, home) -> None:
    """X-28: kill -9 between any two steps of adopt; undo puts everything back afterwards."""
    for steps in range(30):
        killed = killed_after(steps, repo, "adopt", "--no-connect", "--yes")
        assert all(whereabouts(home).values()), steps
        assert not killed_after(1000, repo, "adopt", "--undo", "--yes")
        assert everything(home) == clients, steps
        assert not list((home / ".local/state/toolcrib/secrets").glob("*")), steps
        if not killed:
            break
    assert steps > 5 and not killed


def test_kill_at_any_point_of_undo_leaves_every_server_in_a_file(repo, clients, home) -> None:
    """X-28: and a second undo finishes it."""
    for steps in range(30):
        assert not killed_after(1000, repo, "adopt", "--no-connect", "--yes")
        killed = killed_after(steps, repo, "adopt", "--undo", "--yes")
        assert all(whereabouts(home).values()), steps
        assert not killed_after(1000, repo, "adopt", "--undo", "--yes")
        assert everything(home) == clients, steps
        if not killed:
            break
    assert steps > 5 and not killed


def test_the_last_one_is_undone_unless_one_is_named(toolcrib, clients, machine, home) -> None:
    """X-28: `--undo [ID]`; an unknown id is an error with the nearest."""
    assert moving.chosen(machine, None) is None
    for client in ("cursor", "codex"):
        assert toolcrib("adopt", client, "--no-connect", "--yes").code == 0
    ids = [each.id for each in journals(machine)]
    assert moving.chosen(machine, None).id == ids[1]
    assert moving.chosen(machine, ids[0]).id == ids[0]
    wrong = toolcrib("adopt", "--undo", ids[0] + "x", "--yes")
    assert wrong.code == 2 and ids[0] in wrong.err


def test_an_interrupted_adoption_is_listed_as_one(repo, clients, home, toolcrib) -> None:
    """X-28: what was cut short can be seen."""
    assert killed_after(3, repo, "adopt", "--no-connect", "--yes")
    assert toolcrib("adopt", "--list", "--json").json["adoptions"][0]["state"] == "interrupted"
    assert "interrupted" in toolcrib("adopt", "--list").out
    assert os.listdir(home / ".cursor") == ["mcp.json"]
