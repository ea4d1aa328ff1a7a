from __future__ import annotations

import asyncio
import subprocess
import sys

import pytest

from support.unmeasured import unmeasured
from toolcrib.packs.guide.pack import GuidePack
from toolcrib.packs.guide.rules.lookout import Lookout
from toolcrib.packs.guide.session import GuideSession
from toolcrib.packs.guide.settings import GuideSettings, detect


@pytest.fixture
def pack(project):
    made = GuidePack(project, GuideSettings())
    yield made
    asyncio.run(made.close())


def test_a_repository_with_something_for_the_guide_is_detected(tmp_path):
    """S-2: toolcrib serve finds what the repo has."""
    assert not detect(tmp_path)
    for name in ("AGENTS.md", ".cursor/rules/x.mdc", ".agents/skills/x/SKILL.md", "guide/a/b.md"):
        repo = tmp_path / name.replace("/", "_")
        (repo / name).parent.mkdir(parents=True)
        (repo / name).write_text("x")
        assert detect(repo), name


def loaded(code: str) -> str:
    words = [sys.executable, "-c", code]
    done = subprocess.run(words, capture_output=True, text=True, check=True, env=unmeasured())
    return done.stdout.strip()


def test_importing_the_settings_is_light():
    """Start-up: no pydantic and no sqlite3 to find out whether the pack is of use."""
    code = (
        "import sys, toolcrib.packs.guide.settings\n"
        "print([m for m in ('pydantic', 'sqlite3', 'mcp', 'yaml') if m in sys.modules])"
    )
    assert loaded(code) == "[]"


def test_the_pack_needs_no_pydantic_no_sqlite_and_no_mcp_to_contribute():
    """Start-up: the store is opened when the first flag is asked for."""
    code = (
        "import sys; from pathlib import Path\n"
        "from toolcrib.packs.guide.pack import GuidePack\n"
        "from toolcrib.packs.guide.settings import GuideSettings\n"
        "GuidePack(Path('.'), GuideSettings()).contribute()\n"
        "names = ('pydantic', 'sqlite3', 'mcp', 'yaml', 'psycopg', 're2')\n"
        "print([m for m in names if m in sys.modules])"
    )
    assert loaded(code) == "[]"


def test_changed_documents_are_told_by_their_uris(pack, write, project):
    """S-5: the right list_changed and updated."""
    assert not pack.refresh([])
    write({"guide/lang/python.md": "# Changed, and longer than before"})
    changes = pack.refresh([project / "guide/lang/python.md"])
    assert (changes.resources, list(changes.updated)) == (False, ["guide://lang/python.md"])
    write({"guide/lang/go.md": "# Go"})
    changes = pack.refresh([project / "guide/lang/go.md"])
    assert changes.resources
    assert list(changes.updated) == []
    (project / "guide/lang/go.md").unlink()
    assert pack.refresh([project / "guide/lang/go.md"]).resources


def test_changes_since_the_first_listing_are_told(pack, write):
    """S-5: also what changed between start and watch."""
    pack.contribute().resources.resources()
    write({"guide/lang/go.md": "# Go"})
    assert pack.refresh([]).resources


def test_rules_and_skills_in_parts_of_the_repository_are_watched_once_they_are_known(pack, write):
    """S-5: a change in any folder is told as soon as one in the root."""
    skill = "---\nname: pot\ndescription: x\n---\n"
    write({"lib/AGENTS.md": "# Lib\n", "app/.claude/skills/pot/SKILL.md": skill})
    pack.refresh([])
    watched = set(pack.watched())
    assert {pack.project / "lib/AGENTS.md", pack.project / "app/.claude/skills"} <= watched


def test_a_rule_file_in_a_folder_that_nobody_watches_changes_the_list(pack, write):
    """S-5: added documents are served and told without a restart."""
    pack._lookout = Lookout(pack.project, rest=0, share=0)
    pack.refresh([])
    assert not pack.look_around()
    write({"new/part/AGENTS.md": "# Part\n"})
    assert pack.look_around().resources
    assert not pack.look_around()


def test_a_category_added_by_another_process_changes_the_list(pack, project):
    """S-5: the state of others is watched too."""
    pack.refresh([])
    assert pack.session.store.files()[0] in pack.watched()
    GuideSession(project).editor.add_category("more", {"dir": "guide/docs"})
    changes = pack.refresh(pack.session.store.files())
    assert changes.resources
    assert project / "guide/docs" in pack.watched()


def test_a_written_flag_is_no_reason_to_walk_through_the_documents(pack, monkeypatch):
    pack.refresh([])
    pack.session.flags.set_project("f", True)
    walks = []
    tree = pack.session.library.tree
    original = tree._walk
    monkeypatch.setattr(tree, "_walk", lambda folder: walks.append(folder) or original(folder))
    assert not pack.refresh(pack.session.store.files())
    assert walks == []


def test_a_project_that_goes_away_and_comes_back_is_served_again(pack, project, tmp_path):
    """FAULTS: folder deleted and back: recovery without a restart."""
    pack.refresh([])
    project.rename(tmp_path / "away")
    assert not pack.refresh([project])
    (tmp_path / "away").rename(project)
    assert not pack.refresh([project])
    assert pack.session.library.select("lang/python").documents


def test_health_tells_what_is_served_and_what_could_not_be(pack, write, state):
    """FAULTS: marked degraded in doctor."""
    levels = {(each.level, each.text) for each in pack.health()}
    assert ("ok", "8 documents in 3 categories") in levels
    assert ("ok", "0 flags set") in levels
    write({"guide/guide.toml": "[x", "guide/a b/c.md": "x"})
    pack.session.library.forget()
    state.mkdir(exist_ok=True)
    (state / "guide.db").write_text("damaged")
    texts = "\n".join(f"{each.level}: {each.text}" for each in pack.health())
    assert "warning: guide/guide.toml" in texts
    assert "warning: Folder 'a b' is no category" in texts
    assert "error: The state file is damaged; a copy is kept as guide.db.damaged-" in texts


@pytest.mark.parametrize("folder", ["docs/missing", "docs/empty"])
def test_a_category_whose_folder_has_nothing_is_a_warning(pack, project, write, folder):
    """A-10: a configured folder that is missing or empty is never a tick."""
    (project / "docs/empty").mkdir(parents=True)
    write({"guide/guide.toml": f'[categories.handbook]\ndir = "{folder}"\n'})
    (told,) = (each.text for each in pack.health() if "handbook" in each.text)
    assert folder in told and ("is missing" in told or "has no document" in told)


def test_the_agent_is_told_what_to_call_first(pack):
    assert "guide_rules_for_path" in pack.instructions
    assert "guide_get_content" in pack.instructions
