"""U-1: doctor and validate: grouped, with the command that cures, and an exit code."""

from __future__ import annotations

import json

import pytest


def findings(ran, group=None):
    return [each for each in ran.json["findings"] if group in (None, each["group"])]


def test_the_shop_is_well(shop, toolcrib):
    """U-1: doctor on a repository in order."""
    ran = toolcrib("doctor", "--json")
    assert [each for each in findings(ran) if each["level"] == "error"] == []
    assert ran.code == 0
    groups = {each["group"] for each in findings(ran)}
    assert {
        "versions",
        "settings",
        "architecture",
        "climax",
        "index",
        "clients",
    } <= groups


def about_the_sandbox(ran):
    return [f for f in findings(ran) if "sandbox" in (f["group"], f["text"].split(":")[0])]


def test_the_pack_tells_each_wall_of_the_sandbox_once(shop, toolcrib):
    """U-1, T-16: level, network, reads and sockets, and nobody else says it again."""
    told = about_the_sandbox(toolcrib("doctor", "--json"))
    assert {f["group"] for f in told} == {"climax"}
    _, *walls = (f["text"].removeprefix("sandbox: ").split()[0] for f in told)
    assert walls == ["network", "reads", "sockets"]


def test_the_machine_tells_the_sandbox_where_no_pack_does(repo, home, toolcrib):
    """U-1: one line where the pack that uses it is not served."""
    (told,) = about_the_sandbox(toolcrib("doctor", "--json"))
    assert told["group"] == "sandbox"


def test_people_see_marks_and_cures(shop, toolcrib):
    """U-1: ✓ ⚠ ✗ and the next command."""
    ran = toolcrib("doctor")
    assert "✓ toolcrib 0.1.0" in ran.out
    assert "→ toolcrib install CLIENT" in ran.out
    assert ran.out.rstrip().endswith("wrong")


def test_quiet_shows_only_what_is_not_well(shop, toolcrib):
    """U-1: quiet."""
    assert "✓" not in toolcrib("doctor", "-q").out


def test_an_unknown_key_is_found_with_its_place(shop, toolcrib):
    """U-1, S-4: file:line:column and the nearest key."""
    (shop / "toolcrib.toml").write_text('[climax]\nconfgs = ["git"]\n')
    for command in ("doctor", "validate"):
        ran = toolcrib(command, "--json")
        assert ran.code == 1
        bad = [each for each in findings(ran) if each["level"] == "error"]
        assert "toolcrib.toml:2:1" in bad[0]["text"] and "configs" in bad[0]["text"]


def test_a_broken_config_is_found_with_its_place(shop, toolcrib):
    """U-1, C-8: configs."""
    (shop / "tools/shop.yaml").write_text("name: shop\ncommand: python3\ntools:\n  - nam: x\n")
    ran = toolcrib("validate")
    assert ran.code == 1
    assert "✗" in ran.out and "tools/shop.yaml:4" in ran.out


def test_a_broken_policy_is_found(shop, toolcrib):
    """U-1, C-7: policies."""
    (shop / "tools/policy.yaml").write_text("default: maybe\n")
    ran = toolcrib("validate")
    assert ran.code == 1 and "tools/policy.yaml:1" in ran.out


def test_a_tool_that_cannot_be_served_is_found(shop, toolcrib):
    """U-1, K-15: own tools."""
    (shop / "tools/shop_tools.py").write_text("def broken(:\n")
    ran = toolcrib("validate")
    assert ran.code == 1 and "shop_tools.py" in ran.out


@pytest.mark.parametrize("command", ["doctor", "validate"])
def test_a_prompt_that_names_no_served_tool_is_found(shop, toolcrib, command):
    """A-3, A-10: tools of every pack are known, whether listed or not; any other is told."""
    text = "{{tool:shop_orders_list}} {{tool:guide_category_list}} {{tool:never-heard-of}}"
    message = {"role": "user", "content": {"type": "text", "text": text}}
    prompt = {"name": "own", "description": "Our own", "arguments": [], "messages": [message]}
    (shop / "mcp/prompts/own.json").write_text(json.dumps(prompt))
    told = [each["text"] for each in findings(toolcrib(command, "--json"), "architecture")]
    (about,) = [each for each in told if "own.json" in each]
    assert "{{tool:never-heard-of}} names no tool that is served" in about


def test_an_empty_repository_is_no_error(repo, home, toolcrib):
    """U-1, S-4: no file at all works."""
    ran = toolcrib("validate", "--json")
    assert ran.code == 0
    assert any(each["cure"] == "toolcrib directive init" for each in findings(ran))
    assert toolcrib("validate", "--strict").code == 1


def test_the_schema_is_printed_for_editors(repo, toolcrib):
    """S-4: a JSON Schema for the file."""
    schema = json.loads(toolcrib("validate", "--schema").out)
    assert "climax" in schema["properties"]


def test_a_client_that_starts_nothing_is_found(shop, home, toolcrib):
    """U-1: clients."""
    file = home / ".cursor/mcp.json"
    file.parent.mkdir()
    file.write_text('{"mcpServers": {"toolcrib": {"command": "/gone/toolcrib", "args": []}}}')
    ran = toolcrib("doctor", "--json")
    (client,) = findings(ran, "clients")
    assert client["level"] == "error" and client["cure"] == "toolcrib install cursor --scope user"


