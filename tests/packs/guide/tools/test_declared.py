from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import toolcrib.packs.guide.tools as tools_package
from toolcrib.core.declare.arguments import (
    ToolArguments,
    consent_of,
    details_of,
    model_of,
    undescribed,
)
from toolcrib.core.declare.descriptions import CONSENT_WORDS
from toolcrib.core.declare.functions import to_tool, undecorated
from toolcrib.core.errors import InvalidArguments, InvalidToolSchema
from toolcrib.core.registry import ToolManager
from toolcrib.core.tool import CallContext
from toolcrib.packs.guide.environment import _configure_environment, configure_environment
from toolcrib.packs.guide.pack import GuidePack
from toolcrib.packs.guide.settings import GuideSettings
from toolcrib.packs.guide.tools.content import GetContent, get_content
from toolcrib.packs.guide.tools.declared import TOOLS, declared_tools

NAMES = [
    "category_add",
    "category_change",
    "category_list",
    "category_list_files",
    "category_remove",
    "collection_add",
    "collection_change",
    "collection_list",
    "collection_list_files",
    "collection_remove",
    "get_content",
    "get_feature_flag",
    "get_project_flag",
    "get_skill",
    "list_feature_flags",
    "list_project_flags",
    "rules_for_path",
    "search",
    "set_feature_flag",
    "set_project_flag",
]


class Server:
    """The pack behind a catalog, as the server calls it."""

    def __init__(self, pack: GuidePack) -> None:
        self.manager = ToolManager()
        for tool in pack.contribute().tools:
            self.manager.register_tool(tool)

    def __call__(self, name: str, /, **arguments):
        output = asyncio.run(self.manager.execute_tool(name, arguments))
        (item,) = output.content
        assert json.loads(item["text"]) == output.structured
        assert output.is_error is not output.structured["success"]
        return output.structured

    def value(self, name: str, /, **arguments):
        answer = self(f"guide_{name}", **arguments)
        assert answer["success"], answer
        return answer["value"]


@pytest.fixture
def pack(project):
    return GuidePack(project, GuideSettings())


@pytest.fixture
def server(pack):
    return Server(pack)


def test_the_tools_are_these_and_named_with_the_prefix(pack):
    """G-1, G-2, G-4, G-6: named guide_… on the wire."""
    assert [tool.name for tool in pack.contribute().tools] == [f"guide_{name}" for name in NAMES]


def test_every_definition_can_be_served(server):
    """K-15: checked at registration, every one of them."""
    assert len(server.manager) == len(NAMES)


def test_the_whole_surface_costs_at_most_three_thousand_tokens(pack):
    """K-13: concise descriptions, at most 3,000 tokens in tools/list."""
    wire = {"tools": [tool.to_wire() for tool in pack.contribute().tools]}
    text = json.dumps(wire, separators=(",", ":"), ensure_ascii=False)
    assert len(text) / 4 <= 3_000


@pytest.mark.parametrize("name", NAMES)
def test_every_tool_is_documented_completely(name):
    """K-13: a first line of at most 50 characters, every field described, examples that work."""
    func = TOOLS[name]
    model, details = model_of(func), details_of(func)
    first, *_ = (func.__doc__ or "").splitlines()
    assert 0 < len(first) <= 50
    assert undescribed(model) == []
    assert details.title
    assert details.annotations is not None
    assert None not in (details.annotations.read_only, details.annotations.open_world)
    assert details.examples
    for example in details.examples:
        model.model_validate(dict(example.arguments))
        assert len(example.explanation) > 10


def test_the_example_is_an_example_in_its_documentation_too(project, monkeypatch):
    """K-11, K-13: what people copy from follows the template."""
    monkeypatch.setenv("MCP_INCLUDE_EXAMPLE_TOOLS", "1")
    server = Server(GuidePack(project, GuideSettings()))
    assert server.value("example_greet", name="Ada", style="loud") == "HELLO, ADA."
    func = declared_tools()["example_greet"]
    assert undescribed(model_of(func)) == []
    for example in details_of(func).examples:
        model_of(func).model_validate(dict(example.arguments))


