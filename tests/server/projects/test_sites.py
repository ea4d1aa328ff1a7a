"""Many projects behind one server."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from support.pipe import ENVELOPE
from support.serving import Answer, Serving, modern_headers, until

TOOL = """
from pydantic import Field
from toolcrib import ToolArguments
import helper

class Nothing(ToolArguments):
    pass

@ToolArguments.declare
async def who(args: Nothing) -> str:
    '''Which project this is'''
    return helper.NAME

@ToolArguments.declare
async def later(args: Nothing) -> str:
    '''Which project this is, found out late'''
    from late import NAME
    return NAME
"""


def hashed(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def project(folder: Path, name: str) -> Path:
    made = folder / name
    made.mkdir(parents=True)
    (made / "toolcrib.toml").write_text('[custom]\nmodules = ["tools.py"]\n')
    (made / "tools.py").write_text(TOOL)
    for file in ("helper.py", "late.py"):
        (made / file).write_text(f"NAME = {name!r}\n")
    return made


class Projects(Serving):
    """`toolcrib serve --http --projects`."""

    def __init__(self, folder: Path, source: str, **env: str) -> None:
        command = [sys.executable, "-m", "toolcrib", "serve", "--http", "127.0.0.1:0"]
        home = folder / "server"
        home.mkdir(exist_ok=True)
        state = {"TOOLCRIB_STATE": str(folder / "state"), **env}
        self._start([*command, "--projects", source], home, state)

    def at(self, name: str, method: str, params: dict[str, Any], *more: tuple[str, str]) -> Answer:
        body = {"jsonrpc": "2.0", "id": 1, "method": method}
        body["params"] = {**params, "_meta": ENVELOPE}
        headers = [("Content-Type", "application/json"), *modern_headers(method, params), *more]
        return self.ask("POST", f"/{name}/mcp", json.dumps(body).encode(), headers)

    def who(self, name: str, *more: tuple[str, str], tool: str = "who") -> str:
        answer = self.at(name, "tools/call", {"name": tool, "arguments": {}}, *more)
        assert answer.status == 200, answer.body
        return str(answer.json["result"]["content"][0]["text"])


def test_each_project_has_its_own_tools_settings_and_modules(tmp_path: Path) -> None:
    """R-10: modules of one name in two projects never meet, what they import included; with no
    token at all, on loopback, every project is open; unknown is 404."""
    for name in ("one", "two"):
        project(tmp_path / "all", name)
    file = tmp_path / "projects.toml"
    file.write_text(
        '[one]\npath = "all/one"\ntrusted = true\n[two]\npath = "all/two"\ntrusted = true\n'
        '[two.settings.server]\nnames = "safe"\n[two.settings.http]\npath = "/x"\n'
        '[broken]\npath = "nowhere"\n'
    )
    with Projects(tmp_path, str(file)) as server:
        assert [server.who(name) for name in ("one", "two", "one")] == ["one", "two", "one"]
        late = [server.who(name, tool="later") for name in ("two", "one", "two")]
        assert late == ["two", "one", "two"], "imports that run with the call"
        assert server.at("three", "tools/list", {}).status == 404
        assert (
            server.ask("POST", "/mcp", b"{}", [("Content-Type", "application/json")]).status == 404
        )
        broken = server.at("broken", "tools/list", {})
        error = broken.json["error"]
        assert (broken.status, error["code"], error["data"]["reason"]) == (
            503,
            -32603,
            "project_unavailable",
        )
        assert str(tmp_path) not in broken.body.decode()
        text = server.ask("GET", "/metrics").body.decode()
        assert 'toolcrib_calls_total{project="one",tool="who"} 2' in text
        assert server.ask("GET", "/readyz").json["status"] == "ready"
        assert server.stop() == 0


def test_a_token_opens_only_its_own_project(tmp_path: Path) -> None:
    """R-10: unknown and forbidden are the same 404; no token is 401 everywhere; an entry without
    tokens opens to the server's own."""
    for name in ("one", "two", "free"):
        project(tmp_path / "all", name)
    file = tmp_path / "projects.toml"
    file.write_text(
        "".join(
            f'[{name}]\npath = "all/{name}"\ntrusted = true\ntokens = ["{hashed(name)}"]\n'
            for name in ("one", "two")
        )
        + '[free]\npath = "all/free"\ntrusted = true\n'
    )
    with Projects(tmp_path, str(file), TOOLCRIB_HTTP_TOKENS=hashed("server")) as server:
        one, two, own = (("Authorization", f"Bearer {word}") for word in ("one", "two", "server"))
        assert server.who("one", one) == "one" and server.who("two", two) == "two"
        assert server.who("free", own) == "free"
        forbidden = server.at("two", "tools/list", {}, one)
        unknown = server.at("nowhere", "tools/list", {}, one)
        assert (forbidden.status, forbidden.body) == (unknown.status, unknown.body)
        assert forbidden.status == 404
        assert server.at("one", "tools/list", {}, own).status == 404
        for name in ("one", "nowhere"):
            assert server.at(name, "tools/list", {}).status == 401
            wrong = ("Authorization", "Bearer wrong")
            assert server.at(name, "tools/list", {}, wrong).status == 401
        assert server.ask("GET", "/metrics", None, [one]).status == 401
        assert server.ask("GET", "/metrics", None, [own]).status == 200


