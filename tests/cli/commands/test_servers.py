"""X-29: `toolcrib servers`, as people type it; the servers are real processes."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from support.terminal import Terminal
from toolcrib.packs.gateway.entries import _FIELDS, read_servers
from toolcrib.packs.gateway.settings import schema_text

ADD = ("servers", "add", "--yes")

ODD = Path(__file__).parents[2] / "support" / "odd_server.py"
Toolcrib = Callable[..., Any]

pytestmark = pytest.mark.usefixtures("home")


def odd(entry: dict[str, Any] | None = None, **switches: Any) -> dict[str, Any]:
    words = {"command": sys.executable, "args": [str(ODD), json.dumps(switches)]}
    return {**words, "sandbox": "off", **(entry or {})}


def write(repo: Path, **servers: Any) -> None:
    (repo / "mcp").mkdir(exist_ok=True)
    (repo / "mcp" / "servers.json").write_text(json.dumps({"mcpServers": servers}))


def states(toolcrib: Toolcrib) -> dict[str, str]:
    rows = toolcrib("servers", "list", "--json").json["servers"]
    return {row["name"]: row["state"] for row in rows}


def test_each_server_has_its_state_and_nothing_is_started(repo: Path, toolcrib: Toolcrib) -> None:
    """X-29, X-9: not seen yet, asleep, unavailable with the reason, as JSON with all keys."""
    write(repo, good=odd(), bad={"command": "no-such-program-here"})
    assert states(toolcrib) == dict.fromkeys(
        ("bad", "good"), "not seen yet: toolcrib servers refresh"
    )
    ran = toolcrib("servers", "refresh")
    assert ran.code == 1 and "no-such-program-here" in ran.out
    found = states(toolcrib)
    assert found["good"] == "asleep" and found["bad"].startswith("unavailable: ")
    (row,) = [r for r in toolcrib("servers", "list", "--json").json["servers"] if r["tools"]]
    assert set(row) == {"name", "kind", "source", "tools", "state", "era", "catalogue_age_s"}
    assert (row["kind"], row["source"], row["tools"], row["era"]) == ("stdio", "repo", 2, "legacy")


@pytest.mark.parametrize("words", [("search", "does"), ("list",), ("list", "tools", "--classic")])
def test_listing_and_searching_start_no_server_and_say_which_were_never_asked(
    repo: Path, toolcrib: Toolcrib, tmp_path: Path, words: tuple[str, ...]
) -> None:
    """X-9, X-10: nothing is started without a catalogue either; the command to ask is named."""
    mark = tmp_path / "started"
    write(repo, good=odd(), bad={"command": "touch", "args": [str(mark)], "sandbox": "off"})
    assert toolcrib("servers", "refresh", "good").code == 0
    ran = toolcrib(*words)
    assert ran.code == 0 and not mark.exists()
    assert ran.err.splitlines()[-1] == "bad: not seen yet: toolcrib servers refresh"


def test_an_untrusted_server_is_listed_as_such_and_not_asked(
    repo: Path, toolcrib: Toolcrib, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """X-20, X-29: untrusted; `refresh` does not ask it."""
    monkeypatch.delenv("TOOLCRIB_TRUST", raising=False)
    mark = tmp_path / "started"
    write(repo, odd={"command": "touch", "args": [str(mark)]})
    assert states(toolcrib) == {"odd": "untrusted"}
    ran = toolcrib("servers", "refresh")
    assert ran.code == 0 and "odd: not trusted yet: toolcrib trust" in ran.out
    ran = toolcrib("servers", "refresh", "odd")
    assert ran.code == 2 and "toolcrib trust" in ran.err and not mark.exists()


def test_add_writes_ones_own_file_and_with_project_the_repositorys(
    repo: Path, home: Path, toolcrib: Toolcrib
) -> None:
    """X-29: the user's file unless `--project`; a second of that name is refused."""
    assert toolcrib(*ADD, "time", "-e", "TZ=UTC", "--", "uvx", "mcp-time").code == 0
    own = home / ".config" / "toolcrib" / "servers.json"
    assert json.loads(own.read_text()) == {
        "mcpServers": {"time": {"command": "uvx", "args": ["mcp-time"], "env": {"TZ": "UTC"}}}
    }
    assert own.stat().st_mode & 0o777 == 0o600
    assert toolcrib(*ADD, "time", "--project", "--", "uvx", "mcp-time").code == 0
    theirs = repo / "mcp" / "servers.json"
    assert json.loads(theirs.read_text())["mcpServers"]["time"]["command"] == "uvx"
    assert theirs.stat().st_mode & 0o777 == 0o644
    assert toolcrib(*ADD, "time", "--", "uvx").code == 2
    assert toolcrib(*ADD, "a b", "--", "uvx").code == 2
    assert toolcrib(*ADD, "both", "--url", "https://x", "--", "uvx").code == 2


