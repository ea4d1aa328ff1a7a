"""The page beside the MCP endpoint: whose token opens what, one project or several."""

from __future__ import annotations

import hashlib
import http.client
import json
import os
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from support.pipe import toolcrib

SHOP = Path(__file__).parents[2] / "examples" / "shop"
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


def hashed(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def ask(
    port: int, path: str, token: str = "", *, method: str = "GET", body: str = "", **headers: str
) -> tuple[int, dict[str, str], str]:
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    given = {"Authorization": f"Bearer {token}"} if token else {}
    more = {name.replace("_", "-"): value for name, value in headers.items()}
    link.request(method, path, body=body or None, headers={**given, **more})
    answer = link.getresponse()
    found = {key.lower(): value for key, value in answer.getheaders()}
    text = answer.read().decode()
    link.close()
    return answer.status, found, text


@contextmanager
def serving(folder: Path, state: Path, *words: str, **env: str) -> Iterator[tuple[int, list[str]]]:
    """A server with the page; its port, and what it printed of the page."""
    given = {**os.environ, "TOOLCRIB_STATE": str(state), "TOOLCRIB_TRUST": "all", **env}
    command = toolcrib("serve", "--http", "127.0.0.1:0", "--dashboard", "--log-level", "INFO")
    server = subprocess.Popen(
        [*command, *words],
        cwd=folder,
        env=given,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert server.stderr is not None and server.stdout is not None
    try:
        port = 0
        for line in server.stderr:
            if "http://127.0.0.1:" in line:
                port = int(line.split("http://127.0.0.1:")[1].split("/")[0].split()[0])
                break
        printed: list[str] = []
        yield port, printed
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(10)
        printed += server.stdout.read().splitlines()
        server.stderr.close()
        server.stdout.close()


def call(port: int, token: str, path: str = "/mcp") -> None:
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    }
    params = {"name": "search-architecture", "arguments": {"query": "money"}, "_meta": meta}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
    status, _, text = ask(
        port, path, token, method="POST", body=body,
        Content_Type="application/json", Accept="application/json, text/event-stream",
        MCP_Protocol_Version="2026-07-28", Mcp_Method="tools/call", Mcp_Name="search-architecture",
    )  # fmt: skip
    assert status == 200, text


def shop(folder: Path, more: str) -> Path:
    project = Path(shutil.copytree(SHOP, folder / "shop"))
    settings = project / "toolcrib.toml"
    settings.write_text(f'{settings.read_text()}\n[server]\naudit = "auto"\n{more}')
    return project


def calls(port: int, token: str, prefix: str = "/dashboard") -> Any:
    status, _, text = ask(port, f"{prefix}/calls.json", token)
    assert status == 200, text
    return [each["caller"] for each in json.loads(text)["calls"]]


def test_a_token_of_the_page_sees_all_and_another_its_own_calls(tmp_path: Path) -> None:
    """W-8: `dashboard_tokens`, good at /mcp too; another valid token sees its own calls only."""
    more = (
        f'[http]\ntokens = ["anna:{hashed("anna-token")}", "ben:{hashed("ben-token")}"]\n'
        f'dashboard_tokens = ["boss:{hashed("boss-token")}"]\n'
    )
    with serving(shop(tmp_path, more), tmp_path / "state") as (port, printed):
        for token in ("anna-token", "ben-token", "boss-token"):
            call(port, token)
        assert sorted(calls(port, "boss-token")) == ["anna", "ben", "boss"]
        assert calls(port, "anna-token") == ["anna"]
        theirs = json.loads(ask(port, "/dashboard/calls.json", "ben-token")[2])["calls"][0]
        assert ask(port, f"/dashboard/calls/{theirs['id']}", "anna-token")[0] == 404
        assert ask(port, f"/dashboard/calls/{theirs['id']}", "boss-token")[0] == 200
        assert ask(port, "/dashboard/calls.jsonl", "anna-token")[2].count("\n") == 1
        for path in ("calls", "health.json", "approvals.json", "tools"):
            seen = ask(port, f"/dashboard/{path}", "anna-token")[2]
            assert not re.search(r"\bben\b", seen), path
        assert ">anna<" not in ask(port, "/dashboard/calls", "ben-token")[2]
        assert ask(port, "/dashboard/calls", "nobody")[0] == 401
        assert ask(port, "/dashboard/calls", "boss-token", Host="evil.example")[0] == 421
    assert printed == []


def test_a_sealed_cookie_opens_at_another_replica(tmp_path: Path) -> None:
    """W-8: with a secret, cookie and csrf are good at every replica."""
    project = shop(tmp_path, f'[http]\ndashboard_tokens = ["{hashed("boss-token")}"]\n')
    secret = {"TOOLCRIB_SECRET": "x" * 40}
    state = tmp_path / "state"
    with (
        serving(project, state, **secret) as (one, _),
        serving(project, state, **secret) as (two, _),
    ):
        host = "localhost:9000"  # what a browser asks a proxy for
        origin = {"Host": host, "Origin": f"https://{host}", **FORM}
        names = {name.replace("-", "_"): value for name, value in origin.items()}
        body = "token=boss-token&next=/tools"
        status, headers, _ = ask(one, "/dashboard/sign-in", method="POST", body=body, **names)
        assert (status, headers["location"]) == (303, "/dashboard/tools")
        cookie = headers["set-cookie"]
        assert cookie.startswith("toolcrib-9000=") and "Path=/dashboard;" in cookie
        assert "boss-token" not in cookie
        pair = cookie.partition(";")[0]
        assert ask(two, "/dashboard/tools", Host=host, Cookie=pair)[0] == 200
        assert ask(two, "/dashboard/tools", Host=host, Cookie=pair + "x")[0] == 401


def test_each_of_several_projects_has_its_page(tmp_path: Path) -> None:
    """W-8: with `--projects` the page is `/{project}/dashboard/`; unknown ones ask for a token."""
    shop(tmp_path, "")
    folder = tmp_path / "serve"
    folder.mkdir()
    anna = hashed("anna-token")
    (folder / "projects.toml").write_text(
        f'[shop]\npath = "{tmp_path}/shop"\ntokens = ["anna:{anna}"]\ntrusted = true\n'
    )
    boss = hashed("boss-token")
    (folder / "toolcrib.toml").write_text(f'[http]\ndashboard_tokens = ["boss:{boss}"]\n')
    with serving(folder, tmp_path / "state", "--projects", "projects.toml") as (port, _):
        call(port, "anna-token", "/shop/mcp")
        assert calls(port, "boss-token", "/shop/dashboard") == ["anna"]
        status, _, text = ask(port, "/shop/dashboard/tools", "anna-token")
        assert status == 200 and 'href="/shop/dashboard/calls"' in text
        assert ask(port, "/shop/dashboard/", "nobody")[0] == 401
        unknown = ask(port, "/nothing/dashboard/", "boss-token")
        assert unknown[0] == 401 and "Sign in" in unknown[2]
