from __future__ import annotations

import asyncio
import base64

import pytest

from toolcrib.core.errors import ResourceNotFound
from toolcrib.packs.guide.resources import GuideResources

TWO_WORDS = "# Two words\n\nA first paragraph\nin two lines.\n\nSecond."


@pytest.fixture
def source(session, write):
    write(
        {
            "guide/docs/two words.md": TWO_WORDS,
            "guide/docs/said.md": "---\ndescription: Said in the front matter\n---\n# Said\n\nNo.",
            "guide/docs/bad.txt": b"\x00",
            ".claude/skills/release/SKILL.md": "---\ndescription: Ship it\n---\n# Release",
            ".claude/skills/release/logo.png": b"\x89PNG\x00",
        }
    )
    return GuideResources(session)


def read(source, uri):
    (contents,) = asyncio.run(source.read(uri))
    return contents


def test_documents_are_listed_with_title_size_and_description(source):
    """G-1: documents as real resources with title, size and description."""
    listed = {each.uri: each for each in source.resources()}
    assert list(listed) == sorted(listed)
    found = listed["guide://docs/two%20words.md"]
    assert (found.title, found.description) == ("Two words", "A first paragraph in two lines.")
    assert (found.size, found.mime_type) == (53, "text/markdown")
    assert listed["guide://docs/said.md"].description == "Said in the front matter"
    assert listed["guide://lang/rust.md"].title == "Rust here"
    assert "Cannot be read" in listed["guide://docs/bad.txt"].description


def test_a_skill_is_listed_once(source):
    """G-6, G-8: by its SKILL.md; its other files are read by the template."""
    listed = {each.uri: each for each in source.resources()}
    assert listed["skill://release/SKILL.md"].description == "Ship it"
    assert [uri for uri in listed if uri.startswith("skill://")] == ["skill://release/SKILL.md"]


@pytest.mark.parametrize(
    ("uri", "text"),
    [
        ("guide://lang/rust.md", "---\ntitle: Rust here\n---\nUse enums.\n"),
        ("guide://lang/rust", "---\ntitle: Rust here\n---\nUse enums.\n"),
        ("guide://docs/v1/api.md", "# Old API\n"),
        (
            "guide://docs/two%20words.md",
            "# Two words\n\nA first paragraph\nin two lines.\n\nSecond.",
        ),
        ("skill://release/SKILL.md", "---\ndescription: Ship it\n---\n# Release"),
        ("skill://release", "---\ndescription: Ship it\n---\n# Release"),
    ],
)
def test_a_resource_is_read_as_it_is(source, uri, text):
    """G-1: guide://category/document."""
    assert read(source, uri).text == text


def test_what_is_not_text_comes_in_base64(source):
    contents = read(source, "skill://release/logo.png")
    assert contents.text is None
    assert base64.b64decode(contents.blob) == b"\x89PNG\x00"


@pytest.mark.parametrize(
    ("uri", "near"),
    [
        ("guide://lang/pyton.md", ["guide://lang/python.md"]),
        ("guide://lnag/python.md", ["guide://lang/python.md"]),
        ("skill://relase/SKILL.md", ["skill://release/SKILL.md"]),
        ("guide://lang/../../README.md", []),
        ("guide://lang/%2e%2e/%2e%2e/README.md", []),
        ("guide://", []),
        ("skill://release/../../../README.md", []),
        ("other://x/y", []),
    ],
)
def test_an_unknown_uri_is_told_with_the_nearest(source, uri, near):
    """FAULTS: `..`, percent-encoded: the same text for outside and missing."""
    with pytest.raises(ResourceNotFound) as caught:
        read(source, uri)
    assert caught.value.data["uri"] == uri
    assert set(near) <= set(caught.value.data["nearest"])


def test_a_short_name_that_could_mean_two_is_not_guessed(source, write):
    write({"guide/lang/python.txt": "other"})
    source._session.library.forget()
    with pytest.raises(ResourceNotFound):
        read(source, "guide://lang/python")
    assert read(source, "guide://lang/python.txt").text == "other"


def test_template_variables_are_completed(source):
    """S-8: completion for resource templates."""
    complete = source.complete
    assert complete("guide://{category}/{+document}", "category", "l", {}) == ["lang"]
    assert complete("guide://{category}/{+document}", "document", "p", {"category": "lang"}) == [
        "python.md"
    ]
    assert complete("guide://{category}/{+document}", "document", "p", {}) == []
    assert complete("skill://{skill}/{+file}", "skill", "", {}) == ["release"]
    assert complete("skill://{skill}/{+file}", "file", "S", {"skill": "release"}) == ["SKILL.md"]


def test_a_second_listing_reads_nothing_again(source, monkeypatch):
    """G-1: quick when warm."""
    source.resources()
    reads = []
    root = source._session.library.root
    original = root.read
    monkeypatch.setattr(root, "read", lambda path, **k: reads.append(path) or original(path, **k))
    source.resources()
    assert [path for path in reads if "guide/" in path] == []


def test_documentation_is_read_by_its_template_and_in_no_list(bare):
    """G-9, G-8: one template, not a listed resource each; a skill is listed once."""
    session = bare(
        {
            "docs/page.md": "# Page",
            "README.md": "# Shop",
            ".claude/skills/release/SKILL.md": "---\ndescription: Ship it\n---\n# Release",
        }
    )
    source = GuideResources(session)
    assert [each.uri for each in source.resources()] == ["skill://release/SKILL.md"]
    assert read(source, "guide://docs/docs/page.md").text == "# Page"
    assert read(source, "guide://docs/README.md").text == "# Shop"
