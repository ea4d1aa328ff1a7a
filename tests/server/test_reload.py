"""What changes in a repository while it is served: settings, and packs that were not there."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from support.clock import assert_within
from support.pipe import Pipe, toolcrib
from support.waiting import until

TOOL = '''
import time
from toolcrib import Result, ToolArguments

@ToolArguments.declare
def nap(args: ToolArguments) -> Result[str]:
    """Sleep for a while."""
    time.sleep(1.5)
    return Result.ok("slept")
'''
CLI = "name: s\ncommand: sleep\ntools:\n- {name: rest, description: Rest, command: '1.5'}\n"
SETTINGS = '[custom]\nmodules = ["nap.py"]\n[climax]\nconfigs = ["cli.yaml"]\n'


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "nap.py").write_text(TOOL)
    (tmp_path / "cli.yaml").write_text(CLI)
    (tmp_path / "toolcrib.toml").write_text(SETTINGS)
    return tmp_path


def watching(project: Path, *words: str) -> Pipe:
    pipe = Pipe(toolcrib("serve", "--log-level", "DEBUG", *words), cwd=project)
    pipe.initialize()
    until(lambda: b"watching" in pipe.errors)
    return pipe


def names(pipe: Pipe) -> set[str]:
    return {tool["name"] for tool in pipe.result("tools/list")["tools"]}


def told(pipe: Pipe) -> set[str]:
    return {note.get("method", "").removeprefix("notifications/") for note in pipe.notifications}


@pytest.mark.parametrize("tool", ["nap", "rest"])
@pytest.mark.parametrize("effect", ["none", "other packs"])
def test_a_call_outlives_a_change_of_the_settings(project: Path, tool: str, effect: str) -> None:
    """S-5: without a gap: what runs goes on, whatever is saved meanwhile."""
    with watching(project, "--classic") as pipe:
        before = names(pipe)
        call = {"name": tool, "arguments": {}}
        pipe.post({"jsonrpc": "2.0", "id": "call", "method": "tools/call", "params": call})
        more = "# a comment\n" if effect == "none" else "[directive]\n"
        (project / "toolcrib.toml").write_text(SETTINGS + more)
        if effect != "none":
            until(lambda: "directive/files.list" in names(pipe))
        answer = next((n for n in pipe.notifications if n.get("id")), {})
        while "id" not in answer:
            answer = pipe.receive()
            pipe.notifications.append(answer)
        assert answer["id"] == "call" and answer["result"]["isError"] is False
        assert before <= names(pipe)
        assert ("tools/list_changed" in told(pipe)) == (effect != "none")


@pytest.mark.timing
def test_a_pack_joins_when_the_repo_gets_its_first_file(tmp_path: Path) -> None:
    """S-5: an added document is served within 2 s, also where there was none before."""
    with watching(tmp_path) as pipe:
        assert names(pipe) == set()
        (tmp_path / "docs" / "adr").mkdir(parents=True)
        (tmp_path / "docs" / "adr" / "0001-first.md").write_text("# 1. First\n")
        saved = time.monotonic()
        until(lambda: "search-architecture" in names(pipe))
        assert_within(2, time.monotonic() - saved)
        listed = pipe.result("resources/list")["resources"]
        assert [each["uri"] for each in listed] == ["architecture://adr/0001"]
        assert told(pipe) >= {"tools/list_changed", "resources/list_changed"}


def test_a_pack_stays_when_its_files_are_gone(tmp_path: Path) -> None:
    """FAULTS: folder deleted and back: recovery without a restart, nothing vanishes meanwhile."""
    folder = tmp_path / "directive"
    folder.mkdir()
    (folder / "a.md").write_text("a")
    with watching(tmp_path) as pipe:
        before = names(pipe)
        folder.rename(tmp_path / "elsewhere")
        (tmp_path / "AGENTS.md").write_text("# Rules\n")
        until(lambda: "guide_rules_for_path" in names(pipe))
        assert before <= names(pipe)
        assert "unavailable" in pipe.call("directive/files.list")["content"][0]["text"]
        (tmp_path / "elsewhere").rename(folder)
        assert pipe.call("directive/files.list")["structuredContent"] == {
            "files": ["directive/a.md"]
        }


def test_named_packs_stay_those_that_were_named(tmp_path: Path) -> None:
    """S-2, S-1: `serve directive` is directive alone: no list can change, and none does."""
    (tmp_path / "directive").mkdir()
    with Pipe(toolcrib("serve", "directive"), cwd=tmp_path) as pipe:
        assert pipe.initialize()["capabilities"] == {"tools": {}}


def test_broken_settings_are_told_once_and_change_nothing(project: Path) -> None:
    """FAULTS: invalid config on hot reload: the last good one stays, and the log says so."""
    with watching(project) as pipe:
        before = names(pipe)
        (project / "toolcrib.toml").write_text("[custom]\nmodule = 1\n")
        until(lambda: b"kept the last good settings" in pipe.errors)
        time.sleep(1.2)  # no event: the look-out comes by once more, and nothing may happen
        assert names(pipe) == before
        assert pipe.errors.count(b"kept the last good settings") == 1
        (project / "toolcrib.toml").write_text(SETTINGS + "[directive]\n")
        until(lambda: "directive/files.list" in names(pipe))


SAY = "name: s\ncommand: echo\ntools:\n- {name: say, description: Say something, command: old}\n"
POLICY = "tools: {say: {}}\n"


def said(pipe: Pipe) -> str:
    result = pipe.call("climax_call", {"tool_name": "say"})
    return str(result["structuredContent"]["stdout"]).strip()


@pytest.mark.parametrize(
    ("start", "words"),
    [("first", ()), ("second", ()), ("first", ("--classic",)), ("first", ("--progressive",))],
)
def test_what_no_client_can_see_is_served_and_not_told(
    tmp_path: Path, start: str, words: tuple[str, ...]
) -> None:
    """S-5: the right notification: none for a comment, one for what a list or a search shows."""
    config, policy = tmp_path / "cli.yaml", tmp_path / "policy.yaml"
    config.write_text(SAY)
    policy.write_text(POLICY)
    settings = '[climax]\nconfigs = ["cli.yaml"]\npolicy = "policy.yaml"\n'
    (tmp_path / "toolcrib.toml").write_text(settings)
    if start == "second":  # what was found sound before is not even read at the start
        time.sleep(0.1)  # no event: files older than the clock's tick
        with watching(tmp_path, *words) as pipe:
            assert pipe.hang_up() == 0

    def shown(pipe: Pipe) -> str:
        return (
            str(pipe.call("say")["structuredContent"]["stdout"]).strip() if classic else said(pipe)
        )

    classic = words == ("--classic",)
    with watching(tmp_path, *words) as pipe:
        assert shown(pipe) == "old"
        policy.write_text("# who may do what\n" + POLICY)
        config.write_text("# a comment\n" + SAY.replace("old", "new"))
        (tmp_path / "toolcrib.toml").write_text("# a comment\n" + settings)
        until(lambda: shown(pipe) == "new", 2)
        time.sleep(0.5)  # no event: everything is seen by then, and nothing may be told
        assert pipe.result("ping") == {} and told(pipe) == set()
        config.write_text(SAY.replace("Say something", "Say more"))
        until(lambda: pipe.result("ping") == {} and "tools/list_changed" in told(pipe), 2)
        policy.write_text("tools: {other: {}}\n")
        until(lambda: pipe.result("ping") == {} and len(pipe.notifications) == 2, 2)


def test_settings_that_need_a_restart_say_so_and_disturb_nothing(project: Path) -> None:
    """S-4, S-5: a changed `[server]` or `[http]` is told in one clear line each."""
    with watching(project, "--names", "exact") as pipe:
        before = names(pipe)
        more = '[server]\nnames = "safe"\npage_size = 7\n[http]\nport = 9\n'
        (project / "toolcrib.toml").write_text(SETTINGS + more)
        until(lambda: pipe.errors.count(b"takes effect after a restart") == 2)
        for name in (b"[server].page_size", b"[http].port"):
            assert name + b" changed: takes effect after a restart" in pipe.errors
        # What an option says beats the file, before and after; what is as it was needs no restart.
        (project / "toolcrib.toml").write_text(SETTINGS + "[server]\npage_size = 1000\n")
        (project / "AGENTS.md").write_text("# Rules\n")
        until(lambda: "guide_rules_for_path" in names(pipe))
        assert pipe.errors.count(b"takes effect after a restart") == 2
        assert before <= names(pipe)


def test_settings_that_are_written_in_place_are_never_taken_for_empty(project: Path) -> None:
    """S-5: who writes in place empties the file first; no pack goes and comes for that."""
    (project / "nap.py").write_text(TOOL + "\nprint('loaded')\n")
    with watching(project) as pipe:
        pipe.ask("resources/subscribe", {"uri": "of://nothing"})  # answered once the watch stands
        with (project / "toolcrib.toml").open("w") as file:
            time.sleep(0.5)  # work: a disk that is slow
            file.write(SETTINGS + "[directive]\n")
        until(lambda: "directive/files.list" in names(pipe))
        assert pipe.errors.count(b"loaded") == 1


def test_one_pack_s_settings_leave_the_others_alone(project: Path) -> None:
    """S-5: without a gap: a pack whose settings are the same is not made anew."""
    (project / "nap.py").write_text(TOOL + "\nprint('loaded')\n")
    with watching(project) as pipe:
        assert pipe.errors.count(b"loaded") == 1
        (project / "toolcrib.toml").write_text(SETTINGS + "[directive]\n[server]\npage_size = 5\n")
        until(lambda: "directive/files.list" in names(pipe))
        assert pipe.errors.count(b"loaded") == 1
        (project / "toolcrib.toml").write_text('[server]\npacks = ["directive"]\n' + SETTINGS)
        until(lambda: "nap" not in names(pipe))
        until(lambda: "directive/files.list" in names(pipe))


def test_settings_that_change_before_the_watch_stands_are_served(project: Path) -> None:
    """S-5: no change is missed, not one that is made while the server is just starting either."""
    with Pipe(toolcrib("serve", "--log-level", "DEBUG"), cwd=project) as pipe:
        pipe.initialize()
        assert b"watching" not in pipe.errors  # the watch gives the first answers a head start
        (project / "toolcrib.toml").write_text(SETTINGS + "[directive]\n")
        until(lambda: "directive/files.list" in names(pipe))
