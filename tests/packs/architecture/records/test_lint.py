"""What lint finds: broken links, missing status, unknown references, and stale ones."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from toolcrib.packs.architecture.library.library import Library
from toolcrib.packs.architecture.records.lint import lint

Shelve = Callable[..., Library]
GOOD = "# 1. Good\n\n## Status\n\nAccepted\n\n"


def found(library: Library) -> list[tuple[str, int | None, str]]:
    return [(each.file.rsplit("/", 1)[-1], each.line, each.rule) for each in lint(library)]


def test_a_good_library_has_no_findings(shelve: Shelve) -> None:
    library = shelve(
        {
            "docs/adr/0001-good.md": GOOD
            + "[code](../../src/a.py) [site](https://x.org/y) [here](#a)\n"
            "[other](architecture://patterns/p) `[not](a-link.md)` ![pic](gone.png)\n"
            "\n```\n[not](a-link.md)\n```\n",
            "docs/adr/README.md": "# Decisions\n\n- [Good](0001-good.md)\n",
            "mcp/resources/patterns/p.md": "# P\n",
            "src/a.py": "",
        }
    )
    assert found(library) == []


def test_a_link_to_a_person_is_no_broken_link(shelve: Shelve) -> None:
    """A-1: `(@name)` and `(name@host)` mean no file; `@scope/file.md` and `file@2.md` do."""
    people = "[A. Writer](@awriter), [B](@b-c.d), [C](c.d+e@f.org), [nobody](@)"
    library = shelve({"docs/adr/0001-good.md": f"{GOOD}\n{people} [D](@docs/c.md) [E](e@2.md)\n"})
    found = [each.text for each in lint(library)]
    assert found == ["@docs/c.md leads nowhere", "e@2.md leads nowhere"]


def test_a_broken_link_is_told_with_its_line_and_the_nearest(shelve: Shelve) -> None:
    """A-1: broken links."""
    library = shelve(
        {
            "docs/adr/0001-good.md": f"---\ntitle: x\n---\n{GOOD}See [a](0002-secnd.md).\n",
            "docs/adr/0002-second.md": GOOD.replace("1.", "2."),
            "mcp/resources/guidelines/g.md": "# G\n\n[x](architecture://adr/77)\n",
        }
    )
    assert found(library) == [("0001-good.md", 10, "broken-link"), ("g.md", 3, "broken-link")]
    assert str(lint(library)[0]) == (
        "docs/adr/0001-good.md:10: error: 0002-secnd.md leads nowhere; "
        "nearest: 0002-second.md [broken-link]"
    )


def test_a_decision_without_a_status_is_told(shelve: Shelve) -> None:
    """A-1: missing status."""
    library = shelve({"docs/adr/0001-x.md": "# X\n", "mcp/resources/patterns/p.md": "# P\n"})
    assert found(library) == [("0001-x.md", None, "missing-status")]


def test_a_reference_to_no_decision_is_told(shelve: Shelve) -> None:
    """A-1: unknown references."""
    library = shelve({"docs/adr/0001-x.md": "# X\n\n## Status\n\nAccepted\n\nSupersedes ADR-99\n"})
    assert found(library) == [("0001-x.md", 7, "unknown-reference")]


def test_a_reference_to_a_number_of_several_names_them(shelve: Shelve) -> None:
    """A-2: an ambiguous number lists the candidates; a link that names one of them is clear."""
    library = shelve(
        {
            "docs/adr/0005-a.md": GOOD,
            "docs/adr/0005-b.md": GOOD,
            "docs/adr/0007-x.md": f"{GOOD}Supersedes ADR-5\n",
            "docs/adr/0008-y.md": f"{GOOD}Supersedes [ADR-5](0005-b.md)\n",
        }
    )
    told = [str(each) for each in lint(library) if each.file.endswith(("x.md", "y.md"))]
    assert told == [
        "docs/adr/0007-x.md:7: error: supersedes 'ADR-5', which is the number or name of several: "
        "docs/adr/0005-a.md, docs/adr/0005-b.md; link to the one meant [ambiguous-reference]"
    ]


def test_a_page_named_from_the_root_is_no_unknown_reference(shelve: Shelve) -> None:
    """A-1: a decision may take the place of a page that is none; its path begins at the root."""
    page = "- Supersedes: part of `docs/notes/README.md`\n"
    library = shelve(
        {
            "docs/adr/0001-x.md": f"# X\n\n- Status: accepted\n{page}",
            "docs/adr/0002-y.md": "# Y\n\n- Status: accepted\n- Supersedes: `docs/notes/gone.md`\n",
            "docs/notes/README.md": "# Notes\n",
        }
    )
    assert found(library) == [("0002-y.md", 4, "unknown-reference")]


def test_what_decisions_say_of_each_other_must_agree(shelve: Shelve) -> None:
    library = shelve(
        {
            "docs/adr/0001-a.md": GOOD,
            "docs/adr/0002-b.md": "# B\n\n## Status\n\nAccepted\n\nSupersedes ADR 1\n",
            "docs/adr/0003-c.md": "# C\n\n## Status\n\nSuperseded\n",
            "docs/adr/0004-d.md": GOOD,
            "docs/adr/0004-e.md": GOOD,
        }
    )
    assert found(library) == [
        ("0001-a.md", None, "stale-status"),
        ("0003-c.md", None, "no-successor"),
        ("0004-d.md", None, "doubled-number"),
        ("0004-e.md", None, "doubled-number"),
    ]
    assert {each.level for each in lint(library)} == {"warning"}


def test_a_file_that_cannot_be_read_is_told(shelve: Shelve, tmp_path: Path) -> None:
    library = shelve({"docs/adr/0001-a.md": GOOD})
    (tmp_path / "docs/adr/0002-b.md").write_bytes(b"\0")
    assert found(library) == [("0002-b.md", None, "unreadable")]


TEMPLATE = """# 1. Write decisions down

