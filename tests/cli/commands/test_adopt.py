"""`toolcrib adopt` on the files of all eight clients."""

from __future__ import annotations

import io
import json
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from support.odd_http import log_of, odd_http
from toolcrib.cli.clients import registry
from toolcrib.cli.clients.machine import Machine

ODD = Path(__file__).parents[2] / "support" / "odd_server.py"
START = {"command": sys.executable, "args": [str(ODD)]}
SHAPES = {
    "claude-code": {"type": "stdio", **START},
    "vscode": {"type": "stdio", **START},
    "zed": {"source": "custom", **START},
}
PLACES = [(name, scope) for name, client in registry.CLIENTS.items() for scope in client.scopes]


def placed(client: str, scope: str, home: Path, repo: Path, **servers: dict[str, Any]) -> Path:
    """Write servers into the file of a client, with comments and other settings around them."""
    own = registry.get(client)
    spot = own.spot(Machine("linux", home, {}), repo, registry.scope_of(own, scope))
    spot.file.parent.mkdir(parents=True, exist_ok=True)
    if spot.form == "toml":
        lines = ['model = "o9"  # the good one', ""]
        for name, entry in servers.items():
            lines += [f"[{'.'.join(spot.keys)}.{name}]"]
            lines += [f"{key} = {json.dumps(value)}" for key, value in entry.items()]
        spot.file.write_text("\n".join([*lines, "", "[profiles.x]  # last", "a = 1", ""]))
        return spot.file
    value: dict[str, Any] = servers
    for key in reversed(spot.keys):
        value = {key: value}
    text = json.dumps({"before": 1, **value, "after": {"x": []}}, indent=4)
    spot.file.write_text(text.replace("{\n", "{\n    // mine\n", 1) + "\n")
    return spot.file


def read(file: Path) -> Any:
    if file.suffix == ".toml":
        return tomllib.loads(file.read_text())
    return json.loads("\n".join(line for line in file.read_text().splitlines() if "//" not in line))


@pytest.mark.parametrize(("client", "scope"), PLACES)
def test_a_server_of_each_client_moves_and_comes_back(client, scope, home, repo, toolcrib) -> None:
    """X-27, X-28: every client, every scope; connected, moved, undone byte for byte."""
    file = placed(client, scope, home, repo, odd=SHAPES.get(client, START))
    before = file.read_bytes()
    ran = toolcrib("adopt", client, "--scope", scope, "--yes", "--json")
    assert ran.code == 0, ran.out + ran.err
    report = ran.json
    own = (
        repo / "mcp/servers.json" if scope == "project" else home / ".config/toolcrib/servers.json"
    )
    assert report["adopted"][0]["file"] == str(own)
    entry = json.loads(own.read_text())["mcpServers"]["odd"]
    assert entry["command"] == START["command"] and entry["args"] == START["args"]
    assert entry.get("root") == (str(repo) if scope == "local" else None)
    value = read(file)
    for key in registry.get(client).spot(Machine.here(), repo, scope).keys:
        value = value[key]
    assert list(value) == ["toolcrib"] and "serve" in value["toolcrib"]["args"]
    assert "mine" in file.read_text() or "the good one" in file.read_text()
    listed = toolcrib("servers", "list", "--json").json["servers"]
    assert [(row["name"], row["tools"]) for row in listed] == [("odd", 2)]
    assert toolcrib("adopt", "--undo", "--yes").code == 0
    assert file.read_bytes() == before
    assert not own.exists()


def test_nothing_to_adopt_is_said(home, repo, toolcrib) -> None:
    """X-27: exit 0, also where toolcrib alone is there, and without a terminal."""
    placed("cursor", "user", home, repo, toolcrib={"command": "toolcrib", "args": ["serve"]})
    ran = toolcrib("adopt")
    assert ran.code == 0 and "Nothing to adopt" in ran.out


def test_without_a_terminal_nothing_moves_unless_told_to(home, repo, toolcrib) -> None:
    """X-27: exit 2 unless `--yes`."""
    file = placed("cursor", "user", home, repo, odd=START)
    before = file.read_bytes()
    assert toolcrib("adopt", "--no-connect").code == 2
    assert file.read_bytes() == before


def test_an_agents_shell_may_not_adopt(home, repo, toolcrib, monkeypatch) -> None:
    """T-6: exit 3, whatever it says."""
    placed("cursor", "user", home, repo, odd=START)
    monkeypatch.setenv("CLAUDECODE", "1")
    assert toolcrib("adopt", "--no-connect", "--yes").code == 3


def test_a_dry_run_shows_both_diffs_and_no_secret(home, repo, toolcrib) -> None:
    """X-27: nothing is written, started or asked for."""
    entry = {**START, "env": {"A_KEY": "hunter2hunter2"}}
    file = placed("cursor", "user", home, repo, odd=entry)
    before = file.read_bytes()
    ran = toolcrib("adopt", "--dry-run")
    assert ran.code == 0
    assert '-        "odd"' in ran.out and '+    "odd"' in ran.out
    assert "secret:odd-A_KEY" in ran.out and "hunter2" not in ran.out
    assert file.read_bytes() == before
    assert not (home / ".config").exists()


