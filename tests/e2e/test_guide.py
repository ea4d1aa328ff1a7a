"""The guide served by a real process, to the SDK's client over a real pipe."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sys
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from mcp import Client, MCPError, StdioServerParameters

SHOP = Path(__file__).parents[2] / "examples" / "shop"
ERAS = pytest.mark.parametrize("mode", ["legacy", "auto"])


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The example shop, with a rule of each kind added."""
    folder = tmp_path / "shop"
    shutil.copytree(SHOP, folder, ignore=shutil.ignore_patterns("__pycache__", "var"))
    for name, text in {
        "src/api/AGENTS.md": "# Api",
        "src/AGENTS.md": "# Src",
        ".cursor/rules/python.mdc": "---\nglobs: **/*.py\nalwaysApply: false\n---\nType hints.",
        ".github/instructions/api.instructions.md": "---\napplyTo: src/api/**\n---\nVersion it.",
        ".claude/rules/tests.md": "---\npaths:\n  - tests/**\n---\nNo mocks.",
    }.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    return folder


@pytest.fixture
def served(project: Path, tmp_path: Path) -> Callable[..., None]:
    """Run a scenario against `toolcrib serve PACKS`."""

    def run(
        scenario: Callable[[Client], Awaitable[None]],
        *packs: str,
        mode: str = "auto",
        **environment: str,
    ) -> None:
        env = {"PATH": os.environ["PATH"], "TOOLCRIB_STATE": str(tmp_path / "state"), **environment}
        server = StdioServerParameters(
            command=sys.executable,
            args=["-m", "toolcrib", "serve", *packs],
            cwd=project,
            env=env,
        )

        async def connected() -> None:
            async with Client(server, mode=mode) as client:
                await scenario(client)

        asyncio.run(connected())

    return run


@ERAS
def test_rules_for_a_path_are_what_each_tool_would_apply(served, mode) -> None:
    """G-6: a nested AGENTS.md, a .cursor/rules and a skill, over a real pipe, in both eras."""

    async def scenario(client: Client) -> None:
        result = await client.call_tool("guide_rules_for_path", {"path": "src/api/users.py"})
        answer = result.structured_content
        assert json.loads(result.content[0].text) == answer
        assert [each["path"] for each in answer["value"]["rules"]] == [
            "src/api/AGENTS.md",
            "src/AGENTS.md",
            ".github/instructions/api.instructions.md",
            ".cursor/rules/python.mdc",
            "AGENTS.md",
        ]
        skills = await client.call_tool("guide_get_skill", {})
        assert skills.structured_content["value"]["skills"][0]["name"] == "release"
        read = await client.read_resource("skill://release/SKILL.md")
        assert "# Release" in read.contents[0].text

    served(scenario, "guide", mode=mode)


@ERAS
def test_content_resources_prompt_and_completion(served, mode) -> None:
    """G-1, G-5, S-8: tool, resource and prompt deliver the same document."""

    async def scenario(client: Client) -> None:
        listed = {each.uri: each for each in (await client.list_resources()).resources}
        assert listed["guide://lang/python.md"].title == "Python in this shop"
        read = await client.read_resource("guide://lang/python.md")
        result = await client.call_tool("guide_get_content", {"expression": "lang/python"})
        (document,) = result.structured_content["value"]["documents"]
        assert read.contents[0].text.strip() == document["content"].strip()
        prompts = (await client.list_prompts()).prompts
        guide = next(each for each in prompts if each.name == "guide")
        assert len(guide.arguments) == 15
        shown = await client.get_prompt("guide", {"arg1": "lang/python", "arg2": "docs/api"})
        assert document["content"] in shown.messages[0].content.text
        manual = await client.read_resource("toolcrib://tools/guide_get_content")
        assert "## JSON Schema" in manual.contents[0].text

    served(scenario, "guide", mode=mode)


