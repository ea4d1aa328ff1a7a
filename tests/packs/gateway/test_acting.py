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
        "own: starts python3 serve.py with network to any public host",
        "own: code of this repo that is not compared gets: network to any public host",
        "own: sets $A",
        "own: wants $TOKEN",
    ]


def told(tmp_path: Path, **entry: object) -> list[str]:
    (tmp_path / "mcp").mkdir()
    (tmp_path / "mcp" / "servers.json").write_text(json.dumps({"mcpServers": {"one": entry}}))
    (file,) = acting_files(tmp_path, GatewaySettings(), {})
    return describe(file)


def test_a_program_is_shown_with_all_that_it_gets(tmp_path: Path) -> None:
    """X-20: command, arguments, names of variables; never what they hold."""
    env = {"LD_PRELOAD": "./x.so", "T": "Bearer ${GITHUB_TOKEN}", "K": "secret:hub"}
    args = ["x y.js", "--key=${env:API_KEY}"]
    env["HERE"] = "${workspaceFolder}"  # no variable of a person's
    lines = told(tmp_path, command="node", args=args, env=env, cwd="sub", sandbox="off")
    assert lines == [
        "one: starts node 'x y.js' '--key=${env:API_KEY}' with full network",
        "one: works in sub",
        "one: runs it without a sandbox",
        "one: code of this repo that is not compared gets: full network",
        "one: sets $HERE",
        "one: sets $K",
        "one: sets $LD_PRELOAD",
        "one: sets $T",
        "one: wants $API_KEY",
        "one: wants $GITHUB_TOKEN",
        "one: wants $hub",
    ]


def test_a_remote_server_is_shown_with_its_address_and_names_of_headers(tmp_path: Path) -> None:
    """X-20: url, and what is sent there by name."""
    headers = {"Authorization": "Bearer ${TT}", "X-Plain": "1"}
    assert told(tmp_path, url="https://x.example/mcp", headers=headers) == [
        "one: connects to https://x.example/mcp, and sends Authorization, X-Plain",
        "one: wants $TT",
    ]


def test_variables_that_are_sent_in_the_way_of_another_client_are_shown_too(tmp_path: Path) -> None:
    """X-20, X-2: `bearer_token_env_var` and `env_http_headers` send what a person has set."""
    sent = {"X-Key": "CLOUD_KEY"}
    url = "https://x.example/mcp"
    assert told(tmp_path, serverUrl=url, bearer_token_env_var="TT", env_http_headers=sent) == [
        "one: connects to https://x.example/mcp, and sends Authorization, X-Key",
        "one: wants $CLOUD_KEY",
        "one: wants $TT",
    ]
