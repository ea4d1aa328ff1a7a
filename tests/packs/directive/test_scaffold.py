"""D-8: what init and update write, and what they never touch."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from toolcrib.core.errors import FileUnreadable
from toolcrib.packs.directive.bundles import build_template_bundle, open_root
from toolcrib.packs.directive.primer import FALLBACK
from toolcrib.packs.directive.scaffold import DATA, OURS, apply, plan_init, plan_update


def initialise(project: Path) -> None:
    apply(project, plan_init(project)[0])


def texts(project: Path) -> dict[str, str]:
    return {
        str(path.relative_to(project)): path.read_text()
        for path in project.rglob("*")
        if path.is_file()
    }


def test_init_makes_a_folder_that_serves_every_bundle(tmp_path: Path) -> None:
    """D-8: scaffolds `directive/`; D-3: with a primer of its own."""
    initialise(tmp_path)
    for name in ("spec", "impact", "tdr"):
        bundle = build_template_bundle(open_root(tmp_path), f"{name}_template.md")
        assert bundle["primer"] != FALLBACK
        assert bundle["primer"] in bundle["agentOperatingProcedure"]["content"]
    assert plan_init(tmp_path)[0] == []
    assert plan_update(tmp_path) == []


def test_init_adds_what_is_missing_and_overwrites_nothing(tmp_path: Path) -> None:
    """D-8: init is safe to repeat."""
    initialise(tmp_path)
    mine = tmp_path / "directive" / "templates" / "spec_template.md"
    mine.write_text("# mine\n")
    (tmp_path / "directive" / "agent_context.md").unlink()
    missing, kept = plan_init(tmp_path)
    assert [each.path for each in missing] == ["directive/agent_context.md"]
    assert "directive/templates/spec_template.md" in kept
    apply(tmp_path, missing)
    assert mine.read_text() == "# mine\n"


def test_update_refreshes_what_is_ours_and_nothing_else(tmp_path: Path) -> None:
    """D-8: never the agent context or the user's specs."""
    initialise(tmp_path)
    folder = tmp_path / "directive"
    (folder / "agent_context.md").write_text("# My context\n")
    (folder / "specs" / "x").mkdir(parents=True)
    (folder / "specs" / "x" / "spec.md").write_text("# My spec\n")
    (folder / "templates" / "rfc_template.md").write_text("# My template\n")
    (folder / "agent_operating_procedure.md").write_text("# Old\n")
    (folder / "templates" / "tdr_template.md").unlink()
    before = texts(tmp_path)
    planned = plan_update(tmp_path)
    assert {each.path: each.old for each in planned} == {
        "directive/agent_operating_procedure.md": "# Old\n",
        "directive/templates/tdr_template.md": None,
    }
    apply(tmp_path, planned)
    after = texts(tmp_path)
    changed = {path for path in after if after[path] != before.get(path)}
    assert changed == {each.path for each in planned}
    assert plan_update(tmp_path) == []


def test_the_reference_layout_is_respected(tmp_path: Path) -> None:
    """D-4: a repo that uses `reference/` keeps using it."""
    initialise(tmp_path)
    folder = tmp_path / "directive"
    folder.rename(tmp_path / "moved")
    folder.mkdir()
    (tmp_path / "moved").rename(folder / "reference")
    (folder / "reference" / "templates" / "spec_template.md").unlink()
    assert [each.path for each in plan_update(tmp_path)] == [
        "directive/reference/templates/spec_template.md"
    ]


def test_a_link_that_leads_out_is_not_written_through(tmp_path: Path) -> None:
    project = tmp_path / "project"
    outside = tmp_path / "outside"
    (project / "directive").mkdir(parents=True)
    outside.mkdir()
    (project / "directive" / "templates").symlink_to(outside)
    with pytest.raises(FileUnreadable, match=r"templates is in the way: it is a link to .*outside"):
        initialise(project)
    assert list(outside.iterdir()) == []
    assert [path.name for path in (project / "directive").iterdir()] == ["templates"]


def test_a_link_of_the_team_s_own_is_never_replaced(tmp_path: Path) -> None:
    """D-8: nothing is overwritten, also what cannot be read."""
    link = tmp_path / "directive" / "agent_context.md"
    link.parent.mkdir()
    link.symlink_to("not-yet-written.md")
    with pytest.raises(FileUnreadable, match=r"agent_context.md is in the way: it is a link"):
        initialise(tmp_path)
    assert link.is_symlink() and len(list(link.parent.iterdir())) == 1


@pytest.mark.parametrize("name", ["agent_context.md", *OURS])
def test_the_texts_are_whole(name: str) -> None:
    """D-8: real, useful templates."""
    text = (DATA / name).read_text()
    assert text.startswith("# ")
    assert len(text.splitlines()) > 25
    assert text.endswith("\n")
    assert not re.search(r"[ \t]+$", text, re.MULTILINE)
    assert not re.search(r"\b(TODO|TBD|lorem)\b", text)
    # Each heading is followed by something.
    assert not re.search(r"^#+ .*\n\s*#+ ", text.replace("### ", "___ "), re.MULTILINE)