@ERAS
def test_failures_are_results_that_a_model_can_read(served, mode) -> None:
    """K-4: isError exactly when success is false; bad arguments name field and nearest."""

    async def scenario(client: Client) -> None:
        wrong = await client.call_tool("guide_get_content", {"expression": "lang/,docs"})
        assert wrong.is_error
        assert wrong.structured_content["error_data"]["pointer"] == "lang/,docs\n     ^"
        bad = await client.call_tool("guide_get_content", {"expresion": "lang"})
        assert bad.is_error
        assert bad.structured_content["success"] is False
        assert "did you mean 'expression'" in bad.structured_content["error"]
        with pytest.raises(MCPError):
            await client.read_resource("guide://lang/nope.md")

    served(scenario, "guide", mode=mode)


def test_flags_survive_the_server_and_are_shared_by_two(served, project, tmp_path) -> None:
    """G-2, G-3: any number of processes, nothing acknowledged is lost."""

    async def set_it(client: Client) -> None:
        answer = await client.call_tool("guide_set_project_flag", {"name": "f", "value": False})
        assert answer.structured_content["value"] is False
        await client.call_tool("guide_set_feature_flag", {"name": "f", "value": True})

    async def see_it(client: Client) -> None:
        answer = await client.call_tool("guide_list_project_flags", {})
        assert answer.structured_content["value"] == {"f": False}

    served(set_it, "guide")
    served(see_it, "guide")

    async def two_at_once() -> None:
        env = {"PATH": os.environ["PATH"], "TOOLCRIB_STATE": str(tmp_path / "state")}
        server = StdioServerParameters(
            command=sys.executable, args=["-m", "toolcrib", "serve", "guide"], cwd=project, env=env
        )
        async with AsyncExitStack() as stack:
            one = await stack.enter_async_context(Client(server))
            two = await stack.enter_async_context(Client(server))
            await asyncio.gather(
                *(
                    client.call_tool("guide_set_project_flag", {"name": f"{who}{n}", "value": "x"})
                    for n in range(15)
                    for who, client in (("a", one), ("b", two))
                )
            )
            answer = await one.call_tool("guide_list_project_flags", {})
            assert len(answer.structured_content["value"]) == 31

    asyncio.run(two_at_once())


def test_the_surface_costs_at_most_three_thousand_tokens(served) -> None:
    """K-13: the whole guide surface in tools/list, concise."""

    async def scenario(client: Client) -> None:
        tools = (await client.list_tools()).tools
        wire = [tool.model_dump(by_alias=True, exclude_none=True, mode="json") for tool in tools]
        assert len(json.dumps({"tools": wire}, separators=(",", ":"))) / 4 <= 3000
        assert all(tool.name.startswith("guide_") for tool in tools)
        assert all(tool.title and tool.annotations for tool in tools)

    served(scenario, "guide")


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"MCP_TOOL_PREFIX": "team"}, "team_get_content"),
        ({"MCP_TOOL_PREFIX": ""}, "get_content"),
        ({"MCP_INCLUDE_EXAMPLE_TOOLS": "YES"}, "guide_example_greet"),
    ],
)
def test_the_environment_names_the_tools(served, environment, expected) -> None:
    """K-9, K-11: on the wire."""

    async def scenario(client: Client) -> None:
        assert expected in [tool.name for tool in (await client.list_tools()).tools]

    served(scenario, "guide", **environment)


def test_beside_other_packs_only_its_own_tools_have_the_prefix(served) -> None:
    """K-11: its own tools get that default and no other pack's do."""

    async def scenario(client: Client) -> None:
        names = [tool.name for tool in (await client.list_tools()).tools]
        assert "guide_get_content" in names
        assert "directive/files.list" in names
        assert not [name for name in names if name.startswith("guide_directive")]

    served(scenario, "guide", "directive")


def test_a_new_document_is_served_while_the_server_runs(served, project) -> None:
    """S-5: within 2 s, without a restart."""

    async def scenario(client: Client) -> None:
        async def has(name: str) -> bool:
            answer = await client.call_tool("guide_get_content", {"expression": f"lang/{name}"})
            return not answer.is_error

        assert not await has("go")
        (project / "guide" / "lang" / "go.md").write_text("# Go")
        async with asyncio.timeout(10):
            while not await has("go"):
                pass  # each question takes its time

    served(scenario, "guide")
