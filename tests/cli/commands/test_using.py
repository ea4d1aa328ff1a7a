"""U-1: list, search and call, on the example shop, without a protocol in between."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

DIRECTIVE = [
    "directive/file.get",
    "directive/files.list",
    "directive/impact.template",
    "directive/spec.template",
    "directive/tdr.template",
]


def test_list_names_what_is_served(shop, toolcrib):
    """U-1: list."""
    ran = toolcrib("list", "--json")
    assert ran.code == 0, ran.err
    tools = [tool["name"] for tool in ran.json["tools"]]
    assert tools == sorted(tools)
    assert {*DIRECTIVE, "search-architecture", "climax_search", "climax_call"} <= set(tools)
    assert "shop_orders_list" not in tools
    assert "architecture://adr/0007" in [each["uri"] for each in ran.json["resources"]]
    assert "plan-a-change" in [each["name"] for each in ran.json["prompts"]]


def test_list_classic_has_the_command_line_tools_that_the_policy_allows(shop, toolcrib):
    """U-1, S-3: --classic lists everything; what is disabled never appears."""
    names = toolcrib("list", "tools", "--classic", "--names").out.split()
    assert "shop_orders_list" in names
    assert "shop_orders_advance" not in names and "climax_search" not in names


def test_list_of_one_pack_has_exactly_its_tools(shop, toolcrib):
    """U-1, S-2: any list of packs."""
    words = ("list", "tools", "--pack", "directive", "--names")
    assert toolcrib(*words).out.split() == DIRECTIVE
    assert toolcrib(*words, "--json").json == DIRECTIVE


def test_list_for_people_is_a_table(shop, toolcrib):
    """U-1: list."""
    ran = toolcrib("list")
    assert "tools (" in ran.out and "resources (" in ran.out and "prompts (" in ran.out
    assert "Store money as integer cents" in ran.out


def test_search_finds_tools_of_every_pack_by_what_they_do(shop, toolcrib):
    """U-1: search QUERY."""
    assert toolcrib("search", "takings", "per", "day").out.count("shop_report_revenue") == 1
    found = toolcrib("search", "spec template", "--json").json["results"]
    assert found[0]["tool_name"] == "directive/spec.template"


@pytest.mark.parametrize("at", range(4))
def test_json_may_be_asked_for_anywhere_in_the_line(shop, toolcrib, at):
    """U-1, G-8: `--json` before the command, between its words and behind them."""
    words = ["search", "takings", "per", "day"]
    asked = toolcrib(*words[:at], "--json", *words[at:])
    assert asked.code == 0, asked.err
    assert asked.json == toolcrib(*words, "--json").json


def test_a_word_behind_two_dashes_is_no_wish_for_json(shop, toolcrib):
    """U-1: what comes behind `--` belongs to the command."""
    ran = toolcrib("search", "--", "--json")
    assert not ran.out.startswith("{")


def test_search_without_words_shows_what_there_is(shop, toolcrib):
    """U-1, C-11: an empty query counts as absent, for a person too."""
    ran = toolcrib("search", "")
    assert ran.code == 0 and "Nothing found" not in ran.out
    assert ran.out.startswith("program or pack")


def test_search_without_a_match_says_so(shop, toolcrib):
    """U-1: nothing found is not an error."""
    ran = toolcrib("search", "xyzzyplugh")
    assert ran.code == 0 and ran.out.startswith("Nothing found")


def test_call_runs_a_command_line_tool(shop, toolcrib):
    """U-1: call TOOL --arg…, in the types that the tool wants."""
    ran = toolcrib("call", "shop_orders_list", "--arg", "status=paid", "--arg", "limit=1")
    assert ran.code == 0, ran.out + ran.err
    assert "barbara@example.com" in ran.out and "edsger@example.com" not in ran.out


def test_call_takes_json_from_the_line_and_from_stdin(shop, toolcrib):
    """U-1: call TOOL JSON."""
    ran = toolcrib("call", "get-nothing", "[1]")
    assert ran.code == 2 and "JSON object" in ran.err
    assert toolcrib("call", "x", "{").code == 2
    done = subprocess.run(
        [sys.executable, "-m", "toolcrib", "call", "directive/file.get", "-", "--json"],
        cwd=shop,
        input=json.dumps({"path": "directive/agent_context.md"}),
        capture_output=True,
        text=True,
        timeout=60,
    )
    answer = json.loads(done.stdout)
    assert answer["structuredContent"]["path"] == "directive/agent_context.md"


def test_call_shows_an_object_with_line_breaks(shop, toolcrib):
    """U-1: a person reads it."""
    ran = toolcrib("call", "directive/files.list")
    assert ran.out.startswith('{\n  "files": [')


def test_call_of_a_tool_that_fails_is_exit_code_1(shop, toolcrib):
    """U-1, C-5: every problem, and the exit code tells."""
    ran = toolcrib("call", "shop_orders_list", "--arg", "status=lost", "--arg", "limit=many")
    assert ran.code == 1
    assert "Argument 'status' must be one of: placed, paid, shipped, cancelled" in ran.out
    assert "Argument 'limit': cannot convert 'many' to integer" in ran.out


def test_call_of_a_tool_that_is_not_there_names_the_nearest(shop, toolcrib):
    """U-1: nearest names."""
    ran = toolcrib("call", "shop_order_list")
    assert ran.code == 1 and "shop_orders_list" in ran.err


@pytest.mark.parametrize("pair", ["nonsense", "=1"])
def test_call_wants_pairs(pair, shop, toolcrib):
    """U-1: wrong usage is exit code 2."""
    assert toolcrib("call", "shop_orders_list", "--arg", pair).code == 2


@pytest.mark.parametrize(
    ("pairs", "words"),
    [
        (["n=1", "n=-2"], ["--n", "1", "--n=-2"]),
        (["n=[1, 2]", "n=3"], ["--n", "1", "--n", "2", "--n", "3"]),
        (["s=1e3", "s=-", "s=null"], ["--s", "1e3", "--s", "-", "--s", "null"]),
    ],
)
def test_call_takes_several_values_one_by_one(pairs, words, tmp_path, toolcrib):
    """C-12, U-1: no value that was given gets lost, and a string stays what it is."""
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "say.yaml").write_text(
        "command: printf '%s\\n'\ntools:\n- name: say\n  command: x\n  args:\n"
        "  - {name: n, type: array, items: integer}\n  - {name: s, type: array}\n"
    )
    given = [word for pair in pairs for word in ("--arg", pair)]
    ran = toolcrib("call", "say", *given, "--project", str(tmp_path))
    assert ran.out.split() == ["x", *words], ran.err


def test_call_refuses_a_second_value_where_one_is_taken(shop, toolcrib):
    """U-1, C-5: no argument gets lost."""
    ran = toolcrib("call", "shop_orders_list", "--arg", "limit=1", "--arg", "limit=2")
    assert ran.code == 2 and "limit takes one value" in ran.err


def test_nothing_of_the_protocol_package_is_loaded(shop):
    """U-1: commands that need no protocol never load it."""
    code = (
        "import sys; from toolcrib.cli import main; main(['list', '--json']); "
        "sys.exit(any(name == 'mcp' or name.startswith('mcp.') for name in sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=shop, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr


def test_a_search_that_cannot_be_made_is_no_empty_answer(shop, toolcrib):
    """U-1: what went wrong is told, and the exit code says so."""
    ran = toolcrib("search", "stock", "--limit", "0")
    assert ran.code == 1 and ran.out == ""
    assert "error[invalid_arguments]: Argument 'limit' must be at least 1, got 0" in ran.err


def test_search_says_why_when_asked(shop, toolcrib):
    """U-1: `search --explain` shows the words that matched, where, and what they stand for."""
    ran = toolcrib("search", "takings", "per", "day", "--explain")
    assert "why" in ran.out.splitlines()[0]
    found = toolcrib("search", "takings", "--explain", "--json").json
    assert list(found["explain"]) == [each["tool_name"] for each in found["results"]]
    why = found["explain"]["shop_report_revenue"]
    assert why["words"]["takings"]["in"]
    assert "explain" not in toolcrib("search", "takings", "--json").json


def test_search_shows_what_the_repository_says_beside_its_tools(shop, toolcrib):
    """S-10, U-1: tools, then knowledge; `--json` keeps `mode` and `results`, and adds it."""
    ran = toolcrib("search", "store money as cents")
    assert "decision" in ran.out and "architecture://adr/" in ran.out
    found = toolcrib("search", "store money as cents", "--json").json
    assert found["mode"] == "search"
    assert "results" in found
    best = found["knowledge"][0]
    told = " ".join(best["excerpt"].split()).lstrip("# ").removeprefix(best["title"]).strip()
    assert told[:60] in ran.out
    assert set(best) == {"kind", "uri", "title", "excerpt", "score"}
    assert best["kind"] == "decision"
    assert "knowledge" not in toolcrib("search", "stock", "--cli", "shop", "--json").json


def test_search_shows_no_tool_that_answers_far_less_than_a_document(repo, toolcrib):
    """S-10, G-8: before the skill that was asked for stood tools that remove categories."""
    (repo / "skills" / "open-pr").mkdir(parents=True)
    (repo / "skills" / "open-pr" / "SKILL.md").write_text(
        "---\nname: open-pr\ndescription: Open a pull request\n---\n# Open a pull request\n"
    )
    found = toolcrib("search", "open a pull request", "--json").json
    assert found["results"] == [] and found["knowledge"][0]["kind"] == "skill"
    assert "tool " not in toolcrib("search", "open a pull request").out
    found = toolcrib("search", "get a skill", "--json").json
    assert found["results"][0]["tool_name"] == "guide_get_skill"


def test_json_may_stand_anywhere_in_the_line(shop, toolcrib):
    """U-1: `--json` before the command, too."""
    assert toolcrib("--json", "list", "tools").json == toolcrib("list", "tools", "--json").json


def test_where_the_two_are_listed_the_tools_that_arrange_content_stand_behind_them(shop, toolcrib):
    """G-8: and stay callable by name; `serve guide` alone lists everything."""
    names = toolcrib("list", "tools", "--names").out.split()
    assert "guide_get_content" in names and "guide_search" in names
    assert not [name for name in names if "_category_" in name or "_collection_" in name]
    assert toolcrib("call", "guide_category_list", "--json").code == 0
    found = toolcrib("search", "categories of documents", "--json").json["results"]
    assert "guide_category_list" in [each["tool_name"] for each in found]
    alone = toolcrib("list", "tools", "--pack", "guide", "--names").out.split()
    assert "guide_category_list" in alone and "climax_search" not in alone


def test_the_full_text_of_a_tool_is_a_template(shop, toolcrib):
    """G-8: `toolcrib://tools/{name}` is in no list."""
    listed = toolcrib("list", "resources", "--json").json["resources"]
    assert not [each for each in listed if each["uri"].startswith("toolcrib://tools/")]