@pytest.mark.parametrize("name", NAMES)
def test_every_full_text_has_its_four_sections(pack, name):
    """K-13: four labelled sections in order, undecorated names."""
    tool = next(each for each in pack.contribute().tools if each.name == f"guide_{name}")
    assert re.findall(r"^## (.*)$", tool.full_description, re.M) == [
        "Description",
        "JSON Schema",
        "Usage Instructions",
        "Concrete Examples",
    ]
    assert "guide_" not in tool.full_description.replace("guide_toml", "")


def test_full_descriptions_go_on_the_wire_when_asked_for(project):
    """K-13: descriptions = "full"."""
    tool = GuidePack(project, GuideSettings(descriptions="full")).contribute().tools[0]
    assert tool.description == tool.full_description


def test_each_module_points_to_the_template():
    """K-13: packs/guide/README.md is the template that tool modules point to."""
    folder = Path(tools_package.__file__).parent
    assert (folder.parent / "README.md").is_file()
    others = ("__init__.py", "declared.py", "listed.py")
    modules = [each for each in folder.glob("*.py") if each.name not in others]
    assert len(modules) == 7
    for module in modules:
        text = module.read_text()
        assert "Documented as ../README.md lays out." in text
        assert re.search(r"# The template for (this text|these texts) is \.\./README\.md\.", text)


def test_the_template_shows_the_sections_as_they_come_out():
    """K-13: packs/guide/README.md, the JSON fence included."""
    text = (Path(tools_package.__file__).parent.parent / "README.md").read_text()
    (code,) = re.findall(r"```python\n(\"\"\"What these.*?)```", text, re.S)
    (sections,) = re.findall(r"````markdown\n(.*?)\n````", text, re.S)
    names = {"__name__": "template"}
    exec(compile(code, "README.md", "exec"), names)
    assert to_tool(names["get_document"]).full_description == sections
    assert "```json\n{" in sections


@pytest.mark.parametrize("name", NAMES)
def test_every_tool_says_when_to_use_it(name):
    """K-13: in the second paragraph; what destroys, only when the user asks for it."""
    tool = to_tool(TOOLS[name])
    said = tool.description.split("\n")[1]
    assert said.startswith(("Use it ", CONSENT_WORDS))
    assert len(said.split()) >= 6


@pytest.mark.parametrize("name", NAMES)
def test_every_field_says_more_than_its_name(name):
    """K-13: its purpose, and what is valid where the schema does not say so."""
    for field, schema in to_tool(TOOLS[name]).input_schema["properties"].items():
        words = re.findall(r"\w+", schema["description"].lower())
        assert set(words) - {field, *field.split("_"), "the", "a", "new"}, (name, field)
        assert len(words) >= 2, (name, field)


@pytest.mark.parametrize("name", NAMES)
def test_a_name_says_whose_it_is_and_what_is_valid(name):
    """K-13: the letters of a new one; of another, where to find it."""
    about = to_tool(TOOLS[name]).input_schema["properties"].get("name")
    if about is not None:
        assert re.match(
            r"Its name(: letters, digits|, as .*list has it)|A skill; ", about["description"]
        )


def test_what_destroys_needs_consent_and_says_so(pack):
    """K-12: consent literals, REQUIRES EXPLICIT USER INSTRUCTION, destructiveHint."""
    destructive = [t for t in pack.contribute().tools if t.annotations.destructive]
    assert [tool.name for tool in destructive] == [
        "guide_category_remove",
        "guide_collection_remove",
    ]
    for tool in destructive:
        func = TOOLS[tool.name.removeprefix("guide_")]
        assert consent_of(model_of(func))
        assert "REQUIRES EXPLICIT USER INSTRUCTION" in tool.description
        assert tool.to_wire()["annotations"]["destructiveHint"] is True