def test_add_and_remove_know_the_file_that_the_settings_name(
    repo: Path, toolcrib: Toolcrib
) -> None:
    """X-1, X-29: `[gateway] configs` names other files instead of mcp/servers.json."""
    (repo / "toolcrib.toml").write_text('[gateway]\nconfigs = [".mcp.json"]\n')
    (repo / ".mcp.json").write_text('{"mcpServers": {}}')
    assert toolcrib(*ADD, "two", "--project", "--", "y").code == 0
    assert list(states(toolcrib)) == ["two"] and not (repo / "mcp").exists()
    assert toolcrib("servers", "remove", "--yes", "two").code == 0
    assert states(toolcrib) == {}


def test_add_and_remove_keep_comments_and_the_key_that_is_there(
    repo: Path, toolcrib: Toolcrib
) -> None:
    """X-1, X-29: `servers` is read, too; what people wrote stays."""
    (repo / "mcp").mkdir()
    file = repo / "mcp" / "servers.json"
    file.write_text('{\n  // ours\n  "servers": {"one": {"command": "x"}}\n}\n')
    assert toolcrib(*ADD, "two", "--project", "--", "y").code == 0
    assert "// ours" in file.read_text() and "mcpServers" not in file.read_text()
    assert toolcrib("servers", "remove", "--yes", "one").code == 0
    (left,) = read_servers(file, "f", "repo", repo).entries
    assert left.name == "two" and left.command == "y"
    assert toolcrib("servers", "remove", "--yes", "one").code == 2


@pytest.mark.parametrize("data", [b"42", b"null", b'{"mcpServers": []}', b"\xff\xfe{"])
def test_a_file_that_is_no_file_of_servers_is_named_and_left_as_it_is(
    home: Path, toolcrib: Toolcrib, data: bytes
) -> None:
    """X-1, X-29: one line with the file, whatever is in it."""
    own = home / ".config" / "toolcrib" / "servers.json"
    own.parent.mkdir(parents=True, exist_ok=True)
    own.write_bytes(data)
    for ran in (toolcrib(*ADD, "a", "--", "b"), toolcrib("servers", "remove", "--yes", "a")):
        assert ran.code == 1 and str(own) in ran.err and "Traceback" not in ran.err
    assert own.read_bytes() == data


def test_a_link_in_place_of_ones_own_file_stays_one(
    home: Path, toolcrib: Toolcrib, tmp_path: Path
) -> None:
    """X-1, X-29: what is added is written where the link leads, and read from there."""
    own, kept = home / ".config" / "toolcrib" / "servers.json", tmp_path / "kept.json"
    own.parent.mkdir(parents=True, exist_ok=True)
    kept.write_text("{}")
    own.symlink_to(kept)
    assert toolcrib(*ADD, "time", "--", "uvx", "mcp-time").code == 0
    assert own.is_symlink() and "mcp-time" in kept.read_text()
    assert states(toolcrib) == {"time": "not seen yet: toolcrib servers refresh"}


def test_a_change_is_held_until_a_person_has_seen_the_difference(
    repo: Path, toolcrib: Toolcrib, tmp_path: Path
) -> None:
    """X-21: held N; the diff with hidden characters; approving takes it; no terminal is 2."""
    state = tmp_path / "suffix"
    write(repo, odd=odd({"env": {"ODD_STATE": str(state)}}))
    toolcrib("servers", "refresh")
    state.write_text(" and <IMPORTANT> more\u200b")
    told = toolcrib("servers", "refresh").out
    assert told.splitlines() == ["odd: 2 tools", "odd: held 2: toolcrib servers approve odd"]
    assert states(toolcrib) == {"odd": "held 2"}
    assert "held tool t0, tool t1" in toolcrib("doctor").out
    refused = toolcrib("servers", "approve", "odd")
    assert refused.code == 2 and states(toolcrib) == {"odd": "held 2"}
    ran = toolcrib("servers", "approve", "odd", "--tool", "t0", "--yes")
    assert ran.code == 0 and "⟨U+200B⟩" in ran.out and "addresses the model" in ran.out
    assert states(toolcrib) == {"odd": "held 1"}
    assert toolcrib("servers", "approve", "odd", "--yes").code == 0
    assert states(toolcrib) == {"odd": "asleep"}


