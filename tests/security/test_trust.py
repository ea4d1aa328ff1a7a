"""Nothing of a repository acts before a person has looked at it."""

from __future__ import annotations

import json
import os
import stat
import time
from pathlib import Path
from typing import Any

import pytest

from support.hostile import CONFIG, MODULE, toolcrib
from support.pipe import Pipe
from support.pipe import toolcrib as command
from support.waiting import until

COMMANDS = [
    ("list",),
    ("list", "--json"),
    ("doctor",),
    ("validate",),
    ("search", "print"),
    ("call", "own_one"),
    ("call", "owned"),
    ("policy", "explain", "git_status"),
    ("climax", "list"),
    ("trust", "--check"),
    ("trust", "--list"),
    ("trust", "--diff"),
]


def served(repo: Path, *words: str) -> Pipe:
    return Pipe([*command("serve"), *words], cwd=repo)


def outside(repo: Path) -> list[str]:
    return sorted(path.name for path in (repo.parent / "outside").iterdir())


def names(pipe: Pipe) -> list[str]:
    return [tool["name"] for tool in pipe.result("tools/list")["tools"]]


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_no_command_runs_code_of_a_fresh_clone(
    repo: Path, mark: Path, words: tuple[str, ...]
) -> None:
    """T-1, FAULTS: no byte of it runs, no file outside is written, whichever command is typed."""
    toolcrib(repo, *words)
    assert not mark.exists()
    assert outside(repo) == []


def test_a_fresh_clone_is_served_with_its_documents_and_one_line_names_the_command(
    repo: Path, mark: Path
) -> None:
    """T-1, T-9: documents, instructions, one line on stderr; it starts, and leaves with 0."""
    with served(repo) as pipe:
        told = pipe.initialize()["instructions"]
        listed = names(pipe)
        assert pipe.hang_up() == 0
        lines = bytes(pipe.errors).decode().splitlines()
    assert "directive/file.get" in listed and "owned" not in listed
    assert "toolcrib trust" in told and "climax/own.yaml" in told
    assert len([line for line in lines if "toolcrib trust" in line]) == 1, lines
    assert not mark.exists() and outside(repo) == []


def test_a_fresh_clone_has_the_harmless_tools_of_bundled_configs_alone(repo: Path) -> None:
    """T-1: read-only, closed-world tools of bundled configs that it names, in a sandbox."""
    with served(repo) as pipe:
        pipe.initialize()
        seen = pipe.call("climax_call", {"tool_name": "git_status"})
        pushed = pipe.call("climax_call", {"tool_name": "git_push"})
        own = pipe.call("climax_call", {"tool_name": "own_one"})
        found = pipe.call("climax_search", {"query": "print"})["structuredContent"]
    assert not seen["isError"], seen
    assert seen["_meta"]["toolcrib/sandbox"]["level"] not in ("off", "rlimits")
    for refused in (pushed, own):
        assert refused["isError"] and refused["structuredContent"]["error_type"] == "untrusted"
    assert own["content"][0]["text"] == (
        "own_one is withheld: climax/own.yaml has not been trusted yet. "
        "A person can look at it: toolcrib trust"
    )
    assert found["withheld"] >= 2
    assert "own_one" not in json.dumps(found)