def test_without_consent_nothing_is_removed(server):
    """K-12: the literal is enforced."""
    server.value("category_add", name="x", dir="guide/docs")
    for sent in ({}, {"confirm": "yes"}, {"confirm": "remove_category"}):
        with pytest.raises(InvalidArguments, match=r"'confirm'.*must be .REMOVE_CATEGORY"):
            server("guide_category_remove", name="x", **sent)
    server.value("category_remove", name="x", confirm="REMOVE_CATEGORY")
    assert "x" not in [each["name"] for each in server.value("category_list")]


def test_content_by_expression(server):
    """G-1: get_content(expression, pattern=None)."""
    answer = server.value("get_content", expression="lang/python+java,docs/api,guidelines")
    assert [each["document"] for each in answer["documents"]] == [
        "lang/java.md",
        "lang/python.md",
        "docs/api.md",
        "guidelines/style.md",
    ]
    same = server.value("get_content", expression="lang", pattern="python")
    assert same["documents"] == server.value("get_content", expression="lang/python")["documents"]


def test_a_truncated_answer_instructs_the_agent(server, write):
    """G-1, K-3: the instruction is for the agent, and names the tool as it is listed."""
    write({"guide/lang/python.md": "word " * 20_000})
    answer = server("guide_get_content", expression="lang/python", max_tokens=1000)
    assert answer["value"]["truncated"]
    called = 'call guide_get_content with {"expression": "lang/python"} and the cursor'
    assert called in answer["instruction"]
    text = answer["value"]["documents"][0]["content"]
    assert text.endswith(f"{called} of this answer]")
    apart = server("guide_get_content", expression="lang", pattern="python", max_tokens=1000)
    sent = '{"expression": "lang", "pattern": "python"}'
    assert sent in apart["instruction"]
    assert sent in apart["value"]["documents"][0]["content"]
    more = server.value("get_content", expression="lang/python", cursor=answer["value"]["cursor"])
    assert more["documents"][0]["part"]["from"] == answer["value"]["documents"][0]["part"]["to"]


def test_a_bad_expression_is_a_failure_that_points_at_the_character(server):
    """G-1: an error that points at the character."""
    answer = server("guide_get_content", expression="lang/,docs")
    assert answer["error_type"] == "invalid_expression"
    assert answer["error_data"]["position"] == 6
    assert answer["error_data"]["pointer"] == "lang/,docs\n     ^"


def test_nothing_found_is_a_failure_with_the_nearest(server):
    """G-1."""
    answer = server("guide_get_content", expression="lang/pyton")
    assert answer["error_type"] == "not_found"
    assert answer["error_data"]["nearest"] == ["lang/python"]


def test_categories_from_beginning_to_end(server, write):
    """G-1: list, add, change, remove, list files."""
    write({"manual/a.md": "# A", "manual/b.md": "# B"})
    made = server.value("category_add", name="manual", dir="manual", description="Manual")
    assert made["origin"] == "store"
    assert {"name": "manual", "documents": 2}.items() <= next(
        each for each in server.value("category_list") if each["name"] == "manual"
    ).items()
    files = server.value("category_list_files", name="manual")
    assert [each["document"] for each in files["files"]] == ["manual/a.md", "manual/b.md"]
    assert server.value("category_list_files", name="manual", pattern="b")["total"] == 1
    server.value("category_change", name="manual", new_name="book", patterns=["a"])
    assert server.value("get_content", expression="book")["matched"] == 1
    refused = server("guide_category_list_files", name="manual")
    assert (refused["error_type"], refused["success"]) == ("not_found", False)
    assert server("guide_category_add", name="book", dir="x")["error_type"] == "already_exists"
    assert server("guide_category_add", name="a/b", dir="x")["error_type"] == "invalid_name"
    assert server("guide_category_change", name="lang")["error_type"] == "read_only"