def test_where_only_projects_have_tokens_none_of_them_opens_the_metrics(tmp_path: Path) -> None:
    """R-10: health and metrics are for the operator's tokens: they name every project."""
    project(tmp_path / "all", "one")
    file = tmp_path / "projects.toml"
    file.write_text(f'[one]\npath = "all/one"\ntrusted = true\ntokens = ["{hashed("one")}"]\n')
    with Projects(tmp_path, str(file)) as server:
        one = ("Authorization", "Bearer one")
        assert server.who("one", one) == "one"
        for headers in ([], [one]):
            assert server.ask("GET", "/metrics", None, headers).status == 401
            assert server.ask("GET", "/readyz", None, headers).json == {"status": "ready"}


def test_a_project_that_never_ends_loading_holds_up_itself_alone(tmp_path: Path) -> None:
    """FAULTS: one of 500 projects broken, huge or slow to load: its own error, the others
    unaffected; R-10: broken is 503, `project_unavailable`."""
    for name in ("one", "two"):
        project(tmp_path / "all", name)
    stuck = project(tmp_path / "all", "stuck")
    (stuck / "helper.py").write_text("import threading\nthreading.Event().wait()\n")
    strange = project(tmp_path / "all", "strange")
    (strange / "tools.py").write_text(f"{TOOL}\nraise KeyboardInterrupt\n")
    with Projects(tmp_path, str(tmp_path / "all"), TOOLCRIB_TRUST="all") as server:
        refused: list[Answer] = []
        ask = threading.Thread(
            target=lambda: refused.append(server.at("stuck", "tools/list", {})), daemon=True
        )
        ask.start()
        assert [server.who(name) for name in ("one", "two", "one")] == ["one", "two", "one"]
        assert server.who("two", tool="later") == "two"
        assert server.at("strange", "tools/list", {}).json["result"]["tools"] == []
        ask.join(60)
        assert (refused[0].status, refused[0].json["error"]["data"]) == (
            503,
            {"reason": "project_unavailable"},
        )
        assert server.stop() == 0


def test_what_is_not_trusted_does_not_act_there_either(tmp_path: Path) -> None:
    """R-10: with neither `trusted` nor `trust`, T-1 holds as everywhere."""
    project(tmp_path / "all", "one")
    with Projects(tmp_path, str(tmp_path / "all"), TOOLCRIB_TRUST="") as server:
        answer = server.at("one", "tools/call", {"name": "who", "arguments": {}})
        assert answer.json["error"]["code"] == -32602
        assert "toolcrib trust" in answer.body.decode()


def test_a_folder_of_repositories_needs_no_file(tmp_path: Path) -> None:
    """R-10: each sub-folder with a toolcrib.toml or a .git."""
    project(tmp_path / "all", "one")
    (tmp_path / "all" / "plain").mkdir()
    (tmp_path / "all" / "repo" / ".git").mkdir(parents=True)
    with Projects(tmp_path, str(tmp_path / "all"), TOOLCRIB_TRUST="all") as server:
        assert server.who("one") == "one"
        assert server.at("repo", "tools/list", {}).status == 200
        assert server.at("plain", "tools/list", {}).status == 404


def test_an_idle_project_is_let_go_and_its_sessions_go_on(tmp_path: Path) -> None:
    """R-10: a project is assembled at its first request and let go after `idle`."""
    project(tmp_path / "all", "one")
    with Projects(
        tmp_path, str(tmp_path / "all"), TOOLCRIB_HTTP_IDLE="1", TOOLCRIB_TRUST="all"
    ) as server:
        params = {"protocolVersion": "2025-11-25", "capabilities": {}}
        params["clientInfo"] = {"name": "x", "version": "1"}
        hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}
        kind = ("Content-Type", "application/json")
        answer = server.ask("POST", "/one/mcp", json.dumps(hello).encode(), [kind])
        session = ("Mcp-Session-Id", answer.headers["mcp-session-id"])
        until(lambda: b'project="one"' not in server.ask("GET", "/metrics").body)
        listing = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
        again = server.ask("POST", "/one/mcp", json.dumps(listing).encode(), [kind, session])
        assert again.status == 200


COUNT = """
import gc
from toolcrib import ToolArguments

class Nothing(ToolArguments):
    pass

@ToolArguments.declare
async def surfaces(args: Nothing) -> str:
    '''Which projects are in memory'''
    gc.collect()
    known = {each.options.project for each in gc.get_objects() if type(each).__name__ == "Surface"}
    return " ".join(sorted(known))
"""


