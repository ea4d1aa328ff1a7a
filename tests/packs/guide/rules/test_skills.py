from __future__ import annotations

import pytest

from toolcrib.packs.guide.content import listing
from toolcrib.packs.guide.errors import NotFound
from toolcrib.packs.guide.rules.skills import Skills

RELEASE = "---\nname: release\ndescription: Release\n  the shop.\n---\n# Release\n\nDo it.\n"


@pytest.fixture
def skills(write, library):
    write(
        {
            ".agents/skills/release/SKILL.md": RELEASE,
            ".agents/skills/release/scripts/tag.sh": "git tag",
            ".claude/skills/review/SKILL.md": "---\ndescription: Review\n---\nLook.",
            ".claude/skills/release/SKILL.md": "---\nname: release\n---\nAnother.",
            ".claude/skills/empty/notes.md": "no manual",
            ".claude/skills/odd name/SKILL.md": "---\nname: 'also odd'\n---\nX",
        }
    )
    return Skills(library.root)


def test_the_skills_of_both_homes_are_listed(skills):
    """G-6: skills folders (SKILL.md)."""
    assert listing.skill(skills, None) == {
        "skills": [
            {"name": "release", "description": "Release the shop."},
            {"name": "review", "description": "Review"},
        ]
    }


def test_of_two_with_one_name_the_first_home_counts_and_the_other_is_told(skills):
    assert skills.get("release").folder == ".agents/skills/release"
    assert skills.shadowed == [".claude/skills/release"]


def test_a_copy_for_another_agent_hides_nothing(write, library):
    """G-9: generators write one skill into every agent's home; a copy that differs is told."""
    write(
        {
            f"{home}/release/{name}": text
            for home in (".agents/skills", ".codex/skills", ".gemini/skills")
            for name, text in {"SKILL.md": RELEASE, "scripts/tag.sh": "git tag"}.items()
        }
    )
    assert Skills(library.root).shadowed == []
    write({".codex/skills/release/scripts/tag.sh": "git TAG"})
    write({".gemini/skills/release/more.md": "# More\n"})
    assert Skills(library.root).shadowed == [".codex/skills/release", ".gemini/skills/release"]


def test_skills_are_found_in_folders_that_group_them(write, library):
    """G-6, G-9: `skills/users/convert/SKILL.md`; a manual inside of a skill is its own file."""
    write(
        {
            "skills/users/convert/SKILL.md": "---\nname: convert\n---\nPDF to BibTeX.",
            "skills/users/convert/notes.md": "More.",
            "skills/developers/contribute/SKILL.md": "---\ndescription: Contribute\n---\nX",
            "skills/write/SKILL.md": "---\nname: write\n---\nWrite a skill.",
            "skills/write/template/SKILL.md": "---\nname: template\n---\nY",
            "skills/users/README.md": "For users.",
        }
    )
    found = Skills(library.root)
    assert [skill.folder for skill in found.all()] == [
        "skills/developers/contribute", "skills/users/convert", "skills/write"
    ]  # fmt: skip
    files = [found.get("write").inside(each) for each in found.get("write").files]
    assert files == ["SKILL.md", "template/SKILL.md"]
    assert listing.skill(found, "convert")["files"] == ["SKILL.md", "notes.md"]


def test_the_skills_of_a_repositorys_parts_are_served_too(write, library):
    """G-6, G-9: as AGENTS.md is; one whose name is taken has its part before it."""
    write(
        {
            ".github/skills/release/SKILL.md": "---\nname: release\n---\nAll of it.",
            "python/.github/skills/release/SKILL.md": "---\nname: release\n---\nThe wheel.",
            "python/.github/skills/test/SKILL.md": "---\nname: test\n---\nRun pytest.",
            "python/.github/skills/test/AGENTS.md": "# In one file",
            "apps/web/.claude/skills/test/SKILL.md": "---\nname: test\n---\nRun vitest.",
            "apps/api/.claude/skills/release/SKILL.md": "---\nname: release\n---\nAll of it.",
            "samples/claw/.claude/skills/sample/SKILL.md": "---\nname: sample\n---\nX",
            "python/skills/data/SKILL.md": "---\nname: data\n---\nX",
        }
    )
    found = Skills(library.root, library.skill_homes())
    assert [(skill.name, skill.folder) for skill in found.all()] == [
        ("python-release", "python/.github/skills/release"),
        ("python-test", "python/.github/skills/test"),
        ("release", ".github/skills/release"),
        ("test", "apps/web/.claude/skills/test"),
    ]
    assert found.shadowed == []
    assert listing.skill(found, "python-release")["uri"] == "skill://python-release/SKILL.md"
    keys = [document.key for document in library.documents()]
    assert "skills/python/.github/skills/test/SKILL.md" in keys
    assert "agents/python/.github/skills/test/AGENTS.md" not in keys


def test_a_skill_is_read_with_its_files(skills):
    """G-6: readable by a tool, for hosts that ignore resources."""
    answer = listing.skill(skills, "release")
    assert answer["content"] == "# Release\n\nDo it."
    assert answer["files"] == ["SKILL.md", "scripts/tag.sh"]
    assert answer["uri"] == "skill://release/SKILL.md"
    assert listing.skill(skills, "release", "scripts/tag.sh")["content"] == "git tag"


def test_an_unknown_skill_or_file_is_told_with_the_nearest(skills):
    with pytest.raises(NotFound, match="No skill is named 'relaese'; did you mean 'release'"):
        listing.skill(skills, "relaese")
    with pytest.raises(NotFound, match=r"has no file 'scripts/tags\.sh'; did you mean"):
        listing.skill(skills, "release", "scripts/tags.sh")
    with pytest.raises(NotFound):
        listing.skill(skills, "release", "../../../AGENTS.md")