def test_collections_from_beginning_to_end(server):
    """G-1: the same for collections."""
    server.value("collection_add", name="start", expressions=["lang/python", "docs/api"])
    assert server.value("get_content", expression="start")["matched"] == 2
    assert [each["name"] for each in server.value("collection_list")] == ["start"]
    files = server.value("collection_list_files", name="start")
    assert [each["uri"] for each in files["files"]] == [
        "guide://lang/python.md",
        "guide://docs/api.md",
    ]
    server.value("collection_change", name="start", expressions=["lang"], new_name="begin")
    assert server.value("collection_list")[0]["expressions"] == ["lang"]
    server.value("collection_remove", name="begin", confirm="REMOVE_COLLECTION")
    assert server.value("collection_list") == []
    assert server("guide_collection_list_files", name="x")["error_type"] == "not_found"


def test_long_lists_of_files_come_in_pages(server, write):
    write({f"many/{n:04}.md": "x" for n in range(620)})
    server.value("category_add", name="many", dir="many")
    first = server.value("category_list_files", name="many")
    assert (len(first["files"]), first["total"], first["next"]) == (500, 620, 500)
    second = server.value("category_list_files", name="many", start=500)
    assert len(second["files"]) == 120
    assert "next" not in second


def test_flags_from_beginning_to_end(server):
    """G-2: six tools, project over global over none."""
    assert server.value("get_project_flag", name="f") is None
    assert server.value("set_feature_flag", name="f", value=True) is True
    assert server.value("get_project_flag", name="f") is True
    server.value("set_project_flag", name="f", value=False)
    assert server.value("get_project_flag", name="f") is False
    assert server.value("get_feature_flag", name="f") is True
    server.value("set_project_flag", name="m", value={"k": "v"})
    assert server.value("list_project_flags") == {"f": False, "m": {"k": "v"}}
    assert server.value("list_feature_flags") == {"f": True}
    server.value("set_project_flag", name="f", value=None)
    assert server.value("list_project_flags") == {"f": True, "m": {"k": "v"}}


def test_a_flag_says_to_the_person_who_set_it(server):
    """K-3: message is for the person."""
    server.value("set_feature_flag", name="f", value="x")
    assert server("guide_get_project_flag", name="f")["message"] == "f is set globally"


@pytest.mark.parametrize("value", [1, 1.5, [1], {"a": 1}, {"a": None}])
def test_other_values_for_a_flag_are_refused_with_what_is_possible(server, value):
    """G-2."""
    with pytest.raises(InvalidArguments, match="Argument 'value': expected boolean or string or"):
        server("guide_set_feature_flag", name="f", value=value)
    with pytest.raises(InvalidArguments, match="Missing required argument 'value'"):
        server("guide_set_feature_flag", name="f")


def test_a_bad_name_of_a_flag_is_a_failure_with_the_rule(server):
    """G-2."""
    answer = server("guide_set_feature_flag", name="a b", value=True)
    assert answer["error_type"] == "invalid_name"


def test_state_that_cannot_be_written_is_a_failure_with_the_way_out(project, tmp_path, monkeypatch):
    """FAULTS: an error to the caller."""
    blocked = tmp_path / "file"
    blocked.write_text("x")
    monkeypatch.setenv("TOOLCRIB_STATE", str(blocked))
    answer = Server(GuidePack(project, GuideSettings()))(
        "guide_set_feature_flag", name="f", value=True
    )
    assert answer["error_type"] == "state"
    assert "TOOLCRIB_STATE" in answer["instruction"]
    assert str(tmp_path) not in json.dumps(answer)


def test_rules_and_skills(server, write):
    """G-6: rules_for_path, and skills by a tool."""
    write({"src/AGENTS.md": "# Src", ".agents/skills/x/SKILL.md": "---\ndescription: D\n---\nDo."})
    answer = server.value("rules_for_path", path="src/a.py")
    assert [each["content"] for each in answer["rules"]] == ["# Src"]
    assert server.value("get_skill") == {"skills": [{"name": "x", "description": "D"}]}
    assert server.value("get_skill", name="x")["content"] == "Do."
    assert server("guide_rules_for_path", path="/etc")["error_type"] == "invalid_value"


