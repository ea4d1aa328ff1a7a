"""A-3: prompts as JSON files, checked, reloaded, and the four that are shipped."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolcrib.core.errors import ConfigError, InvalidParams, PromptNotFound
from toolcrib.core.executor import ToolExecutor
from toolcrib.core.tool import CallContext
from toolcrib.packs.architecture.pack import ArchitecturePack
from toolcrib.packs.architecture.prompts.promptfile import read_prompt
from toolcrib.server.assembly import make_pack
from toolcrib.server.surface import Options, Surface
from toolcrib.settings import load

Write = Callable[[dict[str, str]], Path]
SHIPPED = [
    "create-adr",
    "guided-pattern-validation",
    "review-code-against-patterns",
    "suggest-patterns",
]


def prompt(text: str = "Hello {{who}}", **more: Any) -> str:
    value = {
        "name": "greet",
        "description": "Greets",
        "arguments": [{"name": "who", "description": "Whom", "required": True, "maxLength": 5}],
        "messages": [{"role": "user", "content": {"type": "text", "text": text}}],
        **more,
    }
    return json.dumps(value, indent=2)


def text_of(pack: ArchitecturePack, name: str, **arguments: str) -> str:
    for each in pack.prompts.prompts():
        if each.name == name:
            each.check(arguments)  # as the server does, once
    rendered = asyncio.run(pack.prompts.render(name, arguments, CallContext()))
    (message,) = rendered.messages
    assert message["role"] == "user"
    return str(message["content"]["text"])


@pytest.fixture
def pack(write: Write) -> ArchitecturePack:
    return ArchitecturePack(
        write(
            {
                "mcp/prompts/greet.json": prompt(),
                "mcp/resources/patterns/repository.md": "# Repository\n",
            }
        )
    )


def test_a_file_is_a_prompt(pack: ArchitecturePack) -> None:
    """A-3: name, arguments, messages."""
    found = {each.name: each for each in pack.prompts.prompts()}
    assert list(found) == sorted([*SHIPPED, "greet"])
    assert found["greet"].to_wire() == {
        "name": "greet",
        "description": "Greets",
        "arguments": [{"name": "who", "description": "Whom", "required": True}],
    }
    assert text_of(pack, "greet", who="Ada") == "Hello Ada"


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({}, "Missing required argument 'who'"),
        ({"who": ""}, "Missing required argument 'who'"),
        ({"who": "toolong"}, "at most 5 characters, got 7"),
        ({"who": "a", "whom": "b"}, "no argument 'whom'; did you mean 'who'"),
    ],
)
def test_bad_arguments_are_named(
    pack: ArchitecturePack, arguments: dict[str, str], problem: str
) -> None:
    """A-3: maxLength, required."""
    with pytest.raises(InvalidParams, match=problem):
        text_of(pack, "greet", **arguments)


def test_an_unknown_prompt_names_the_nearest(pack: ArchitecturePack) -> None:
    with pytest.raises(PromptNotFound, match="did you mean 'create-adr'"):
        text_of(pack, "create-ard")


def test_a_file_of_the_repository_takes_the_name_of_a_shipped_one(write: Write) -> None:
    """A-3: the repository's own prompt wins."""
    pack = ArchitecturePack(write({"mcp/prompts/mine.json": prompt("Mine", name="create-adr")}))
    assert text_of(pack, "create-adr", who="me") == "Mine"
    assert len(pack.prompts.prompts()) == 4


def test_changed_files_are_served_and_broken_ones_keep_their_last_good_version(
    pack: ArchitecturePack, tmp_path: Path
) -> None:
    """S-5, FAULTS state: invalid on hot reload, the last good one stays."""
    file = tmp_path / "mcp/prompts/greet.json"
    assert text_of(pack, "greet", who="Ada") == "Hello Ada"
    file.write_text(prompt("Bye {{who}}"))
    assert pack.refresh([file]).prompts
    assert text_of(pack, "greet", who="Ada") == "Bye Ada"
    file.write_text("{")
    assert not pack.refresh([file]).prompts
    assert text_of(pack, "greet", who="Ada") == "Bye Ada"
    (problem,) = pack.prompts.problems()
    assert problem.startswith("mcp/prompts/greet.json:1:2: This is not JSON")
    assert problem.endswith("its last good version is served")
    file.unlink()
    assert pack.refresh([file]).prompts
    assert "greet" not in [each.name for each in pack.prompts.prompts()]


def test_two_files_with_one_name_are_told(write: Write) -> None:
    """A-3: the second is not served, and the message names both."""
    pack = ArchitecturePack(
        write({"mcp/prompts/a.json": prompt("A"), "mcp/prompts/b.json": prompt("B")})
    )
    assert text_of(pack, "greet", who="x") == "A"
    assert (
        "mcp/prompts/b.json: the prompt 'greet' is already in mcp/prompts/a.json"
        in (pack.prompts.problems()[0])
    )


