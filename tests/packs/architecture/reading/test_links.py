"""A-1: links between decisions, as they are written and as they are meant."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolcrib.files.markdown.outline import Outline
from toolcrib.packs.architecture.reading.links import Address, Directory, find_links, hrefs, inverse


def links_of(body: str, **front_matter: object) -> list[tuple[str, str]]:
    return [(link.kind, link.target) for link in find_links(Outline(body), front_matter)]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Superseded by [ADR 9](0009-x.md)", [("superseded_by", "0009-x.md")]),
        ("Superceded by [9. x](0009-x.md)", [("superseded_by", "0009-x.md")]),
        ("SUPERSEDED by ADR-045", [("superseded_by", "ADR-045")]),
        ("Reverted by [9. x](0009-x.md)", [("superseded_by", "0009-x.md")]),
        ("REVERTED BY ADR-045", [("superseded_by", "ADR-045")]),
        ("Reverts ADR-3", [("supersedes", "ADR-3")]),
        ("Supplanted by ADR-3", [("superseded_by", "ADR-3")]),
        ("Retired in favour of ADR-3", [("deprecated_by", "ADR-3")]),
        ("Updated by ADR-3", [("amended_by", "ADR-3")]),
        ("Extended by ADR-3", [("amended_by", "ADR-3")]),
        ("Modifies ADR-3", [("amends", "ADR-3")]),
        ("Influenced by ADR-3", [("relates_to", "ADR-3")]),
        ("Supersedes [3. y](0003-y.md)", [("supersedes", "0003-y.md")]),
        ("Supersedes ADR 3 and ADR 4", [("supersedes", "ADR 3"), ("supersedes", "ADR 4")]),
        ("Superseded: 2019-12-19 by [ADR 14](0014-x.md)", [("superseded_by", "0014-x.md")]),
        ("Superseded on 3 March 2020 by ADR 14", [("superseded_by", "ADR 14")]),
        ("Replaced in May 2021, by ADR 14", [("superseded_by", "ADR 14")]),
        ("Replaced the queue that was used by ADR 14", []),
        ("Superseded by DR008", [("superseded_by", "DR008")]),
        ("Superseded by 12", [("superseded_by", "12")]),
        ("Amends [10. z](0010-z.md)", [("amends", "0010-z.md")]),
        ("Amended by [17. w](0017-w.md)", [("amended_by", "0017-w.md")]),
        ("Deprecated by [[0017-w]]", [("deprecated_by", "0017-w")]),
        ("Relates to ADR-2", [("relates_to", "ADR-2")]),
        ("See also [ADR 2](/adr/2)", [("relates_to", "/adr/2")]),
        (
            "Supersedes [a](0001-a.md); amends [b](0002-b.md)",
            [("supersedes", "0001-a.md"), ("amends", "0002-b.md")],
        ),
    ],
)
def test_a_verb_and_its_objects_are_links(line: str, expected: list[tuple[str, str]]) -> None:
    """A-1: supersedes, superseded by, amends, relates to, deprecated."""
    assert links_of(f"# T\n\n## Status\n\nAccepted\n\n{line}\n") == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Superseded [0019](0019-x.md)", [("superseded_by", "0019-x.md")]),
        ("⌛️ Superseded [0019](0019-x.md)", [("superseded_by", "0019-x.md")]),
        ("**Superseded**: 0019", [("superseded_by", "0019")]),
        ("Superseded → 0019", [("superseded_by", "0019")]),
        ("Superceded -> ADR-19", [("superseded_by", "ADR-19")]),
        ("Superseded (ADR 19, ADR 20)", [("superseded_by", "ADR 19"), ("superseded_by", "ADR 20")]),
        ("Superseded: 2019", []),
        ("Superseded: 12 March 2019", []),
        ("Superseded 2019-12-19", []),
        ("Superseded", []),
    ],
)
def test_a_status_without_by_names_the_successor(
    line: str, expected: list[tuple[str, str]]
) -> None:
    """A-1, A-7: what was superseded names what stands in its place; a date names nothing."""
    assert links_of(f"# T\n\n## Status\n\n{line}\n\n## Decision\n\nWe will.\n") == expected
    assert links_of(f"# T\n\n- Status: {line}\n") == expected
    assert links_of("# T\n", status=line) == expected
    assert not any(kind == "superseded_by" for kind, _ in links_of(f"# T\n\n## Log\n\n{line}\n"))


def test_front_matter_names_links_too() -> None:
    """A-1: the front-matter form."""
    found = links_of(
        "# T\n",
        **{
            "superseded-by": "ADR-0009",
            "amends": ["0002-b.md", 3],
            "relates_to": None,
            "title": "x",
        },
    )
    assert found == [("superseded_by", "ADR-0009"), ("amends", "0002-b.md"), ("amends", "3")]


def test_a_status_in_front_matter_names_the_successor() -> None:
    """A-1: the MADR form `status: superseded by [ADR-5](0005-x.md)`."""
    found = links_of("# T\n", status="superseded by [ADR-5](0005-x.md)")
    assert found == [("superseded_by", "0005-x.md")]


def test_a_link_in_the_prose_is_a_relation_with_its_line() -> None:
    """A-1: relates to."""
    (found,) = find_links(Outline("# T\n\nWords, see [x](0002-x.md) there.\n"), {})
    assert (found.kind, found.target, found.line) == ("relates_to", "0002-x.md", 3)


@pytest.mark.parametrize(
    "body",
    [
        "# T\n\nThis replaces the old way of doing things.\n",
        "# T\n\n- Supersedes: [another project](https://example.org/pull/7)\n",
        "# T\n\n- Supersedes: None\n",
        "# T\n\n```\nSupersedes ADR-3\n```\n",
    ],
)
def test_words_about_other_things_are_no_links(body: str) -> None:
    """A-1: nothing is guessed."""
    assert links_of(body) == []


def test_the_other_side_of_a_link_says_the_reverse() -> None:
    """A-1: every kind has its counterpart."""
    assert inverse("supersedes") == "superseded_by"
    assert inverse(inverse("amended_by")) == "amended_by"
    assert inverse("relates_to") == "relates_to"


@pytest.fixture
def directory() -> Directory:
    return Directory(
        lambda: [
            Address("u:1", 0, "0001-first.md", 1),
            Address("u:2", 0, "0002-second.md", 2),
            Address("u:2b", 0, "0002-another.md", 2),
            Address("u:15", 0, "features/0015-acks/README.md", 15),
            Address("u:d", 1, "2024-01-01-dated.md", None),
        ]
    )


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("0001-first.md", "u:1"),
        ("./0001-first.md#decision", "u:1"),
        ("../adr/0001-first.md", "u:1"),
        ("0001-first", "u:1"),
        ("ADR-1", "u:1"),
        ("1", "u:1"),
        ("/adr/1", "u:1"),
        ("../0015-acks/README.md", "u:15"),
        ("2024-01-01-dated.md", "u:d"),
        ("ADR 2", None),
        ("0001-renamed.md", None),
        ("0099-gone.md", None),
    ],
)
def test_a_target_means_one_document_or_none(
    directory: Directory, target: str, expected: str | None
) -> None:
    """A-2: never a guess."""
    assert directory.resolve(target, 0, "0009-here.md") == expected


def test_pictures_are_no_links() -> None:
    """A-1: links between decisions."""
    assert [href for href, _ in hrefs("![p](p.png) [a](a.md 'title') [b](<b.md>)")] == [
        "a.md",
        "b.md",
    ]


@given(st.text(max_size=300), st.text(max_size=60))
def test_any_text_is_read_without_a_crash(body: str, target: str) -> None:
    """A-1: documents are untrusted."""
    find_links(
        Outline(f"# T\n\nSupersedes {body}\n\n[{body}]({target})"),
        {"amends": target, "status": body},
    )
    Directory(lambda: [Address("u", 0, "a/b.md", 1)]).resolve(target, 0, "a/c.md")