def test_the_lock_holds_what_does_not_match_even_if_approved(
    repo: Path, toolcrib: Toolcrib, tmp_path: Path
) -> None:
    """X-21: for review in the repository; approving what it has otherwise is 1."""
    state = tmp_path / "suffix"
    write(repo, odd=odd({"env": {"ODD_STATE": str(state)}, "changes": "allow"}))
    toolcrib("servers", "refresh")
    assert toolcrib("servers", "lock", "--yes").code == 0
    lock = repo / "mcp" / "servers.lock"
    assert list(json.loads(lock.read_text())) == ["odd"] and states(toolcrib) == {"odd": "asleep"}
    state.write_text(" anew")
    toolcrib("servers", "refresh")
    assert states(toolcrib) == {"odd": "held 2"}
    assert toolcrib("servers", "approve", "odd", "--yes").code == 1
    lock.write_text("{broken")
    assert states(toolcrib)["odd"].startswith("held")


@pytest.mark.parametrize("fault", ["changed", "lock", "pins", "both", "by lock alone"])
def test_what_is_held_is_served_again_after_what_doctor_says(
    repo: Path, home: Path, toolcrib: Toolcrib, tmp_path: Path, fault: str
) -> None:
    """X-21, X-29: each cure works when it is typed, until nothing is held."""
    state = tmp_path / "suffix"
    changes = "allow" if fault == "by lock alone" else "hold"
    write(repo, odd=odd({"env": {"ODD_STATE": str(state)}, "changes": changes}))
    toolcrib("servers", "refresh")
    if fault != "pins":
        assert toolcrib("servers", "lock", "--yes").code == 0
    if fault in ("changed", "by lock alone"):
        state.write_text(" anew")
        toolcrib("servers", "refresh")
    if fault in ("lock", "both"):
        (repo / "mcp" / "servers.lock").write_text("{broken")
    if fault in ("pins", "both"):
        (pins,) = home.rglob("pins/*.json")
        pins.write_text("{broken")
    typed = []
    while states(toolcrib)["odd"].startswith("held"):
        found = toolcrib("doctor", "--json").json
        cures = [each["cure"] for each in found["findings"] if "held" in each["text"]]
        assert len(cures) == 1 and cures[0] not in typed, found
        typed += cures
        assert toolcrib(*cures[0].split()[1:], "--yes").code == 0
    assert typed


def test_a_lock_of_what_nobody_has_looked_at_says_so(
    repo: Path, toolcrib: Toolcrib, tmp_path: Path
) -> None:
    """X-21: what is held stays so until it is approved, in a lock or not."""
    state = tmp_path / "suffix"
    write(repo, odd=odd({"env": {"ODD_STATE": str(state)}}))
    toolcrib("servers", "refresh")
    assert "approve" not in toolcrib("servers", "lock", "--yes").out
    state.write_text(" anew")
    toolcrib("servers", "refresh")
    ran = toolcrib("servers", "lock", "--yes")
    assert ran.code == 0 and "toolcrib servers approve odd" in ran.out
    assert states(toolcrib) == {"odd": "held 2"}


def test_a_tool_to_approve_has_to_be_there(repo: Path, toolcrib: Toolcrib) -> None:
    """X-21: `--tool T` approves one; another name is a mistake, told with the nearest."""
    write(repo, odd=odd())
    toolcrib("servers", "refresh")
    ran = toolcrib("servers", "approve", "odd", "--tool", "t9", "--yes")
    assert ran.code == 2 and "'t0'" in ran.err
    ran = toolcrib("servers", "approve", "odd", "--tool", "t0", "--yes")
    assert ran.code == 0 and "Nothing is held" in ran.out


