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