def test_bad_references_are_warned_of_with_file_and_place(
    write: Write, caplog: pytest.LogCaptureFixture
) -> None:
    """A-3: at start and on reload, with file and place."""
    text = (
        "{{whom}} {{tool:validate-pattern}} {{resource:architecture://patterns/repositry}} "
        "{{resource:architecture://patterns/{{nobody}}}} {{who}} {{workflow}}"
    )
    project = write(
        {
            "mcp/prompts/greet.json": prompt(text),
            "mcp/resources/patterns/repository.md": "# Repository\n",
        }
    )
    pack = ArchitecturePack(project)
    with caplog.at_level(logging.WARNING):
        pack.refresh([])
        pack.refresh([])
    where = "mcp/prompts/greet.json:17:"
    assert [record.getMessage() for record in caplog.records] == [
        f"{where}18: {{{{whom}}}} is no argument; did you mean 'who'?",
        f"{where}27: {{{{tool:validate-pattern}}}} names no tool that is served; "
        "did you mean 'validate-against-pattern'?",
        f"{where}53: {{{{resource:architecture://patterns/repositry}}}}: Resource not found: "
        "architecture://patterns/repositry; nearest: architecture://patterns/repository",
        f"{where}100: {{{{nobody}}}} in {{{{resource:architecture://patterns/{{{{nobody}}}}}}}} "
        "is no argument",
    ]
    (project / "mcp/resources/patterns/repository.md").unlink()
    (project / "mcp/prompts/greet.json").write_text(
        prompt("{{who}} {{resource:architecture://patterns/repository}}")
    )
    with caplog.at_level(logging.WARNING):
        pack.refresh([])
    assert "patterns/repository}}: Resource not found" in caplog.records[-1].getMessage()


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        ("[1]", "a JSON object"),
        ('{\n "name": "a",\n}', "3:1: This is not JSON"),
        ('{"name": "a", "name": "b"}', "'name' is given twice"),
        (prompt(name="No Caps"), "must match"),
        (prompt(name=None), "'name' must be a string, and is missing"),
        (prompt(messages=[]), "at least one message"),
        (prompt(messages=[{"role": "system", "content": "x"}]), "user or assistant"),
        (prompt(messages=[{"role": "user", "content": {"type": "image"}}]), "The content"),
        (prompt(arguments={}), "'arguments' must be a list"),
        (prompt(arguments=[{"name": "a"}, {"name": "a"}]), "declared twice"),
        (prompt(arguments=[{"name": "a", "required": "yes"}]), "'required' must be true or false"),
        (prompt(arguments=[{"name": "a", "maxLength": True}]), "'maxLength' must be a whole"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_a_file_that_cannot_be_used_says_where_and_why(raw: str, problem: str) -> None:
    """A-3: errors with file, line and column."""
    with pytest.raises(ConfigError) as caught:
        read_prompt("p.json", raw)
    assert problem in str(caught.value)
    assert str(caught.value).startswith("p.json")


def test_an_unknown_key_is_a_warning_with_the_nearest() -> None:
    found = read_prompt("p.json", prompt(mesages=[]))
    assert len(found.warnings) == 1
    assert "unknown key 'mesages'; did you mean 'messages'" in found.warnings[0]


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists, max_leaves=5))
def test_any_json_is_a_prompt_or_a_clear_error(value: object) -> None:
    """A-3: files are untrusted."""
    keys = ("name", "arguments", "messages", "description")
    for raw in (json.dumps(value), *(prompt(**{key: value}) for key in keys)):
        try:
            read_prompt("p.json", raw)
        except ConfigError as error:
            assert error.where is not None


def test_the_shipped_prompts_have_no_bad_reference(tmp_path: Path) -> None:
    """A-3: shipped prompts name arguments and tools that exist."""
    assert ArchitecturePack(tmp_path).prompts.problems() == []


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_prompt_works_in_an_empty_repository(tmp_path: Path, name: str) -> None:
    """A-3: shipped prompts."""
    pack = ArchitecturePack(tmp_path)
    (found,) = [each for each in pack.prompts.prompts() if each.name == name]
    given = {each.name: f"<<{each.name}>>" for each in found.arguments if each.required}
    text = text_of(pack, name, **given)
    assert "{{" not in text
    assert all(value in text for value in given.values())
    assert found.title and found.description
    assert all(each.description for each in found.arguments)