def test_what_fails_stays_where_it_was(home, repo, toolcrib) -> None:
    """X-27: with its reason; the others move."""
    file = placed("cursor", "user", home, repo, odd=START, dead={"command": "/nowhere"})
    ran = toolcrib("adopt", "--yes", "--json")
    assert ran.code == 1
    assert [each["name"] for each in ran.json["adopted"]] == ["odd"]
    assert [(each["name"], "not found" in each["reason"]) for each in ran.json["stays"]] == [
        ("dead", True)
    ]
    assert set(read(file)["mcpServers"]) == {"dead", "toolcrib"}


def test_the_rules_of_the_client_come_along(home, repo, toolcrib) -> None:
    """X-27: denied → deny, asked → approve; `approve = "destructive"` unless set."""
    placed("claude-code", "user", home, repo, odd=START)
    rules = {"deny": ["mcp__odd__t1"], "ask": ["mcp__odd__t0"], "allow": ["mcp__odd"]}
    (home / ".claude").mkdir()
    (home / ".claude/settings.json").write_text(json.dumps({"permissions": rules}))
    ran = toolcrib("adopt", "--yes")
    assert ran.code == 0 and "not carried over" in ran.out
    entry = json.loads((home / ".config/toolcrib/servers.json").read_text())["mcpServers"]["odd"]
    assert (entry["deny"], entry["approve"]) == (["t1"], ["t0"])
    config = tomllib.loads((home / ".config/toolcrib/config.toml").read_text())
    assert config["climax"] == {"approve": "destructive"}


def test_a_projects_secrets_stay_out_of_the_repository(home, repo, toolcrib) -> None:
    """X-27: the repo gets `secret:NAME`; who clones is thought of."""
    (repo / ".env").write_text("HIDDEN_THING=v4lue\n")
    entry = {**START, "env": {"A_KEY": "hunter2hunter2"}, "envFile": "${workspaceFolder}/.env"}
    placed("vscode", "project", home, repo, odd=entry)
    ran = toolcrib("adopt", "--scope", "project", "--yes")
    assert ran.code == 0
    assert "everyone who clones this will need toolcrib" in ran.out
    text = (repo / "mcp/servers.json").read_text()
    assert "hunter2" not in text and "v4lue" not in text
    assert json.loads(text)["mcpServers"]["odd"]["env"] == {
        "HIDDEN_THING": "secret:odd-HIDDEN_THING", "A_KEY": "secret:odd-A_KEY",
    }  # fmt: skip


@pytest.mark.parametrize("way", ["option", "stdin", "nobody"])
def test_an_input_of_vs_code_is_asked_for_once(way, home, repo, toolcrib, monkeypatch) -> None:
    """X-27: `--input ID=VALUE`, else a line of stdin, else that server stays."""
    entry = {**START, "env": {"A": "${input:key}", "B": "x ${input:key}"}}
    placed("vscode", "user", home, repo, odd=entry)
    monkeypatch.setattr("sys.stdin", io.StringIO("v4lue\nsecond\n" if way == "stdin" else ""))
    words = ["--input", "key=v4lue"] if way == "option" else []
    ran = toolcrib("adopt", "--yes", "--no-connect", "--json", *words)
    assert ran.code == 0
    if way == "nobody":
        assert "--input key=VALUE" in ran.json["stays"][0]["reason"]
        return
    secrets = home / ".local/state/toolcrib/secrets"
    assert {path.read_text() for path in secrets.iterdir()} == {"v4lue", "x v4lue"}


def test_an_unknown_name_is_an_error_with_the_nearest(home, repo, toolcrib) -> None:
    """X-27: of a server and of a client."""
    placed("cursor", "user", home, repo, github=START)
    ran = toolcrib("adopt", "--server", "gihub", "--yes")
    assert ran.code == 2 and "github" in ran.err
    assert toolcrib("adopt", "curser").code == 2
    assert toolcrib("adopt", "cursor", "--all").code == 2
    assert toolcrib("adopt", "--input", "x", "--dry-run").code == 2


def test_only_the_servers_that_are_named_move(home, repo, toolcrib) -> None:
    """X-27: `--server N`."""
    file = placed("cursor", "user", home, repo, a=START, b={**START, "env": {"X": "1"}})
    assert toolcrib("adopt", "--server", "b", "--yes", "--no-connect").code == 0
    assert set(read(file)["mcpServers"]) == {"a", "toolcrib"}


def test_a_server_at_a_url_moves_and_one_that_wants_a_login_stays(home, repo, toolcrib) -> None:
    """X-27, X-24: connected once, as a client writes it; its header goes to the user's secrets."""
    with odd_http() as url:
        far = {"httpUrl": f"{url}/plain", "headers": {"Authorization": "Bearer t0ken"}}
        placed("gemini", "user", home, repo, far=far, guarded={"httpUrl": f"{url}/login"})
        ran = toolcrib("adopt", "--yes", "--json")
        assert ran.code == 1
        sent = [each["headers"] for each in log_of(url) if each.get("path") == "plain"]
    assert [each["name"] for each in ran.json["adopted"]] == ["far"]
    assert "needs a login" in ran.json["stays"][0]["reason"]
    assert {each["authorization"] for each in sent} == {"Bearer t0ken"}
    entry = json.loads((home / ".config/toolcrib/servers.json").read_text())["mcpServers"]["far"]
    assert entry == {
        "url": f"{url}/plain",
        "headers": {"Authorization": "secret:far-Authorization"},
    }
