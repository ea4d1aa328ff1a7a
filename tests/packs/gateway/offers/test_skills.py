"""Skills of servers: a real server with the extension, and what may not be passed on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastmcp.skills.models import ListSkillsResult

from packs.gateway.remote.test_server import served
from support.pipe import Pipe, toolcrib
from toolcrib.packs.gateway.offers.skills import _entry

SERVER = """
import sys
from fastmcp import FastMCP
from fastmcp.server.providers.skills import SkillsDirectoryProvider
from fastmcp.skills.extension import SkillsExtension
provider = SkillsDirectoryProvider(sys.argv[3], experimental_skills=True)
server = FastMCP("skilled", providers=[provider])
server.add_extension(SkillsExtension(providers=[provider]))
@server.tool
def look() -> str:
    return "seen"
server.run(transport=sys.argv[1], port=int(sys.argv[2]), show_banner=False)
"""
MANUAL = "---\nname: refunds\ndescription: Pay money back.\n---\n# Refunds\n"


@pytest.fixture
def skilled(tmp_path: Path) -> Iterator[str]:
    """The url of a real server: it speaks of skills in the stateless era alone, so over HTTP."""
    skill = tmp_path / "skills/refunds"
    skill.mkdir(parents=True)
    (skill / "SKILL.md").write_text(MANUAL)
    (skill / "note.txt").write_text("by hand")
    with served(SERVER, "http", str(tmp_path / "skills")) as port:
        yield f"http://127.0.0.1:{port}/mcp"


@pytest.fixture
def pipe(tmp_path: Path, skilled: str) -> Pipe:
    """toolcrib with the same server twice."""
    servers = {name: {"url": skilled} for name in ("one", "two")}
    repo = tmp_path / "repo"
    (repo / "mcp").mkdir(parents=True)
    (repo / "mcp/servers.json").write_text(json.dumps({"mcpServers": servers}))
    env = {
        "TOOLCRIB_STATE": str(tmp_path / "state"),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "TOOLCRIB_TRUST": "all",
    }
    return Pipe(toolcrib("serve", "gateway", "--project", str(repo)), env=env)


def test_skills_of_servers_are_listed_got_and_read(pipe) -> None:
    """X-25: under `mcp://SERVER/`, so that two servers with one skill never meet; digests hold."""
    with pipe:
        for name in ("one", "two"):
            called = {"tool_name": f"{name}__look", "args": {}}
            assert not pipe.call("climax_call", called, modern=True).get("isError")
        answer = pipe.result("skills/list", modern=True)
        ListSkillsResult.model_validate(answer)
        uris = [each["uri"] for each in answer["skills"]]
        assert uris == [f"mcp://{name}/skill://refunds/SKILL.md" for name in ("one", "two")]
        got = pipe.result("skills/get", {"uri": uris[1]}, modern=True)["skill"]
        assert got == answer["skills"][1]
        assert got["frontmatter"] == {"name": "refunds", "description": "Pay money back."}
        for file in got["resources"]:
            read = pipe.result("resources/read", {"uri": file["uri"]}, modern=True)
            data = read["contents"][0]["text"].encode()
            assert f"sha256:{hashlib.sha256(data).hexdigest()}" == file["digest"]
        for unknown in ("mcp://one/skill://x/SKILL.md", "mcp://nobody/skill://refunds/SKILL.md"):
            assert pipe.error("skills/get", {"uri": unknown}, modern=True)["code"] == -32602


GOOD = {
    "uri": "skill://a/SKILL.md",
    "frontmatter": {"name": "a", "description": "b"},
    "resources": [{"uri": "skill://a/SKILL.md", "digest": "sha256:0", "size": 1}],
}


def test_what_no_client_may_load_is_left_out() -> None:
    """X-22: hidden characters, for front matter cannot be cleaned; entries that are no manifest."""
    found = _entry("srv", GOOD)
    assert found is not None and found["resources"][0]["uri"] == "mcp://srv/skill://a/SKILL.md"
    assert _entry("srv", {**GOOD, "resources": "dynamic"}) is not None
    for wrong in (
        None,
        {**GOOD, "uri": 1},
        {**GOOD, "resources": None},
        {**GOOD, "resources": []},
        {**GOOD, "resources": [1]},
        {**GOOD, "frontmatter": {"name": "a"}},
        {**GOOD, "frontmatter": {"name": "a", "description": "b\u202eevil"}},
    ):
        assert _entry("srv", wrong) is None
