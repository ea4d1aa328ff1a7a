"""Health, trust and approvals in a real Chromium."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from support.pipe import ENVELOPE, Pipe, toolcrib
from support.serving import modern_headers
from support.terminal import Terminal
from support.waiting import until
from toolcrib.web.views.health import trusted_because

BY = ("record", "all", "digest", "paths", "nothing")
REGIONS = ("Findings", "Sessions", "Breakers", "What changed", "Flags")


def test_health_has_its_regions_and_leads_to_trust_and_approvals(opened: Any, dash: Any) -> None:
    """W-13: findings with cures in code, sessions, breakers, changes, flags."""
    tab = opened(dash, "/health")
    for name in REGIONS:
        assert tab.get_by_role("region", name=name).count() == 1, name
    assert tab.get_by_role("region", name="Findings").locator("code").count() > 0
    for name in ("Trust", "Approvals"):
        tab.goto(f"{dash.base}/health")
        tab.get_by_role("main").get_by_role("link", name=name).click()
        tab.get_by_role("heading", level=1, name=name).wait_for()
        assert tab.locator('nav [aria-current="page"]').inner_text().startswith("Health")
        assert tab.get_by_role("main").get_by_role("button").count() == 0


def test_trust_says_what_it_rests_on(opened: Any, dash: Any) -> None:
    """T-6: `all` in the environment is not called somebody's trust."""
    text = opened(dash, "/trust", java_script_enabled=False).get_by_role("main").inner_text()
    by = dash.json("/trust.json")["by"]
    assert trusted_because(by) in text
    assert len({trusted_because(each) for each in (*BY, "somebody else")}) == len(BY) + 1


def test_a_server_that_is_killed_is_shown_as_ended(opened: Any, workshop: Any) -> None:
    """FAULTS: a server killed with -9: its session is shown as ended; its breakers are gone."""
    tab = opened(workshop, "/health")
    sessions = tab.get_by_role("region", name="Sessions")
    with Pipe(toolcrib("serve"), cwd=workshop.project, env=workshop.env) as pipe:
        pipe.initialize()
        pipe.ask("tools/call", {"name": "search-architecture", "arguments": {"query": "x"}})
        pid = f"pid {pipe.process.pid} "
        tab.reload()
        assert pid in sessions.inner_text()
        pipe.process.send_signal(signal.SIGKILL)
        tab.goto(f"{workshop.base}/healthz")
        until(lambda: pid not in str(workshop.json("/health.json")["sessions"]))
        tab.goto(f"{workshop.base}/health")
        assert pid not in sessions.inner_text()
    changed = tab.get_by_role("region", name="What changed").inner_text()
    assert "start" in changed


def test_a_flag_is_set_and_removed_after_a_question(opened: Any, workshop: Any) -> None:
    """W-13: with --allow-edits; textboxes Name and Value; a dialog with the cautious button."""
    for script in (True, False):
        tab = opened(workshop, "/health", java_script_enabled=script)
        flags = tab.get_by_role("region", name="Flags")
        flags.get_by_role("textbox", name="Name").fill("colour")
        flags.get_by_role("textbox", name="Value").fill('["red", "green"]')
        flags.get_by_role("button", name="Set", exact=True).click()
        tab.get_by_role("dialog").get_by_role("button", name="Do not").click()
        tab.get_by_role("dialog").wait_for(state="detached")
        tab.goto(f"{workshop.base}/health")
        assert tab.get_by_role("button", name="Remove colour", exact=True).count() == 0
        flags.get_by_role("textbox", name="Name").fill("colour")
        flags.get_by_role("textbox", name="Value").fill('["red", "green"]')
        flags.get_by_role("button", name="Set", exact=True).click()
        tab.get_by_role("button", name="Set it", exact=True).click()
        tab.get_by_role("button", name="Remove colour", exact=True).wait_for()
        (flag,) = workshop.json("/health.json")["flags"]
        assert flag == {"name": "colour", "value": ["red", "green"], "from": "project"}
        tab.get_by_role("button", name="Remove colour", exact=True).click()
        tab.get_by_role("button", name="Remove it", exact=True).click()
        tab.get_by_role("button", name="Remove colour", exact=True).wait_for(state="detached")
    assert workshop.json("/health.json")["flags"] == []
    lines = workshop.json("/calls.json?tool=guide_set_project_flag")["calls"]
    assert {line["client"]["name"] for line in lines} == {"dashboard"}


