"""Skills as the protocol's extension for skills has them, served to a real client."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path
from typing import Any

import pytest
from fastmcp.skills.models import GetSkillResult, ListSkillsResult

from support.pipe import Pipe, toolcrib
from toolcrib.packs.guide.rules import manifests

EXTENSION = "io.modelcontextprotocol/skills"
RELEASE = """---
name: release
description: Release the shop.
license: MIT
metadata: {version: "2.1"}
---
# Release

See [the list](references/list.md).
"""
FILES = {
    ".agents/skills/release/SKILL.md": RELEASE.encode(),
    ".agents/skills/release/references/list.md": "\ufeff# List\r\n".encode(),
    ".agents/skills/release/assets/icon.bin": b"\x00\xff\x00",
    ".agents/skills/release/assets/latin.txt": "Zoë".encode("latin-1"),
    ".claude/skills/Loud/SKILL.md": b"---\nname: Loud\ndescription: x\n---\nX",
    ".claude/skills/mute/SKILL.md": b"---\nname: mute\n---\nX",
    ".claude/skills/other/SKILL.md": b"no front matter",
}


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    for name, data in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return tmp_path


@pytest.fixture
def pipe(repo: Path) -> Any:
    with Pipe(toolcrib("serve", "guide", "--project", str(repo))) as found:
        yield found


def raw(piece: dict[str, Any]) -> bytes:
    """The bytes of a resource as a client counts and hashes them."""
    return piece["text"].encode() if "text" in piece else base64.b64decode(piece["blob"])


def test_skills_are_listed_with_the_digest_of_every_file(pipe) -> None:
    """G-6: SEP-2640; each file that is read has the length and the digest that were listed."""
    about = pipe.result("server/discover", modern=True)
    assert (
        about["capabilities"]["extensions"] == {EXTENSION: {}}
        and "resources" in about["capabilities"]
    )
    answer = pipe.result("skills/list", modern=True)
    assert answer["resultType"] == "complete" and answer["ttlMs"] > 0
    ListSkillsResult.model_validate(answer)
    (skill,) = answer["skills"]
    assert skill["uri"] == "skill://release/SKILL.md"
    assert skill["frontmatter"] == {
        "name": "release",
        "description": "Release the shop.",
        "license": "MIT",
        "metadata": {"version": "2.1"},
    }
    assert len(skill["resources"]) == 4
    for file in skill["resources"]:
        read = pipe.result("resources/read", {"uri": file["uri"]}, modern=True)
        data = raw(read["contents"][0])
        assert len(data) == file["size"]
        assert f"sha256:{hashlib.sha256(data).hexdigest()}" == file["digest"]


def test_one_skill_is_got_as_it_is_now(pipe, repo) -> None:
    """G-6: `skills/get`; a file that changed has another digest."""
    uri = {"uri": "skill://release/SKILL.md"}
    answer = pipe.result("skills/get", uri, modern=True)
    GetSkillResult.model_validate(answer)
    before = {each["uri"]: each["digest"] for each in answer["skill"]["resources"]}
    (repo / ".agents/skills/release/assets/icon.bin").write_bytes(b"other, longer")
    now = pipe.result("skills/get", uri, modern=True)["skill"]["resources"]
    changed = [each["uri"] for each in now if before[each["uri"]] != each["digest"]]
    assert changed == ["skill://release/assets/icon.bin"]


@pytest.mark.parametrize(
    "uri", ["skill://nobody/SKILL.md", "skill://release/assets/icon.bin", "skill://mute/SKILL.md"]
)
def test_what_is_no_skill_is_an_invalid_parameter(pipe, uri) -> None:
    """G-6: -32602, also for one that no client could load."""
    assert pipe.error("skills/get", {"uri": uri}, modern=True)["code"] == -32602


def test_earlier_clients_get_them_too(pipe) -> None:
    """G-6: the methods are the same in each era."""
    assert pipe.initialize()["capabilities"]["extensions"] == {EXTENSION: {}}
    (skill,) = pipe.result("skills/list")["skills"]
    assert skill["frontmatter"]["name"] == "release"


def test_a_skill_above_the_limits_is_not_listed(repo, monkeypatch) -> None:
    """G-6: 512 files and 16 MiB are what every client takes."""
    from toolcrib.files.root import Root
    from toolcrib.packs.guide.rules.skills import Skills

    root = Root(repo)
    found = manifests.SkillManifests(root, lambda: Skills(root))
    assert [each["uri"] for each in found._entries()] == ["skill://release/SKILL.md"]
    monkeypatch.setattr(manifests, "MOST_BYTES", 10)
    assert found._entries() == []
    monkeypatch.setattr(manifests, "MOST_BYTES", 1000)
    monkeypatch.setattr(manifests, "MOST_FILES", 3)
    assert found._entries() == []