````md
# Title

## Status

```text
Superseded by [ADR-0002](0002-b.md)
```

## Context

Superseded by [ADR-0002](0002-b.md), an example of a sentence that is long enough to describe.
````

## Status

Accepted

## Context

Nobody remembers why things are as they are, and so they are decided again and again.
"""


def test_a_template_in_a_longer_fence_says_nothing_about_the_decision(shelve: Shelve) -> None:
    """A-1: an example is neither a link, nor a status, nor a description; lint has no complaint."""
    second = "# 2. B\n\n## Status\n\nAccepted\n"
    library = shelve({"docs/adr/0001-a.md": TEMPLATE, "docs/adr/0002-b.md": second})
    record = next(each for each in library.records() if each.number == 1)
    assert record.status == "accepted"
    assert record.links == ()
    assert record.description.startswith("Nobody remembers why")
    assert found(library) == []


def test_a_fence_that_is_never_closed_is_told(shelve: Shelve) -> None:
    """A-1: whatever follows it would be lost without a word."""
    library = shelve({"docs/adr/0001-x.md": f"---\ntitle: x\n---\n{GOOD}```sh\nls\n\n## Links\n"})
    assert found(library) == [("0001-x.md", 10, "open-fence")]
    assert lint(library)[0].level == "warning"


def test_what_a_template_leaves_blank_is_no_broken_link(shelve: Shelve) -> None:
    """A-10: a template is no decision; what stands in its blanks is to be filled in."""
    blank = "# [short title]\n\nSuperseded by [x](yyyymmdd-xxx.md)\n"
    library = shelve({"docs/adr/0001-good.md": GOOD, "docs/adr/template.md": blank})
    assert found(library) == []


def test_a_successor_that_is_no_decision_is_a_successor(shelve: Shelve) -> None:
    """A-10: `Reverted by` is a status, and what it names may stand elsewhere."""
    reverted = "Reverted by [discussion #1198](https://example.org/discussions/1198)."
    library = shelve({"docs/adr/0001-x.md": f"# X\n\n## Status\n\n{reverted}\n"})
    assert found(library) == []
