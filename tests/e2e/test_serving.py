"""`toolcrib serve` on whole repositories: what is found, what is listed, what changes live."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from support.pipe import ENVELOPE, Pipe, toolcrib
from support.waiting import until

SHOP = Path(__file__).parents[2] / "examples" / "shop"
DIRECTIVE = {
    "directive/file.get",
    "directive/files.list",
    "directive/impact.template",
    "directive/spec.template",
    "directive/tdr.template",
}
ARCHITECTURE = {"check-adr-alignment", "search-architecture", "validate-against-pattern"}
COUNTER = {"climax_call", "climax_search"}


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    copy = tmp_path / "shop"
    shutil.copytree(SHOP, copy)
    return copy


def names(pipe: Pipe, modern: bool = False) -> set[str]:
    return {tool["name"] for tool in pipe.result("tools/list", modern=modern)["tools"]}


def opened(project: Path, *words: str) -> Pipe:
    return Pipe(toolcrib("serve", *words), cwd=project)


def test_serve_finds_what_the_repo_has(shop: Path) -> None:
    """S-2: directive/, mcp/resources/, guide content, CLI configs and own tools."""
    with opened(shop) as pipe:
        capabilities = pipe.initialize()["capabilities"]
        found = names(pipe)
    assert found >= DIRECTIVE | ARCHITECTURE | COUNTER
    assert any(name.startswith("guide_") for name in found)
    assert {"tools", "resources", "prompts", "completions"} <= set(capabilities)


def test_one_pack_alone_has_exactly_its_own_surface(shop: Path) -> None:
    """S-2, S-1, D-1: directive alone: five tools, no listChanged, no resources."""
    with opened(shop, "directive") as pipe:
        assert pipe.initialize()["capabilities"] == {"tools": {}}
        assert names(pipe) == DIRECTIVE
    with opened(shop, "architecture") as pipe:
        pipe.initialize()
        assert names(pipe) == ARCHITECTURE


def test_an_empty_repo_is_served_without_complaint(tmp_path: Path) -> None:
    """S-4: no file at all works."""
    with opened(tmp_path) as pipe:
        pipe.initialize()
        assert names(pipe) == set()


def test_an_unknown_pack_is_named_with_the_nearest(tmp_path: Path) -> None:
    """S-2: a clear error, exit code 2."""
    with opened(tmp_path, "directve") as pipe:
        assert pipe.process.wait(10) == 2
        until(lambda: b"did you mean 'directive'" in pipe.errors)


@pytest.mark.parametrize("modern", [False, True])
def test_progressive_lists_two_tools_that_reach_every_pack(shop: Path, modern: bool) -> None:
    """S-3: `--progressive` lists only the two, and they reach every tool of every pack."""
    with opened(shop, "--progressive") as pipe:
        if not modern:
            pipe.initialize()
        assert names(pipe, modern) == COUNTER
        for tool, args, word in [
            ("directive/files.list", {}, "directive/"),
            ("search-architecture", {"query": "sqlite"}, "total_matches"),
            ("guide_list_feature_flags", {}, "success"),
        ]:
            call = {"tool_name": tool, "args": args}
            result = pipe.call("climax_call", call, modern)
            assert not result["isError"], result
            assert word in json.dumps(result)
        hits = pipe.call("climax_search", {"query": "spec template"}, modern)
        found = [hit["tool_name"] for hit in hits["structuredContent"]["results"]]
        assert "directive/spec.template" in found


def test_classic_lists_everything_and_not_the_two(shop: Path) -> None:
    """S-3: `--classic`: everything is listed and the two are not."""
    with opened(shop, "--classic") as pipe:
        pipe.initialize()
        found = names(pipe)
    assert not found & COUNTER
    assert found >= DIRECTIVE | ARCHITECTURE
    assert len(found) > 20


def test_safe_names_hold_for_every_pack(shop: Path) -> None:
    """S-7: every listed name fits, and the exact spelling is callable too."""
    with opened(shop, "--names", "safe") as pipe:
        pipe.initialize()
        found = names(pipe)
        assert all(name.replace("_", "").replace("-", "").isalnum() for name in found)
        assert "directive_spec_template" in found
        assert pipe.call("directive/spec.template")["structuredContent"]["primer"]
        assert pipe.call("directive_spec_template")["structuredContent"]["primer"]


def wait_for(pipe: Pipe, method: str) -> dict[str, Any]:
    while True:
        message = pipe.receive()
        if message.get("method") == method:
            return message


def settle(pipe: Pipe, modern: bool) -> None:
    """Have the library read and the watch begun: what changes from now on must be told."""
    pipe.call("search-architecture", {"query": "warm"}, modern)
    until(lambda: b"watching" in pipe.errors)


ADR = "mcp/resources/adr/0099-new.md"
TEXT = "# 99. Use a new thing\n\n## Status\n\nAccepted\n\n## Decision\n\nWe use zeppelins.\n"


def test_a_new_document_is_served_and_told_in_the_earlier_eras(shop: Path) -> None:
    """S-5: list_changed and updated, within seconds, without a restart."""
    with opened(shop, "architecture", "--log-level", "DEBUG") as pipe:
        pipe.initialize()
        settle(pipe, modern=False)
        (shop / ADR).write_text(TEXT)
        wait_for(pipe, "notifications/resources/list_changed")
        uri = "architecture://adr/0099"
        assert "zeppelins" in pipe.result("resources/read", {"uri": uri})["contents"][0]["text"]
        found = pipe.call("search-architecture", {"query": "zeppelins"})["structuredContent"]
        assert found["results"][0]["uri"] == uri
        pipe.result("resources/subscribe", {"uri": uri})
        (shop / ADR).write_text(TEXT.replace("zeppelins", "balloons"))
        assert wait_for(pipe, "notifications/resources/updated")["params"]["uri"] == uri
        assert "balloons" in pipe.result("resources/read", {"uri": uri})["contents"][0]["text"]


def test_a_new_document_is_told_on_the_listen_stream_of_the_new_era(shop: Path) -> None:
    """S-5: the same by `subscriptions/listen`."""
    with opened(shop, "architecture", "--log-level", "DEBUG") as pipe:
        uri = "architecture://adr/0099"
        wanted = {"resourcesListChanged": True, "resourceSubscriptions": [uri]}
        params = {"notifications": wanted, "_meta": ENVELOPE}
        pipe.post(
            {"jsonrpc": "2.0", "id": "ear", "method": "subscriptions/listen", "params": params}
        )
        wait_for(pipe, "notifications/subscriptions/acknowledged")
        settle(pipe, modern=True)
        (shop / ADR).write_text(TEXT)
        told = wait_for(pipe, "notifications/resources/list_changed")
        assert told["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"] == "ear"
        (shop / ADR).write_text(TEXT.replace("zeppelins", "balloons"))
        assert wait_for(pipe, "notifications/resources/updated")["params"]["uri"] == uri


def test_a_changed_config_is_served_and_a_broken_one_changes_nothing(shop: Path) -> None:
    """S-5, FAULTS: invalid config on hot reload: the last good one stays."""
    config = shop / "tools" / "shop.yaml"
    good = config.read_text()
    with opened(shop, "climax", "--classic", "--log-level", "DEBUG") as pipe:
        pipe.initialize()
        before = names(pipe)
        until(lambda: b"watching" in pipe.errors)
        config.write_text("name: [broken\n")
        until(lambda: b"shop.yaml" in pipe.errors)
        assert names(pipe) == before
        tool = "\n  - name: shop_new_thing\n    description: New\n    command: --version\n"
        config.write_text(good.rstrip() + tool)
        policy = shop / "tools" / "policy.yaml"
        policy.write_text(policy.read_text().rstrip() + "\n  shop_new_thing: {}\n")
        until(lambda: "shop_new_thing" in names(pipe))
        assert any(
            note.get("method") == "notifications/tools/list_changed" for note in pipe.notifications
        )


def test_changed_settings_are_served_without_a_restart(shop: Path) -> None:
    """S-5: the settings file is watched, too; a broken one changes nothing."""
    file = shop / "toolcrib.toml"
    with opened(shop, "--log-level", "DEBUG") as pipe:
        pipe.initialize()
        before = names(pipe)
        until(lambda: b"watching" in pipe.errors)
        good = file.read_text()
        file.write_text("[serverr]\n")
        until(lambda: b"Unknown section" in pipe.errors)
        assert names(pipe) == before
        file.write_text('[server]\npacks = ["directive"]\n')
        until(lambda: names(pipe) == DIRECTIVE)
        file.write_text(good)
        until(lambda: names(pipe) == before)


@pytest.mark.parametrize("words", [(), ("--classic",), ("--progressive",)])
def test_every_tool_has_title_annotations_and_its_full_text(
    shop: Path, words: tuple[str, ...]
) -> None:
    """K-12, K-13, S-4, G-8: the full text is `toolcrib://tools/{name}`, a template."""
    with opened(shop, *words) as pipe:
        pipe.initialize()
        for tool in pipe.result("tools/list")["tools"]:
            assert tool["title"] and tool["description"] and tool["annotations"], tool["name"]
        found = pipe.result("resources/templates/list")["resourceTemplates"]
        assert "toolcrib://tools/{name}" in [each["uriTemplate"] for each in found]
        for name in ("guide_get_content", "shop_quote"):
            uri = f"toolcrib://tools/{name}"
            text = pipe.result("resources/read", {"uri": uri})["contents"][0]["text"]
            assert "## Concrete Examples" in text


@pytest.mark.parametrize("serving", [("serve",), ("directive", "serve"), ("climax", "run", "git")])
def test_every_serving_command_logs_as_it_is_told(shop: Path, serving: tuple[str, ...]) -> None:
    """S-9: `--log-level TRACE…ERROR` on every serving command; `--log-json`; a file."""
    log = shop / "log.jsonl"
    options = ("--log-level", "TRACE", "--log-json", "--log-file", str(log))
    with Pipe(toolcrib(*serving, *options), cwd=shop) as pipe:
        pipe.initialize()
        tool = "climax_search" if "run" in serving else "directive/files.list"
        assert pipe.call(tool)["isError"] is False
        assert pipe.hang_up() == 0
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert any(tool in line["message"] and " ok " in line["message"] for line in lines)
    assert pipe.errors == b""


def test_the_audit_log_has_one_sanitised_line_per_call(shop: Path) -> None:
    """S-9: who, what, outcome, duration; sanitised."""
    log = shop / "audit.jsonl"
    with opened(shop, "directive", "--audit", str(log)) as pipe:
        pipe.initialize()
        pipe.call("directive/file.get", {"path": "x" * 150})
        pipe.call("directive/files.list")
        pipe.hang_up()
    every = [json.loads(line) for line in log.read_text().splitlines()]
    assert [line["event"] for line in every if "event" in line] == ["start", "stop"]
    lines = [line for line in every if "event" not in line]
    assert [line["tool"] for line in lines] == ["directive/file.get", "directive/files.list"]
    assert lines[0]["arguments"]["path"].endswith("... [150 chars]")
    assert [line["outcome"] for line in lines] == ["failed", "ok"]
    assert lines[0]["caller"] == "stdio" and lines[0]["duration_ms"] >= 0


def test_logs_are_silent_below_warning_and_json_when_asked(shop: Path) -> None:
    """S-9: off below WARNING by default; `--log-level`, `--log-json`."""
    with opened(shop, "directive") as pipe:
        pipe.initialize()
        names(pipe)
        pipe.hang_up()
        (line,) = pipe.errors.splitlines()
        assert b"TOOLCRIB_TRUST=all" in line  # what the tests say of themselves, and nothing else
    with opened(shop, "directive", "--log-level", "INFO", "--log-json") as pipe:
        pipe.initialize()
        pipe.call("directive/files.list")
        pipe.hang_up()
        line = json.loads(bytes(pipe.errors).splitlines()[-1])
        assert line["level"] == "INFO" and "directive/files.list ok" in line["message"]