def test_without_the_option_flags_are_only_shown(opened: Any, dash: Any) -> None:
    """W-13: the only writing in the page needs --allow-edits; POST by hand is 403."""
    flags = opened(dash, "/health").get_by_role("region", name="Flags")
    assert flags.get_by_role("button").count() == 0 and "--allow-edits" in flags.inner_text()
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    status, _, text = dash.ask("/flags/x", method="POST", headers=kind, body="value=true")
    assert status == 403 and "--allow-edits" in text


def test_a_script_with_the_token_sets_a_flag_at_once(workshop: Any) -> None:
    """W, exactly: `/flags/{name}` (`value`, `scope`; `remove=1`); JSON where it reads as one."""
    kind = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}

    def flags(body: str) -> Any:
        return json.loads(
            workshop.ask("/flags/scripted", method="POST", headers=kind, body=body)[2]
        )["flags"]

    for text, value in (("true", True), ("plain", "plain"), ("7", "7"), ('{"a": "b"}', {"a": "b"})):
        assert [each["value"] for each in flags(f"value={text}")] == [value]
    assert flags("remove=1") == []
    assert workshop.json("/health.json")["flags"] == []


def test_settings_that_break_are_told_on_every_page(opened: Any, dashboards: Any) -> None:
    """FAULTS: toolcrib.toml becomes invalid: last good state, the error as a line everywhere."""
    dash = dashboards()
    file = dash.project / "toolcrib.toml"
    good = file.read_text()
    file.write_text(good + "\n[server\n")
    tab = opened(dash, "/tools")
    assert "toolcrib.toml" in tab.get_by_role("alert").inner_text()
    assert tab.get_by_role("link", name="search-architecture").count() == 1
    file.write_text(good)
    until(lambda: 'role="alert"' not in dash.ask("/calls")[2])
    assert dash.json("/calls.json")["calls"] == []
    events = [each["event"] for each in dash.json("/health.json")["changes"]]
    assert "start" not in events and "reload" not in events


def called(root: str) -> Any:
    """The result of the one tool of `approving`, for a client that cannot be asked anything."""
    given = {"tool_name": "own_touch", "args": {}}
    params = {"name": "climax_call", "arguments": given, "_meta": ENVELOPE}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    headers = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
    headers |= dict(modern_headers("tools/call", params))
    asked = urllib.request.Request(f"{root}/mcp", json.dumps(body).encode(), headers)
    with urllib.request.urlopen(asked) as answer:
        lines = answer.read().decode().splitlines()
    return json.loads(lines[-1] if len(lines) == 1 else _data(lines))["result"]


def _data(lines: list[str]) -> str:
    return next(line.removeprefix("data:") for line in lines if line.startswith("data:"))


def test_a_call_that_waits_is_approved_by_the_command_that_the_page_shows(
    opened: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T-19, T-20: looked at on the page, said yes to at a terminal, and the call passes once."""
    for variable in ("CLAUDECODE", "CODEX_SANDBOX", "CURSOR_AGENT", "GEMINI_CLI"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("TOOLCRIB_TRUST", "all")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("TOOLCRIB_STATE", raising=False)
    repo = tmp_path / "repo"
    (repo / "climax").mkdir(parents=True)
    (repo / "toolcrib.toml").write_text(
        '[server]\npacks = ["climax"]\n[climax]\napprove = "always"\n'
    )
    (repo / "climax" / "own.yaml").write_text(
        "name: own\ncommand: touch made\ndescription: x\n"
        "tools:\n- name: own_touch\n  description: Touch a file\n"
    )
    start = [sys.executable, "-m", "toolcrib"]
    words = [*start, "serve", "--http", "127.0.0.1:0", "--dashboard"]
    process = subprocess.Popen(words, cwd=repo, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        line = next(line for line in process.stdout if "/dashboard/?token=" in line)
        page = opened.window()
        page.goto(line[line.index("http") :].strip())
        root = page.url.partition("/dashboard")[0]
        refused = called(root)["structuredContent"]
        assert refused["error_type"] == "approval"
        page.goto(f"{root}/dashboard/approvals")
        command = page.get_by_text("toolcrib approve ").inner_text().split()
        assert command[-1] == refused["id"] and not (repo / "made").exists()
        with Terminal([*start, *command[1:]], cwd=repo) as terminal:
            terminal.until("[y/N]")
            terminal.type("y\n")
            assert terminal.end() == 0
        assert [called(root)["isError"] for _ in range(2)] == [False, True]
        assert (repo / "made").exists()
    finally:
        process.terminate()
        process.wait()
