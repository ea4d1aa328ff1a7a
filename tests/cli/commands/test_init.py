"""U-1: init finds what the repository has and writes a commented toolcrib.toml."""

from __future__ import annotations

import dataclasses
import re

from toolcrib.settings import HttpSettings, ServerSettings, load


def test_the_file_changes_nothing_and_shows_every_setting(repo, home, toolcrib):
    """U-1, S-4, W-10: what is written is what holds without a file; calls are recorded."""
    assert toolcrib("init").code == 0
    text = (repo / "toolcrib.toml").read_text()
    settings = load(repo)
    assert settings.server == ServerSettings(audit="auto") and settings.http == HttpSettings()
    for kind in (ServerSettings, HttpSettings):
        for field in dataclasses.fields(kind):
            mark = "" if field.name == "audit" else "# "
            assert f"# {field.metadata['doc']}\n{mark}{field.name} = " in text


def test_every_commented_line_is_a_setting_that_could_be_used(repo, home, toolcrib):
    """S-4: unknown keys are errors, so the file must not suggest one."""
    toolcrib("init")
    file = repo / "toolcrib.toml"
    text = re.sub(r"(?m)^# (?=(\[[a-z]+\]|[a-z_]+ = .*)$)", "", file.read_text())
    text = "".join(line for line in text.splitlines(True) if not line.endswith('= ""\n'))
    file.write_text(text)
    settings = load(repo)
    for name in ("directive", "architecture", "guide", "climax", "custom"):
        settings.section(name)


def test_what_the_repository_has_is_found(shop, toolcrib):
    """U-1: packs, configs and the policy."""
    (shop / "toolcrib.toml").unlink()
    ran = toolcrib("init", "--json")
    assert set(ran.json["packs"]) == {"directive", "architecture", "guide", "climax", "gateway"}
    assert '# modules = ["tools/shop_tools.py"]' in ran.json["text"]
    climax = load(shop).section("climax")
    assert list(climax.configs) == ["tools/shop.yaml"] and climax.policy == "tools/policy.yaml"
    assert toolcrib("validate").code == 0


def test_a_file_that_is_there_is_kept(shop, toolcrib):
    """U-1: nothing is overwritten unless asked."""
    old = (shop / "toolcrib.toml").read_text()
    ran = toolcrib("init")
    assert ran.code == 1 and "is there already" in ran.err
    assert (shop / "toolcrib.toml").read_text() == old
    assert toolcrib("init", "--force").code == 0


def test_a_dry_run_prints_the_file(repo, home, toolcrib):
    """U-1: --dry-run."""
    ran = toolcrib("init", "--dry-run")
    assert ran.out.startswith("# toolcrib.toml") and not (repo / "toolcrib.toml").exists()


def test_clients_are_offered_and_told_only_when_somebody_says_yes(repo, home, toolcrib):
    """U-1: offers the clients it found; quiet without a tty."""
    (home / ".cursor").mkdir()
    ran = toolcrib("init")
    assert "toolcrib install cursor" in ran.out
    assert not (repo / ".cursor").exists()
    assert toolcrib("init", "--force", "--yes").code == 0
    assert (repo / ".cursor/mcp.json").exists()


def test_an_empty_repository_gets_a_beginning(repo, home, toolcrib):
    """U-1: the next command."""
    assert "toolcrib directive init" in toolcrib("init").out


def test_what_is_served_is_found_by_the_same_look(repo, home, toolcrib):
    """A-10: init and serve detect by the same code, records in odd places included."""
    folder = repo / "docs" / "architecture"
    folder.mkdir(parents=True)
    (folder / "adr-001-x.md").write_text("# ADR 1: X\n\n## Status\n\nAccepted\n")
    (repo / "skills" / "review").mkdir(parents=True)
    (repo / "skills" / "review" / "SKILL.md").write_text("---\nname: review\n---\n# Review\n")
    ran = toolcrib("init", "--json")
    assert ran.json["packs"] == {"architecture": ["docs/architecture"], "guide": ["skills"]}
    listed = toolcrib("list", "--json").json
    assert "search-architecture" in str(listed) and "guide_search" in str(listed)


def test_skills_in_groups_bring_the_guide_into_use(repo, home, toolcrib):
    """G-9: `skills/` may hold a folder for each kind of reader."""
    (repo / "skills" / "users" / "convert").mkdir(parents=True)
    (repo / "skills" / "users" / "convert" / "SKILL.md").write_text("---\nname: convert\n---\nX\n")
    assert toolcrib("init", "--json").json["packs"] == {"guide": ["skills"]}
    assert "skill://convert/SKILL.md" in str(toolcrib("list", "--json").json)


def test_a_folder_of_that_name_without_documents_is_no_sign(repo, home, toolcrib):
    """A-1: `docs/patterns` of another project may be pages of its manual."""
    (repo / "docs" / "patterns").mkdir(parents=True)
    (repo / "docs" / "patterns" / "index.rst").write_text("Patterns\n========\n")
    assert toolcrib("init", "--json").json["packs"] == {"guide": ["docs"]}


def test_decisions_in_another_format_are_documentation(repo, home, toolcrib):
    """A-1, G-9: records in reStructuredText are found as content, no library is empty of them."""
    (repo / "docs" / "decisions").mkdir(parents=True)
    text = "Cache requests\n==============\n\nStatus\n------\n\nAccepted\n"
    (repo / "docs" / "decisions" / "0001-cache-requests.rst").write_text(text)
    assert toolcrib("init", "--json").json["packs"] == {"guide": ["docs"]}
    found = toolcrib("search", "are requests cached", "--json").json["knowledge"]
    assert [each["title"] for each in found] == ["Cache requests"]
    (repo / "docs" / "decisions" / "0002-y.md").write_text("# 2. Y\n\n## Status\n\nAccepted\n")
    assert "architecture" in toolcrib("init", "--force", "--json").json["packs"]


def test_a_repository_with_nothing_but_documentation_gets_it_served(repo, home, toolcrib):
    """G-9: by itself documentation brings nothing into use; a file of settings does."""
    (repo / "README.md").write_text("# Widgets\n\nHow to turn a widget.\n")
    ran = toolcrib("doctor")
    assert "README.md could be" in ran.out and "→ toolcrib init" in ran.out
    assert toolcrib("init", "--json").json["packs"] == {"guide": ["README.md"]}
    assert load(repo).tables.get("guide") == {}
    found = toolcrib("search", "turn a widget", "--json").json
    assert [each["kind"] for each in found["knowledge"]] == ["content"]