def test_no_lock_is_written_where_the_repository_has_no_servers(
    repo: Path, toolcrib: Toolcrib
) -> None:
    """X-21: an empty lock would hold whatever is added later."""
    assert toolcrib(*ADD, "mine", "--", "true").code == 0
    ran = toolcrib("servers", "lock", "--yes")
    assert ran.code == 2 and "no servers" in ran.err
    assert not (repo / "mcp" / "servers.lock").exists()


def test_no_lock_is_written_without_the_servers_that_are_not_trusted(
    repo: Path, toolcrib: Toolcrib, monkeypatch: pytest.MonkeyPatch
) -> None:
    """X-21: it would drop what was reviewed, and hold all tools of those servers for everybody."""
    write(repo, odd=odd())
    toolcrib("servers", "refresh")
    assert toolcrib("servers", "lock", "--yes").code == 0
    lock = repo / "mcp" / "servers.lock"
    before = lock.read_bytes()
    monkeypatch.delenv("TOOLCRIB_TRUST", raising=False)
    ran = toolcrib("servers", "lock", "--yes")
    assert ran.code == 2 and "odd" in ran.err and "toolcrib trust" in ran.err
    assert lock.read_bytes() == before


def test_logs_are_what_the_server_wrote_without_the_values_of_references(
    repo: Path, toolcrib: Toolcrib, monkeypatch: pytest.MonkeyPatch
) -> None:
    """X-29, X-5: masked; nothing is started to show them."""
    monkeypatch.setenv("MY_TOKEN", "hunter2hunter2")
    write(repo, odd=odd({"env": {"T": "${MY_TOKEN}"}}, stderr="token is hunter2hunter2"))
    assert "nothing yet" in toolcrib("servers", "logs", "odd").out
    toolcrib("servers", "refresh")
    ran = toolcrib("servers", "logs", "odd")
    assert ran.code == 0 and ran.out == "token is ***\n"


def test_explain_names_the_rule_about_a_tool_of_a_server(repo: Path, toolcrib: Toolcrib) -> None:
    """X-23: `policy explain` says that readOnlyHint is the server's own word."""
    write(repo, odd=odd(read_only=True))
    toolcrib("servers", "refresh")
    (repo / "climax").mkdir()
    policy = repo / "climax" / "policy.yaml"
    policy.write_text("servers:\n  odd: read-only\ntools:\n  odd__t1: {args: {x: {max: 3}}}\n")
    ran = toolcrib("policy", "explain", "odd__t0")
    assert ran.code == 0 and "servers.odd: read-only  climax/policy.yaml:2" in ran.out
    assert "nobody has checked" in ran.out
    ran = toolcrib("policy", "explain", "odd__t1", "--arg", "x=4")
    assert ran.code == 1 and "at most 3" in ran.out
    ran = toolcrib("policy", "explain", "odd__t9")
    assert ran.code == 1 and "odd__t" in ran.err


def test_validate_tells_mistakes_with_their_place_and_doctor_has_a_group(
    repo: Path, toolcrib: Toolcrib
) -> None:
    """X-1, X-2: errors 1, warnings 0; the group is `servers`."""
    write(repo, odd=odd({"comand": "x"}))
    ran = toolcrib("validate", "--json")
    assert ran.code == 0
    (warning,) = [each for each in ran.json["findings"] if "comand" in each["text"]]
    assert warning["group"] == "servers" and "did you mean 'command'" in warning["text"]
    assert "mcp/servers.json:1:" in warning["text"]
    write(repo, odd=odd({"timeout": 0}), fine=odd())
    ran = toolcrib("validate")
    assert ran.code == 1 and "from 1 to 3600" in ran.out


def test_the_schema_says_what_the_reader_does(toolcrib: Toolcrib, tmp_path: Path) -> None:
    """X-2: a JSON Schema is shipped; it knows every key, and both agree on samples."""
    import jsonschema_rs

    schema = json.loads(toolcrib("validate", "--schema", "servers").out)
    assert schema == json.loads(schema_text())
    assert set(schema["$defs"]["entry"]["properties"]) == {*_FIELDS, "type"}
    validator = jsonschema_rs.Draft202012Validator(schema)
    for entry in (
        {"command": "x"}, {"url": "https://x"}, {"command": "x", "url": "https://x"}, {},
        {"command": "x", "timeout": 0}, {"command": "x", "timeout": 3600}, {"command": ""},
        {"command": "x", "args": ["a", 1]}, {"command": "x", "args": "a"},
        {"command": "x", "session": "each"}, {"command": "x", "network": ["a.example"]},
        {"command": "x", "network": "some"}, {"command": "x", "autoApprove": ["*"]},
        {"command": "x", "env": {"A": True}}, {"command": "x", "idle": -1},
    ):  # fmt: skip
        file = tmp_path / "servers.json"
        file.write_text(json.dumps({"mcpServers": {"s": entry}}))
        good = not read_servers(file, "f", "repo", tmp_path).problems
        assert validator.is_valid(json.loads(file.read_text())) is good, entry
    for name in ("a b", "a__b", "-a", "x" * 65):
        assert not validator.is_valid({"mcpServers": {name: {"command": "x"}}})