def test_the_prefix_of_the_environment_counts_even_when_empty(project, monkeypatch):
    """K-11: keeps a value that is set."""
    monkeypatch.setenv("MCP_TOOL_PREFIX", "shop")
    assert GuidePack(project, GuideSettings()).contribute().tools[0].name == "shop_category_add"
    monkeypatch.setenv("MCP_TOOL_PREFIX", "")
    assert GuidePack(project, GuideSettings()).contribute().tools[0].name == "category_add"
    monkeypatch.setenv("MCP_TOOL_PREFIX", "no spaces")
    with pytest.raises(InvalidToolSchema, match="MCP_TOOL_PREFIX"):
        GuidePack(project, GuideSettings()).contribute()


def test_serving_beside_others_leaves_the_environment_alone(pack):
    """K-11: its own tools get that default and no other pack's do."""
    import os

    pack.contribute()
    assert "MCP_TOOL_PREFIX" not in os.environ


def test_starting_the_guide_alone_sets_the_default_and_keeps_what_is_set(monkeypatch):
    """K-11: sets MCP_TOOL_PREFIX=guide when it is unset."""
    import os

    monkeypatch.setenv("MCP_TOOL_PREFIX", "mine")
    configure_environment()
    assert os.environ["MCP_TOOL_PREFIX"] == "mine"
    monkeypatch.delenv("MCP_TOOL_PREFIX")
    configure_environment()
    assert os.environ["MCP_TOOL_PREFIX"] == "guide"
    assert _configure_environment is configure_environment
    monkeypatch.delenv("MCP_TOOL_PREFIX")


@pytest.mark.parametrize(
    ("value", "served"),
    [("true", True), ("TRUE", True), ("1", True), ("Yes", True), ("0", False), ("on", False)],
)
def test_example_tools_are_imported_only_when_asked_for(value, served, tmp_path):
    """K-11: MCP_INCLUDE_EXAMPLE_TOOLS=true (any case; also 1, yes) imports tool_example."""
    code = (
        "import sys; from pathlib import Path\n"
        "from toolcrib.packs.guide.pack import GuidePack\n"
        "from toolcrib.packs.guide.settings import GuideSettings\n"
        "tools = GuidePack(Path('.'), GuideSettings()).contribute().tools\n"
        "again = GuidePack(Path('.'), GuideSettings()).contribute().tools\n"
        "print(sum('example' in each.name for each in tools), len(again) - len(tools),\n"
        "      'toolcrib.packs.guide.tools.tool_example' in sys.modules)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={"PATH": "", "MCP_INCLUDE_EXAMPLE_TOOLS": value, "TOOLCRIB_STATE": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == [str(int(served)), "0", str(served)]


def test_the_functions_are_callable_without_a_server(session):
    """K-14: same arguments and context, no decorator."""
    wanted = GetContent.model_validate({"expression": "lang/python"})
    assert undecorated(get_content) is get_content
    assert get_content(wanted, CallContext()).value["matched"] == 1


def test_two_projects_in_one_process_do_not_mix(write, project, tmp_path):
    """G-3: keyed by the project."""
    other = tmp_path / "other"
    (other / "guide/lang").mkdir(parents=True)
    (other / "guide/lang/go.md").write_text("# Go")
    one = Server(GuidePack(project, GuideSettings()))
    two = Server(GuidePack(other, GuideSettings()))
    one.value("set_project_flag", name="f", value="one")
    assert two.value("get_project_flag", name="f") is None
    assert two.value("get_content", expression="lang")["documents"][0]["document"] == "lang/go.md"
    assert one.value("get_content", expression="lang")["matched"] == 4


def test_outside_of_a_server_the_current_folder_is_meant(project, monkeypatch):
    """K-14."""
    import contextvars

    monkeypatch.chdir(project)
    wanted = GetContent.model_validate({"expression": "lang/java"})
    result = contextvars.Context().run(get_content, wanted)
    assert result.value["documents"][0]["title"] == "Java"


def test_the_tools_are_in_nobody_elses_collection():
    """K-8: taken once, where they are declared."""
    assert not set(ToolArguments.get_declared_tools("toolcrib.packs.guide")) & set(NAMES)