@pytest.mark.parametrize(
    ("client", "trace", "level"),
    [("cursor", ".cursor", "warning"), ("windsurf", ".codeium/windsurf", "warning"),
     ("zed", ".config/zed", "ok")],
)  # fmt: skip
def test_a_client_that_cannot_be_asked_is_well_if_it_wants_nothing_more(
    client, trace, level, shop, home, toolcrib
):
    """U-1: its file is only half of it: the step that it still wants is told, and no tick."""
    (home / trace).mkdir(parents=True)
    assert toolcrib("install", client, "--scope", "user").code == 0
    (found,) = findings(toolcrib("doctor", "--json"), "clients")
    assert found["level"] == level and "is configured for this server (user)" in found["text"]
    assert ("settings, under MCP" in (found["cure"] or "")) is (level == "warning")


@pytest.mark.parametrize("text", ["{", "[]"])
def test_a_client_with_a_broken_file_does_not_break_the_doctor(text, shop, home, toolcrib):
    """U-1: one bad file never fails the rest."""
    file = home / ".cursor/mcp.json"
    file.parent.mkdir()
    file.write_text(text)
    (client,) = findings(toolcrib("doctor", "--json"), "clients")
    assert client["level"] in ("error", "warning")


def test_a_number_below_its_limit_is_an_error_of_validate(repo, toolcrib):
    """S-4, U-2: `[climax] max_output = -5` is refused, with its place, and not corrected."""
    (repo / "climax").mkdir()
    (repo / "climax" / "x.yaml").write_text("name: x\ncommand: echo\ntools: []\n")
    (repo / "toolcrib.toml").write_text("[climax]\nmax_output = -5\n")
    ran = toolcrib("validate", "--json")
    assert ran.code == 1
    told = [each["text"] for each in ran.json["findings"] if each["level"] == "error"]
    assert told == ["toolcrib.toml:2:1: [climax] max_output must be at least 1024, got -5"]


@pytest.mark.parametrize("command", ["doctor", "validate"])
def test_a_configured_folder_with_nothing_in_it_is_never_well(repo, home, toolcrib, command):
    """A-10: missing or empty folders are warnings, of decisions and of content alike."""
    (repo / "empty").mkdir()
    (repo / "toolcrib.toml").write_text(
        '[architecture]\nadr = ["gone", "empty"]\n[guide]\ncontent = "nowhere"\n'
    )
    ran = toolcrib(command, "--json")
    said = [each["text"] for each in ran.json["findings"] if each["level"] == "warning"]
    assert {
        "[architecture] adr: gone is missing",
        "[architecture] adr: empty has no document",
        "[guide] content: nowhere is missing",
    } <= set(said)
    assert not [
        f for f in ran.json["findings"] if f["group"] == "architecture" and f["level"] == "ok"
    ]


@pytest.mark.parametrize("command", ["doctor", "validate"])
def test_a_configured_folder_of_prompts_with_nothing_in_it_is_never_well(
    repo, home, toolcrib, command
):
    """A-10: a missing or empty folder of prompts is a warning; one with a prompt is none."""
    (repo / "empty").mkdir()
    (repo / "own").mkdir()
    prompt = {"name": "ask", "messages": [{"role": "user", "content": "Look."}]}
    (repo / "own" / "ask.json").write_text(json.dumps(prompt))
    settings = '[architecture]\nprompts = ["gone", "empty/", "own"]\n'
    (repo / "toolcrib.toml").write_text(settings)
    found = findings(toolcrib(command, "--json"), "architecture")
    assert {(each["level"], each["text"]) for each in found} == {
        ("warning", "[architecture] prompts: gone is missing"),
        ("warning", "[architecture] prompts: empty/ has no prompt"),
    }


@pytest.mark.parametrize("command", ["doctor", "validate"])
def test_nothing_served_from_what_was_configured_gets_no_tick(repo, home, toolcrib, command):
    """A-10: beside the warning that a folder or a pattern holds nothing, no "✓ 0 documents"."""
    (repo / "toolcrib.toml").write_text(
        '[guide]\ncontent = "gone"\n[climax]\nconfigs = ["gone/*.yaml"]\nwritable = ["out", "."]\n'
    )
    ran = toolcrib(command, "--json")
    said = {each["text"]: each["level"] for each in ran.json["findings"]}
    assert said["[guide] content: gone is missing"] == "warning"
    assert said["No file matches the pattern 'gone/*.yaml'"] == "warning"
    assert said["[climax] writable: out is missing"] == "warning"
    assert not [text for text in said if text.startswith("0 ") and "flags" not in text]
    assert "[climax] writable: . is missing" not in said


@pytest.mark.parametrize("command", ["doctor", "validate", "list"])
def test_a_warning_is_told_once(repo, home, toolcrib, command):
    """G-8: not by the log and by the report, and not once for each look at the files."""
    (repo / "skills" / "bad name").mkdir(parents=True)
    (repo / "skills" / "bad name" / "SKILL.md").write_text("# x\n")
    (repo / "AGENTS.md").write_text("# Rules\n")
    (repo / "tools").mkdir()
    config = "name: x\ncommand: echo\ncolour: red\ntools: [{name: say, description: Say}]\n"
    (repo / "tools" / "x.yaml").write_text(config)
    ran = toolcrib(command)
    said = ran.out + ran.err
    assert said.count("Unknown key 'colour'") == 1
    assert said.count("Skill left out") == 1