def test_the_guided_prompt_mints_a_handle_that_the_tools_accept(write: Write) -> None:
    """K-20: a call with a handle may leave out what the prompt's arguments already gave."""
    pack = ArchitecturePack(write({"mcp/resources/patterns/repository.md": "# Repository\n"}))
    executor = ToolExecutor()
    pack.workflows = executor.workflows
    code = "class A: pass"
    text = text_of(pack, "guided-pattern-validation", code=code, pattern_name="repository")
    handle = text.split("Workflow: ")[1].split()[0]
    context = executor.workflows.get(handle)
    assert context.prompt_name == "guided-pattern-validation"
    assert context.prompt_args == {"code": code, "pattern_name": "repository"}
    tools = {tool.name: tool for tool in pack.tools}
    output = asyncio.run(executor.run(tools["validate-against-pattern"], {"workflow": handle}))
    assert output.structured is not None
    assert output.structured["pattern"] == "repository"
    assert context.tool_results["validate-against-pattern"] == output.structured
    with pytest.raises(InvalidParams, match="Unknown or expired workflow"):
        asyncio.run(executor.run(tools["search-architecture"], {"query": "x", "workflow": "wf_x"}))


def test_arguments_that_name_documents_are_completed(pack: ArchitecturePack) -> None:
    """S-8: pattern names, ADR ids."""
    complete = pack.prompts.complete
    assert complete("guided-pattern-validation", "pattern_name", "rep", {}) == ["repository"]
    assert complete("x", "supersedes", "", {}) == []
    assert complete("x", "code", "", {}) == []


@pytest.mark.parametrize("link", ["mcp", "mcp/prompts", "mcp/prompts/evil.json"])
def test_a_link_never_brings_in_prompts_from_outside(write: Write, link: str) -> None:
    """A-8: file access only below the configured roots; a link of the repository is no key."""
    project = write({"README.md": "# Shop"})
    outside = project.parent / f"{project.name}-outside"
    source = outside.joinpath(*Path("mcp/prompts/evil.json").relative_to(link).parts)
    source.parent.mkdir(parents=True, exist_ok=True)
    source.write_text(prompt("From outside", name="evil"))
    (project / link).parent.mkdir(parents=True, exist_ok=True)
    (project / link).symlink_to(outside if link != "mcp/prompts/evil.json" else source)
    book = ArchitecturePack(project).prompts
    with pytest.raises(PromptNotFound):
        asyncio.run(book.render("evil", {}))
    assert "evil" not in [each.name for each in book.prompts()]


def test_a_prompts_folder_that_is_swapped_for_a_link_is_not_followed(
    pack: ArchitecturePack, tmp_path: Path
) -> None:
    """A-8: nor does it help to begin with a folder of the project's own."""
    before = [each.name for each in pack.prompts.prompts()]
    outside = tmp_path.parent / f"{tmp_path.name}-outside"
    outside.mkdir()
    (outside / "evil.json").write_text(prompt("From outside", name="evil"))
    (tmp_path / "mcp/prompts").rename(tmp_path / "mcp/old")
    (tmp_path / "mcp/prompts").symlink_to(outside)
    pack.refresh([tmp_path / "mcp/prompts/evil.json"])
    after = [each.name for each in pack.prompts.prompts()]
    assert "evil" not in after
    assert set(after) <= set(before)


@pytest.mark.parametrize("name", SHIPPED)
def test_each_shipped_prompt_mints_a_handle(pack: ArchitecturePack, name: str) -> None:
    """K-20: all of them guide a workflow, and the tools take the handle."""
    arguments = {"title": "T", "code": "x = 1", "problem": "p"}
    known = next(each for each in pack.prompts.prompts() if each.name == name)
    wanted = {each.name for each in known.arguments}
    text = text_of(pack, name, **{key: arguments[key] for key in arguments.keys() & wanted})
    assert "Workflow: wf_" in text
    assert "{{workflow}}" not in text


def test_a_prompt_names_any_tool_that_is_served(write: Write, tmp_path: Path) -> None:
    """A-4, A-10: of every pack, with the way to it where it is not listed."""
    text = (
        "{{tool:search-architecture}}\n{{tool:say}}\n{{tool:directive/files.list}}\n{{tool:gone}}"
    )
    project = write(
        {
            "mcp/prompts/greet.json": prompt(text),
            "climax/demo.yaml": "command: echo\ntools: [{name: say, description: Says it}]\n",
            "directive/agent_context.md": "# Context\n",
        }
    )
    settings = load(project)
    packs = [make_pack(name, settings) for name in ("architecture", "climax", "directive")]
    for mode, mark in (("default", ""), ("progressive", " (call it through climax_call)")):
        surface = Surface(packs, options=Options(mode=mode))
        architecture = next(each for each in surface.packs if isinstance(each, ArchitecturePack))
        shown = text_of(architecture, "greet", who="me")
        assert f"Tool: search-architecture{mark}\nDescription:" in shown
        assert "Tool: say (call it through climax_call)\nDescription: Says it" in shown
        assert f"Tool: directive/files.list{mark}\n" in shown
        assert "{{tool:gone}}" in shown
        told = architecture.prompts.problems()
        assert [line for line in told if "names no tool" in line] == [
            f"{told[0].split(': ')[0]}: {{{{tool:gone}}}} names no tool that is served"
        ]