def test_nothing_of_a_project_that_was_let_go_stays_in_memory(tmp_path: Path) -> None:
    """R-10: let go after `idle`, also where a client still has a session there; R-2: an id that
    was ended by DELETE stays 404 afterwards."""
    for name in ("one", "two"):
        project(tmp_path / "all", name)
    (tmp_path / "all" / "two" / "tools.py").write_text(COUNT)
    secret = {"TOOLCRIB_SECRET": "s" * 32, "TOOLCRIB_TRUST": "all", "TOOLCRIB_HTTP_IDLE": "1"}
    with Projects(tmp_path, str(tmp_path / "all"), **secret) as server:
        params = {"protocolVersion": "2025-11-25", "capabilities": {}}
        params["clientInfo"] = {"name": "x", "version": "1"}
        hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}
        kind = ("Content-Type", "application/json")
        answer = server.ask("POST", "/one/mcp", json.dumps(hello).encode(), [kind])
        session = ("Mcp-Session-Id", answer.headers["mcp-session-id"])
        assert server.ask("DELETE", "/one/mcp", None, [session]).status == 200
        until(lambda: b'project="one"' not in server.ask("GET", "/metrics").body)
        until(lambda: server.who("two", tool="surfaces") == "two")
        listing = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
        again = server.ask("POST", "/one/mcp", json.dumps(listing).encode(), [kind, session])
        assert again.status == 404


def test_hanging_up_reads_the_projects_again(tmp_path: Path) -> None:
    """R-13: SIGHUP re-reads tokens; a broken file leaves the projects as they were."""
    for name in ("one", "two"):
        project(tmp_path / "all", name)
    file = tmp_path / "projects.toml"
    file.write_text('[one]\npath = "all/one"\ntrusted = true\n')
    with Projects(tmp_path, str(file)) as server:
        assert server.at("two", "tools/list", {}).status == 404
        file.write_text(file.read_text() + '[two]\npath = "all/two"\ntrusted = true\n')
        server.process.send_signal(signal.SIGHUP)
        until(lambda: server.at("two", "tools/list", {}).status == 200)
        file.write_text("[")
        server.process.send_signal(signal.SIGHUP)
        until(lambda: any("kept the projects" in line for line in server.lines))
        assert server.who("two") == "two"


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("[Upper]\npath = 'x'\n", "Upper"),
        ("[mcp]\npath = 'x'\n", "mcp"),
        ("[a]\npat = 'x'\n", "path"),
        ("[a]\n", "path"),
        ("[a]\npath = 'x'\ntokens = ['open sesame']\n", "SHA-256"),
        ("[a]\npath = 'x'\ntrusted = 'yes'\n", "trusted"),
        ("a = 1\n", "a"),
    ],
)
def test_a_mistake_in_the_file_is_told_before_the_port_opens(
    tmp_path: Path, text: str, named: str
) -> None:
    """R-10: exact names; unknown keys are errors with the nearest name."""
    file = tmp_path / "projects.toml"
    file.write_text(text)
    command = [sys.executable, "-m", "toolcrib", "serve", "--http", "127.0.0.1:0"]
    done = subprocess.run(
        [*command, "--projects", str(file)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=20,
        env={**os.environ, "TOOLCRIB_STATE": str(tmp_path / "state")},
    )
    assert done.returncode == 1 and named in done.stderr and "serving" not in done.stderr


def test_what_changed_while_nobody_asked_is_served_at_once(tmp_path: Path) -> None:
    """R-10, S-5: files of a project that is not used are not watched, and the next answer is
    about what they say by then."""
    made = project(tmp_path / "all", "one")
    with Projects(tmp_path, str(tmp_path / "all"), TOOLCRIB_TRUST="all") as server:
        assert server.who("one") == "one"
        threads = Path(f"/proc/{server.process.pid}/task")
        until(
            lambda: any(
                "notify" in name(each) or "inotify" in name(each) for each in threads.iterdir()
            ),
            20,
        )
        until(lambda: not any("notify" in name(each) for each in threads.iterdir()), 40)
        (made / "helper.py").write_text("NAME = 'changed'\n")
        assert server.who("one") == "changed"


def test_a_project_that_never_ends_looking_at_its_files_is_told_and_holds_up_nobody(
    tmp_path: Path,
) -> None:
    """R-10: broken is 503, `project_unavailable`, also after a pause; the others are unaffected."""
    for each in ("one", "two"):
        project(tmp_path / "all", each)
    with Projects(tmp_path, str(tmp_path / "all"), TOOLCRIB_TRUST="all") as server:
        assert server.who("one") == "one"
        threads = Path(f"/proc/{server.process.pid}/task")
        until(lambda: any("notify" in name(each) for each in threads.iterdir()), 60)
        until(lambda: not any("notify" in name(each) for each in threads.iterdir()), 120)
        helper = tmp_path / "all" / "one" / "helper.py"
        helper.write_text("import threading\nthreading.Event().wait()\n")
        refused: list[Answer] = []
        ask = threading.Thread(
            target=lambda: refused.append(server.at("one", "tools/list", {})), daemon=True
        )
        ask.start()
        assert server.who("two") == "two"
        ask.join(60)
        assert (refused[0].status, refused[0].json["error"]["data"]) == (
            503,
            {"reason": "project_unavailable"},
        )
        assert server.stop() == 0


def name(thread: Path) -> str:
    try:
        return (thread / "comm").read_text()
    except OSError:
        return ""