def test_refresh_fails_where_the_lists_cannot_be_read_again(
    repo: Path, toolcrib: Toolcrib, tmp_path: Path
) -> None:
    """X-29: 1 and the names where one fails; what was known stays."""
    state = tmp_path / "state"
    write(repo, good=odd(), bad=odd({"env": {"ODD_STATE": str(state)}}, fail="list again"))
    assert toolcrib("servers", "refresh").code == 0
    state.write_text("")
    ran = toolcrib("servers", "refresh", "--json")
    assert ran.code == 1 and list(ran.json["failed"]) == ["bad"]
    assert "no list today" in ran.json["failed"]["bad"]
    assert "no list today" in toolcrib("doctor").out
    assert {row["name"]: row["tools"] for row in ran.json["servers"]} == {"bad": 2, "good": 2}


def test_the_list_shows_era_and_age_and_what_is_turned_off(repo: Path, toolcrib: Toolcrib) -> None:
    """X-29: name, kind, tools, state; era; age of the catalogue."""
    write(repo, good=odd(), off=odd({"disabled": True}))
    toolcrib("servers", "refresh")
    good, off = toolcrib("servers", "list").out.splitlines()
    assert "asleep" in good and "legacy" in good and "ago" in good
    assert "unavailable: disabled" in off
    assert "is disabled in its entry" in toolcrib("servers", "logs", "off").err


def test_ctrl_d_at_the_question_takes_nothing(
    repo: Path, toolcrib: Toolcrib, tmp_path: Path
) -> None:
    """X-21: whoever leaves without an answer has not agreed."""
    state = tmp_path / "suffix"
    write(repo, odd=odd({"env": {"ODD_STATE": str(state)}}))
    assert toolcrib("servers", "refresh").code == 0
    state.write_text("changed")
    assert toolcrib("servers", "refresh").code == 0
    words = [sys.executable, "-m", "toolcrib", "servers", "approve", "odd"]
    with Terminal(words, cwd=repo) as terminal:
        terminal.until("[y/N]")
        terminal.type("\x04")
        assert terminal.end() == 1 and "Traceback" not in terminal.shown
    assert states(toolcrib) == {"odd": "held 2"}


def test_a_mistake_in_a_file_is_told_once_at_a_terminal(repo: Path) -> None:
    """X-1, X-29: one line for one mistake."""
    write(repo, bad={"command": 1})
    words = [sys.executable, "-m", "toolcrib", "servers", "list"]
    with Terminal(words, cwd=repo) as terminal:
        assert terminal.end() == 0
        assert terminal.shown.count("must be text") == 1


@pytest.mark.parametrize(
    "words",
    [("add", "x", "--", "true"), ("remove", "x"), ("lock",), ("login", "x")],
    ids=lambda words: words[0],
)
def test_which_servers_there_are_is_for_a_person_to_say(
    repo: Path,
    home: Path,
    toolcrib: Toolcrib,
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
) -> None:
    """T-6: without a terminal exit 2 unless `--yes`; in an agent's shell or our sandbox 3."""
    assert toolcrib("servers", *words).code == 2
    for name in ("CLAUDECODE", "CODEX_SANDBOX", "CURSOR_AGENT", "GEMINI_CLI", "TOOLCRIB_SANDBOX"):
        monkeypatch.setenv(name, "1")
        ran = toolcrib("servers", words[0], "--yes", *words[1:])
        assert ran.code == 3 and name in ran.err and "open another terminal" in ran.err
        monkeypatch.delenv(name)
    assert not (home / ".config" / "toolcrib" / "servers.json").exists()
