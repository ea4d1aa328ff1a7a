"""Files of servers: read as every client writes them, each mistake with its place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolcrib.packs.gateway.entries import ServerEntries, check_name, read_servers


def read(tmp_path: Path, text: str, source: Any = "user") -> ServerEntries:
    file = tmp_path / "servers.json"
    file.write_text(text)
    return read_servers(file, "servers.json", source, tmp_path)


def entry(tmp_path: Path, **written: Any) -> Any:
    found = read(tmp_path, json.dumps({"mcpServers": {"one": written}}))
    assert not found.problems, found.problems
    return found.entries[0]


def test_comments_trailing_commas_and_a_bom_are_read(tmp_path: Path) -> None:
    """X-1: JSON with comments; `servers` is read too."""
    text = '\ufeff{"servers": { // mine\n "a": {"command": "x", "args": ["1", 2,], }, /* end */ }}'
    (found,) = read(tmp_path, text).entries
    assert (found.name, found.command, found.args, found.kind) == ("a", "x", ("1", "2"), "stdio")


def test_a_doubled_name_is_an_error_with_both_places(tmp_path: Path) -> None:
    """X-1: a doubled name is an error with both places."""
    text = '{"mcpServers": {\n"a": {"command": "x"},\n"a": {"command": "y"}}}'
    (problem,) = read(tmp_path, text).problems
    assert "servers.json:3:1" in str(problem) and "servers.json:2:1" in str(problem)


@pytest.mark.parametrize(
    "doubled", ['"command": "x",\n"command": "y"', '"command": "x", "env": {"A": "1",\n"A": "2"}']
)
def test_a_doubled_key_of_an_entry_is_an_error_with_both_places(
    tmp_path: Path, doubled: str
) -> None:
    """X-1, FAULTS: duplicate JSON keys: never last-wins; the other entries are served."""
    text = f'{{"mcpServers": {{\n"a": {{{doubled}}},\n"b": {{"command": "z"}}}}}}'
    found = read(tmp_path, text)
    (problem,) = found.problems
    assert "servers.json:3:1" in str(problem) and "servers.json:2:" in str(problem)
    assert [each.name for each in found.entries] == ["b"]


def test_a_file_with_its_servers_twice_is_an_error_with_both_places(tmp_path: Path) -> None:
    """X-1: the second list would hide the first from whoever reads the file."""
    text = '{"mcpServers": {"a": {"command": "x"}},\n"mcpServers": {"a": {"command": "y"}}}'
    found = read(tmp_path, text)
    assert found.unusable and "servers.json:2:1" in str(found.problems[0])
    assert "servers.json:1:2" in str(found.problems[0])


def test_ones_own_file_may_be_a_link_and_the_repositorys_one_to_within_it(tmp_path: Path) -> None:
    """X-1: one's own file may lie elsewhere; a repository's link leads to its own files only."""
    repo, kept = tmp_path / "repo", tmp_path / "kept.json"
    (repo / "mcp").mkdir(parents=True)
    for file in (kept, repo / ".mcp.json"):
        file.write_text('{"mcpServers": {"a": {"command": "x"}}}')
    link = repo / "mcp" / "servers.json"
    for target, source, names in (
        (kept, "user", ["a"]), ("../.mcp.json", "repo", ["a"]), (kept, "repo", []),
    ):  # fmt: skip
        link.unlink(missing_ok=True)
        link.symlink_to(target)
        found = read_servers(link, "mcp/servers.json", source, repo)
        assert [each.name for each in found.entries] == names
    assert "mcp/servers.json" in str(found.problems[0])


def test_one_bad_entry_leaves_the_others(tmp_path: Path) -> None:
    """X-1: an entry that cannot be used is an error with its place, the others are served."""
    text = json.dumps({"mcpServers": {"bad": {"command": 1}, "good": {"command": "x"}}}, indent=1)
    found = read(tmp_path, text)
    assert [each.name for each in found.entries] == ["good"]
    assert "servers.json:3" in str(found.problems[0]) and "'command'" in str(found.problems[0])


@pytest.mark.parametrize(
    ("written", "word"),
    [
        ({}, "neither 'command' nor 'url'"),
        ({"command": "x", "url": "https://h"}, "both 'command' and 'url'"),
        ({"command": "x", "type": "http"}, "stdio"),
        ({"url": "https://h", "type": "carrier-pigeon"}, "http, streamable-http, sse"),
        ({"command": "x", "timeout": 0}, "from 1 to 3600"),
        ({"command": "x", "startup_timeout": 301}, "from 1 to 300"),
        ({"command": "x", "timeout": 10**400}, "from 1 to 3600"),
        ({"command": "x", "tool_timeout_sec": 10**400}, "from 1 to 3600"),
        ({"command": "x", "env": {"A=B": "c"}}, "'A=B'"),
        ({"command": "x\0"}, "NUL"),
        ({"command": "x", "root": "/a\0b"}, "NUL"),
        ({"command": "x", "notes": ["\ud800"]}, "surrogate"),
        ({"command": "x", "session": "mine"}, "shared, client"),
        ({"command": "x", "env": {"A": {}}}, "'A'"),
        ({"command": "x", "disabled": "yes"}, "true or false"),
        ({"command": "x", "network": "some"}, "list of hosts"),
        ({"command": "x", "network": ["*"]}, '"public" for all of them'),
        ({"command": "x", "network": ["a b"]}, "is not a host"),
    ],
)
def test_what_does_not_fit_is_told_with_what_would(
    tmp_path: Path, written: dict[str, Any], word: str
) -> None:
    """X-2: both or none of command and url, limits, choices: each its own words."""
    (problem,) = read(tmp_path, json.dumps({"mcpServers": {"one": written}})).problems
    assert word in str(problem) and "'one'" in str(problem)


def test_keys_of_other_clients_mean_the_same_or_nothing(tmp_path: Path) -> None:
    """X-2: understood where they mean the same, else ignored without a word."""
    found = entry(
        tmp_path, command="x", startup_timeout_sec=5, tool_timeout_sec=9, enabled_tools=["a*"],
        excludeTools=["ab"], autoApprove=["z"], gallery=True,
    )  # fmt: skip
    assert (found.startup_timeout, found.timeout) == (5.0, 9.0)
    assert found.offers("aa") and not found.offers("ab") and not found.offers("b")
    remote = entry(tmp_path, url="https://h", bearer_token_env_var="TOKEN")
    assert remote.headers == {"Authorization": "Bearer ${TOKEN}"}


def test_an_unknown_key_is_a_warning_with_the_nearest_name(tmp_path: Path) -> None:
    """X-2: any other key is a warning."""
    found = read(tmp_path, '{"mcpServers": {"a": {"command": "x", "timeuot": 3}}}')
    assert found.entries and "did you mean 'timeout'" in str(found.warnings[0])


def test_defaults_differ_by_whose_entry_it_is(tmp_path: Path) -> None:
    """X, exactly: sandbox: repo auto, user off unless said."""
    text = '{"mcpServers": {"a": {"command": "x"}}}'
    assert read(tmp_path, text, "repo").entries[0].sandbox == "auto"
    assert read(tmp_path, text, "user").entries[0].sandbox == "off"


def test_what_is_shut_in_nowhere_reaches_everything(tmp_path: Path) -> None:
    """X-2, T-19: what a person is told of a call is what holds, not what the entry wishes."""
    assert entry(tmp_path, command="x", network="none").reach == "full"
    assert entry(tmp_path, command="x", network="none", sandbox="auto").reach == "none"


@pytest.mark.parametrize("name", ["a__b", "", "-x", "a b", "x" * 65, "é"])
def test_a_refused_name_comes_with_one_that_is_possible(name: str) -> None:
    """X-3: another name is an error that proposes one."""
    problem = check_name(name)
    assert problem is not None
    proposed = problem.rsplit("; ", 1)[1].split("'")[1]
    assert check_name(proposed) is None


@given(st.text(max_size=80))
def test_a_proposed_name_is_always_possible(name: str) -> None:
    """X-3: for any text."""
    problem = check_name(name)
    if problem is not None:
        proposed = problem.rsplit("; ", 1)[1].split("'")[1]
        assert check_name(proposed) is None


def test_order_and_comments_are_no_change_and_values_are(tmp_path: Path) -> None:
    """X-20: any change of an entry makes another one; how it is written does not."""
    one = entry(tmp_path, command="x", args=["1"])
    same = entry(tmp_path, args=["1"], command="x")
    other = entry(tmp_path, command="x", args=["2"])
    assert one.digest == same.digest != other.digest


def test_a_server_that_another_client_has_turned_off_is_off(tmp_path: Path) -> None:
    """X-2: keys of other clients are understood where they mean the same."""
    assert entry(tmp_path, command="x", enabled=False).disabled
    assert not entry(tmp_path, command="x", enabled=True).disabled
    assert not entry(tmp_path, command="x", enabled=False, disabled=False).disabled


def test_a_label_that_nobody_knows_is_a_warning_with_the_nearest(tmp_path: Path) -> None:
    """X-23: private, untrusted, outbound: one that is mistyped would protect nothing."""
    found = read(tmp_path, '{"mcpServers": {"a": {"command": "x", "labels": ["privat"]}}}')
    (warning,) = found.warnings
    assert "privat" in str(warning) and "'private'" in str(warning) and found.entries