def test_a_fresh_clone_has_no_program_of_its_own_started(
    repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T-1: not even in the sandbox, where the search path leads into the repository."""
    programs = repo / ".venv" / "bin"
    programs.mkdir(parents=True)
    (programs / "git").write_text("#!/bin/sh\necho owned\n")
    (programs / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    with served(repo) as pipe:
        pipe.initialize()
        seen = pipe.call("climax_call", {"tool_name": "git_status"})
    assert "owned" not in seen["content"][0]["text"] and not seen["isError"]


def test_without_a_sandbox_a_fresh_clone_has_no_command_line_tools(repo: Path) -> None:
    """T-16: with `serve --sandbox off` an untrusted repo has none at all."""
    with served(repo, "--sandbox", "off") as pipe:
        pipe.initialize()
        seen = pipe.call("climax_call", {"tool_name": "git_status"})
    assert seen["structuredContent"]["error_type"] == "untrusted"


def test_withheld_tools_are_told_in_classic_mode_too(repo: Path) -> None:
    """T-9: a result, not -32602; an unknown name ends with the number of withheld files."""
    with served(repo, "--classic") as pipe:
        pipe.initialize()
        own = pipe.call("own_one")
        unknown = pipe.error("tools/call", {"name": "owned", "arguments": {}})
    assert own["structuredContent"]["error_type"] == "untrusted"
    assert unknown["message"].endswith("1 files are withheld: toolcrib trust")


def test_what_was_trusted_acts(repo: Path, mark: Path) -> None:
    """T-6, T-3: after `toolcrib trust` everything runs, and the record is private."""
    assert toolcrib(repo, "trust", "--yes").returncode == 0
    assert toolcrib(repo, "trust", "--check").returncode == 0
    with served(repo) as pipe:
        assert "toolcrib trust" not in pipe.initialize().get("instructions", "")
        assert "owned" in names(pipe)
        assert not pipe.call("climax_call", {"tool_name": "own_one"})["isError"]
    assert mark.exists()
    records = [path for path in (repo.parent / "state" / "trust").rglob("*") if path.is_file()]
    (record,) = records
    assert len(record.name) == 64
    assert stat.S_IMODE(record.stat().st_mode) == 0o600
    assert stat.S_IMODE(record.parent.stat().st_mode) == 0o700


def test_a_change_waits_and_what_is_equal_goes_on(repo: Path) -> None:
    """T-4: a tool whose definition is equal stays, the others are withheld, within seconds."""
    toolcrib(repo, "trust", "--yes")
    with served(repo) as pipe:
        pipe.initialize()
        assert "owned" in names(pipe)
        (repo / "climax" / "own.yaml").write_text(CONFIG.replace("echo two", "echo evil"))
        (repo / "mine.py").write_text(MODULE.format(mark=repo / "second", word="evil"))

        def withheld() -> bool:
            answer = pipe.call("climax_call", {"tool_name": "own_two"})
            return bool(answer["structuredContent"].get("error_type") == "untrusted")

        until(withheld)
        one = pipe.call("climax_call", {"tool_name": "own_one"})
        two = pipe.call("climax_call", {"tool_name": "own_two"})
        kept = pipe.call("owned")
    assert one["structuredContent"]["stdout"] == "one\n"
    day = time.strftime("%Y-%m-%d")
    assert two["content"][0]["text"] == (
        f"own_two is withheld: climax/own.yaml changed since it was trusted on {day}. "
        "A person can look at the change: toolcrib trust"
    )
    assert kept["structuredContent"]["value"] == "mine", "a module stays as it was loaded"
    assert not (repo / "second").exists()
    with served(repo) as pipe:
        pipe.initialize()
        assert "owned" not in names(pipe)
        gone = pipe.call("owned")
    assert gone["structuredContent"]["error_type"] == "untrusted"
    assert "owned is withheld: mine.py changed since it was trusted" in gone["content"][0]["text"]
    assert not (repo / "second").exists()
    doctor = toolcrib(repo, "doctor", "--json").stdout
    assert "changed since trusted: climax/own.yaml, mine.py" in doctor


def test_trust_given_and_taken_counts_in_a_server_that_runs(repo: Path) -> None:
    """T-4: a record that is made or revoked counts within seconds, without a restart."""
    with served(repo) as pipe:
        pipe.initialize()
        assert "owned" not in names(pipe)
        toolcrib(repo, "trust", "--yes")
        until(lambda: "owned" in names(pipe))
        toolcrib(repo, "trust", "--revoke")
        until(lambda: "owned" not in names(pipe))
        answer = pipe.call("climax_call", {"tool_name": "own_one"})
    assert answer["structuredContent"]["error_type"] == "untrusted"


def test_comments_order_and_harmless_keys_are_no_change(repo: Path) -> None:
    """T-2: settings and configs count by their parsed values."""
    toolcrib(repo, "trust", "--yes")
    settings = (repo / "toolcrib.toml").read_text()
    (repo / "toolcrib.toml").write_text(
        "# new\n[architecture]\n\n" + settings.replace('"default"', '"progressive"')
    )
    (repo / "climax" / "own.yaml").write_text("# new\n" + CONFIG)
    assert toolcrib(repo, "trust", "--check").returncode == 0
    (repo / "toolcrib.toml").write_text(settings + '\n[architecture]\nadr = ["../../etc"]\n')
    assert toolcrib(repo, "trust", "--check").returncode == 1


def test_going_back_to_a_trusted_content_is_no_change(repo: Path) -> None:
    """T-3: several contents of a root may be trusted."""
    toolcrib(repo, "trust", "--yes")
    before = (repo / "mine.py").read_text()
    (repo / "mine.py").write_text(before + "# more\n")
    assert toolcrib(repo, "trust", "--check").returncode == 1
    toolcrib(repo, "trust", "--yes")
    (repo / "mine.py").write_text(before)
    assert toolcrib(repo, "trust", "--check").returncode == 0


def test_a_digest_trusts_that_content_alone(repo: Path) -> None:
    """T-8: TOOLCRIB_TRUST=<digest> and --trust <digest>; CI=true alone trusts nothing."""
    digest = toolcrib(repo, "trust", "--digest").stdout.strip()
    assert len(digest) == 64 and set(digest) <= set("0123456789abcdef")
    known = {"TOOLCRIB_TRUST": digest}
    assert toolcrib(repo, "trust", "--check", env={"CI": "true"}).returncode == 1
    assert toolcrib(repo, "trust", "--check", env=known).returncode == 0
    with served(repo, "--trust", digest) as pipe:
        pipe.initialize()
        assert "owned" in names(pipe)
    (repo / "mine.py").write_text("# other\n")
    assert toolcrib(repo, "trust", "--check", env=known).returncode == 1
    wrong = toolcrib(repo, "list", env={"TOOLCRIB_TRUST": "yes"})
    assert wrong.returncode == 2 and "neither a digest nor 'all'" in wrong.stderr


def test_all_is_said_once_and_not_to_scripts(repo: Path) -> None:
    """T-8: one line on stderr, none with --json, a JSON line under --log-json; doctor names it."""
    every = {"TOOLCRIB_TRUST": "all"}
    told = toolcrib(repo, "search", "x", env=every).stderr
    assert told.count("TOOLCRIB_TRUST=all") == 1
    assert "TOOLCRIB_TRUST" not in toolcrib(repo, "search", "x", "--json", env=every).stderr
    assert "TOOLCRIB_TRUST=all" in toolcrib(repo, "doctor", env=every).stdout
    with Pipe(
        [*command("serve"), "--log-json", "--log-file", str(repo.parent / "l")],
        cwd=repo,
        env=every,
    ) as pipe:
        pipe.initialize()
        pipe.hang_up()
    lines = [json.loads(line) for line in (repo.parent / "l").read_text().splitlines()]
    assert ["TOOLCRIB_TRUST=all" in line["message"] for line in lines].count(True) == 1


def test_what_a_command_line_names_is_trusted_as_it_is(repo: Path) -> None:
    """T-8a: `climax run FILE` runs it; a later change of the file waits."""
    own = repo / "climax" / "own.yaml"
    with Pipe([*command("climax"), "run", str(own)], cwd=repo) as pipe:
        pipe.initialize()
        assert not pipe.call("climax_call", {"tool_name": "own_two"})["isError"]
        own.write_text(CONFIG.replace("echo two", "echo evil"))

        def withheld() -> bool:
            answer = pipe.call("climax_call", {"tool_name": "own_two"})["structuredContent"]
            assert "evil" not in answer.get("stdout", "")
            return bool(answer.get("error_type") == "untrusted")

        until(withheld)


@pytest.mark.parametrize("words", [("trust",), ("trust", "--follow")], ids=" ".join)
def test_without_a_terminal_nothing_is_trusted(repo: Path, words: tuple[str, ...]) -> None:
    """T-6: exit 2 without a terminal; exit 3 in an agent's shell, --yes or not."""
    assert toolcrib(repo, *words).returncode == 2
    for name in ("CLAUDECODE", "CODEX_SANDBOX", "CURSOR_AGENT", "GEMINI_CLI"):
        refused = toolcrib(repo, *words, "--yes", env={name: "1"})
        assert refused.returncode == 3
        assert name in refused.stderr and "open another terminal" in refused.stderr
    assert toolcrib(repo, "trust", "--check").returncode == 1


def test_two_folders_of_one_name_share_nothing_and_a_moved_one_is_asked_again(repo: Path) -> None:
    """T-3: the root is the real path of the project."""
    toolcrib(repo, "trust", "--yes")
    other = repo.parent / "other"
    other.mkdir()
    os.rename(repo, other / "repo")
    assert toolcrib(other / "repo", "trust", "--check").returncode == 1


@pytest.mark.parametrize("damage", ["truncated", "newer", "other content", "open to all", "gone"])
def test_a_record_that_cannot_be_relied_on_trusts_nothing(repo: Path, damage: str) -> None:
    """FAULTS: deleted, truncated, of a newer version, writable by others: untrusted."""
    toolcrib(repo, "trust", "--yes")
    (record,) = [path for path in (repo.parent / "state" / "trust").rglob("*") if path.is_file()]
    data = record.read_bytes()
    if damage == "truncated":
        record.write_bytes(data[:-10])
    elif damage == "newer":
        record.write_bytes(data.replace(b'"toolcrib": 1', b'"toolcrib": 2'))
    elif damage == "other content":
        record.write_bytes(data.replace(b'"mine.py"', b'"evil.py"', 1))
    elif damage == "open to all":
        record.chmod(0o666)
    else:
        record.unlink()
    done = toolcrib(repo, "trust", "--check", "--json")
    assert done.returncode == 1 and json.loads(done.stdout)["state"] == "untrusted"


def test_a_state_folder_inside_the_repository_is_refused_when_relative(repo: Path) -> None:
    """T-3, FAULTS: a relative state folder is refused."""
    done = toolcrib(repo, "trust", "--check", env={"TOOLCRIB_STATE": "state"})
    assert done.returncode == 1 and "TOOLCRIB_STATE=state is a relative path" in done.stderr


def test_paths_of_the_persons_own_file_are_trusted_as_they_lie(repo: Path) -> None:
    """T-7: `[trust] paths`: what lies there when a server starts; a later change waits."""
    config = repo.parent / "config" / "toolcrib"
    config.mkdir()
    (config / "config.toml").write_text(f'[trust]\npaths = ["{repo.parent}"]\n')
    assert toolcrib(repo, "trust", "--check").returncode == 0
    with served(repo) as pipe:
        pipe.initialize()
        assert not pipe.call("climax_call", {"tool_name": "own_two"})["isError"]
        (repo / "climax" / "own.yaml").write_text(CONFIG.replace("echo two", "echo evil"))

        def withheld() -> bool:
            answer: Any = pipe.call("climax_call", {"tool_name": "own_two"})["structuredContent"]
            return bool(answer.get("error_type") == "untrusted")

        until(withheld)


@pytest.mark.parametrize("section", ["trust", "secrets"])
def test_a_repository_cannot_speak_for_a_person(repo: Path, section: str) -> None:
    """T-7: `[trust]` or `[secrets]` in a repo's file is an error that says where it belongs."""
    (repo / "toolcrib.toml").write_text(f'[{section}]\npaths = ["/"]\n')
    done = toolcrib(repo, "list")
    assert done.returncode == 1
    assert "config.toml" in done.stderr and f"[{section}]" in done.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_what_another_user_could_have_written_is_never_trusted_by_a_record(repo: Path) -> None:
    """T-3: the message names it, its owner and the line that allows it, which then does."""
    os.chown(repo / "mine.py", 12345, -1)
    refused = toolcrib(repo, "trust", "--yes")
    assert refused.returncode == 1
    assert "mine.py belongs to 12345" in refused.stderr
    assert '[trust] owners = ["12345"]' in refused.stderr
    config = repo.parent / "config" / "toolcrib"
    config.mkdir()
    (config / "config.toml").write_text('[trust]\nowners = ["12345"]\n')
    assert toolcrib(repo, "trust", "--yes").returncode == 0
    (repo / "climax").chmod(0o777)
    again = toolcrib(repo, "trust", "--check", "--json")
    assert again.returncode == 1 and json.loads(again.stdout)["state"] == "untrusted"


def test_a_call_that_runs_is_told_to_whoever_follows(alone: Path) -> None:
    """T-6: --follow asks for a change made while a call runs, or within two seconds after."""
    from toolcrib.policy.trust.activity import Activity

    follower, server = Activity("/some/root"), Activity("/some/root")
    server.began()
    server.ended()
    follower.begin_to_watch()
    assert not follower.recent(), "a call that was over before is none of this"
    server.began()
    assert follower.recent()
    server.ended()
    assert follower.recent(), "and just after"
    follower.end_watch()


def test_a_script_with_a_grant_that_changes_this_very_moment_is_not_run(alone: Path) -> None:
    """T-2, T-4, FAULTS: between the change and the next look at all files lie up to two seconds."""
    repo = alone / "repo"
    (repo / "climax").mkdir(parents=True)
    (repo / "climax" / "own.yaml").write_text(
        "name: own\ncommand: sh run.sh\ntools: [{name: own_run, command: a}]\n"
    )
    (repo / "toolcrib.toml").write_text('[climax.access.own]\nnetwork = "full"\n')
    (repo / "run.sh").write_text("echo good\n")
    assert toolcrib(repo, "trust", "--yes").returncode == 0
    with served(repo) as pipe:
        pipe.initialize()
        for word in ("bad", "good", "bad"):
            (repo / "run.sh").write_text(f"echo {word}\n")
            told = pipe.call("climax_call", {"tool_name": "own_run"})
            assert told["isError"] is (word == "bad"), told
            if word == "bad":
                assert told["structuredContent"]["error_type"] == "untrusted"
                assert "run.sh changed since it was trusted" in told["content"][0]["text"]
