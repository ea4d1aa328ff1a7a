"""Plain front matter: the same values as YAML's own, at a fraction of its time."""

from __future__ import annotations

import datetime

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from support.growth import assert_grows_slowly
from toolcrib.core.errors import ConfigError
from toolcrib.files.markdown.document import parse
from toolcrib.files.markdown.frontmatter import read_front_matter, read_plain
from toolcrib.files.yaml import load

ODD = """accepted;yes;No;null;on;y;Ann;e5;nan;a.b;x/y;1;0x1f;é;2024-01-31;2024-13-01;~;-;--;...;\
[a];[a, b];[ a , yes ];[a,b];a: b;a:b;# c;a #b;'q';*a;&a;!t;|;>;{a};@;1_0;=;<<"""
WORDS = st.sampled_from(ODD.split(";"))
VALUES = st.lists(WORDS, max_size=4).map(" ".join) | st.text(
    st.sampled_from("aN01 .,:#-_/()@+[]'\"\t&*!|>{}?%\\é\u2028"), max_size=12
)
KEYS = st.sampled_from(
    ["status", "date", "a", "y", "null", "deciders", "x-y", "_", "1", "a b", "<<"]
)
LINES = st.tuples(KEYS, st.sampled_from([": ", ":", " : ", ":  "]), VALUES).map("".join)


@given(st.lists(LINES | st.sampled_from(["", "  - a", "- b", " more", "# c"]), max_size=5))
@example(["status: accepted", "date: 2024-01-31", "tags: [one, two]"])
@example(["status: accepted", " and more"])
@example(["a: yes", "b: No thanks"])
@example(["a: b", "a: c"])
def test_what_is_read_plainly_is_what_yaml_reads(lines: list[str]) -> None:
    """A-1: front matter means the same, whichever way it is read."""
    text = "".join(f"{line}\n" for line in lines)
    plain = read_plain(text)
    if plain is not None:
        assert plain == load(f"---\n{text}", "x.md").value
        assert [type(value) for value in plain.values()] == [
            type(value) for value in load(text, "x.md").value.values()
        ]


def test_the_usual_front_matter_of_a_decision_needs_no_parser() -> None:
    """A-1: status, date, people and tags are plain."""
    text = "status: accepted\ndate: 2024-01-31\ndeciders: Ann, Bob (lead)\ntags: [sql, on call]\n"
    assert read_plain(text) == {
        "status": "accepted",
        "date": datetime.date(2024, 1, 31),
        "deciders": "Ann, Bob (lead)",
        "tags": ["sql", "on call"],
    }


@pytest.mark.parametrize(
    "text",
    ["", "a: 1\n", "a: yes\n", "a: 2024-02-30\n", "a:\n  - b\n", 'a: "b"\n', "a: b\na: c\n"],
)
def test_what_could_mean_more_is_left_to_yaml(text: str) -> None:
    """A-1: numbers, booleans, quotes, lists in lines and doubled keys are YAML's to judge."""
    assert read_plain(text) is None
    if text == "a: b\na: c\n":
        with pytest.raises(ConfigError, match="already given"):
            load(text, "x.md")


def test_front_matter_behind_a_licence_or_without_blanks_is_no_heading() -> None:
    """A-1: the title is that of the first heading, also below a comment or a broken block."""
    licence = "<!--\nSPDX-License-Identifier: MIT\n-->\n\n"
    found = parse("a.md", f"{licence}---\nstatus: accepted\n---\n# One daemon\n".encode())
    assert (found.title, found.front_matter) == ("One daemon", {"status": "accepted"})
    assert found.text.splitlines()[found.body_line - 1] == "# One daemon"
    found = parse("a.md", b"---\ntag:Web Client\n---\n\n# Use IndexedDB\n")
    assert found.title == "Use IndexedDB"
    assert found.notes


def test_front_matter_whose_first_line_was_lost_is_no_heading() -> None:
    """A-1: the title is that of the first heading; one line above a rule is a heading as ever."""
    text = "status: proposed\ndeciders: Ann, Bob\n---\n\n# One daemon\n"
    found = parse("a.md", text.encode())
    assert (found.title, found.front_matter["status"]) == ("One daemon", "proposed")
    assert found.text.splitlines()[found.body_line - 1] == "" and found.notes
    for other in ("Chapter: one\n---\n", "We say: yes\nand more\n---\n", "a: b\nc: d\n\n---\n"):
        assert read_front_matter(other, "a.md", []) == ({}, 0)


def test_blank_lines_between_two_rules_take_no_longer_than_any_others() -> None:
    """FAULTS: a document cannot hold up its server; two rules with blanks and a text between."""

    def work(size: int) -> None:
        assert read_front_matter("---\n" + "\n" * size + "text\n---\n", "a.md", []) == ({}, 0)

    assert_grows_slowly(lambda size: work(min(size, 40_000)), 500)


def test_text_behind_a_comment_belongs_to_the_document() -> None:
    """A-1: only comments can stand before front matter; what else stands there is not dropped."""
    text = "<!-- a --> # Title\n\nText\n\n<!-- b -->\n---\nfoo: bar\n---\nrest\n"
    assert read_front_matter(text, "a.md", []) == ({}, 0)
