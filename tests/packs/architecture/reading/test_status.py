"""A-1: the status of a decision, in the forms that people write."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.growth import assert_costs_at_most
from toolcrib.files.markdown.outline import Outline
from toolcrib.packs.architecture.reading.status import Status, find_status, normalise

FORMS = {
    "Nygard": (
        "# 1. Title\n\nDate: 2024-01-01\n\n## Status\n\nAccepted\n\n## Context\n",
        "accepted",
    ),
    "MADR 2": ("# Title\n\n* Status: proposed\n* Deciders: us\n", "proposed"),
    "bold line": ("# Title\n\n**Status:** Rejected\n", "rejected"),
    "bold list item": ("# Title\n\n- **Status**: Deprecated\n", "deprecated"),
    "plain line": ("# Title\n\nStatus: Accepted\n", "accepted"),
    "quoted line": ("# Title\n\n> **Status:** Draft\n", "proposed"),
    "table of two columns": (
        "# T\n\n| Status | Accepted |\n|---|---|\n| Date | 2024 |\n",
        "accepted",
    ),
    "table with a header": (
        "# T\n\n| Date | Status | By |\n|---|---|---|\n| 2024 | Rejected | me |\n",
        "rejected",
    ),
    "bold cell": ("# T\n\n| | |\n|---|---|\n| **Status** | Proposed |\n", "proposed"),
    "HTML table": ("<table><tr><td>Status</td><td>Accepted</td></tr></table>\n", "accepted"),
    "badge with a word": (
        "# T\n\n## Status\n\n![Superseded](https://img.shields.io/badge/adr-superseded-orange)\n",
        "superseded",
    ),
    "badge without one": (
        "# T\n\n![](https://img.shields.io/badge/status-accepted-green)\n\nText.\n",
        "accepted",
    ),
    "heading with the value": ("# T\n\n## Status: ARCHIVED\n", "deprecated"),
    "numbered heading": ("# T\n\n## 2. Status\n\nApproved\n", "accepted"),
    "setext heading": ("T\n=\n\nStatus\n------\n\nAccepted\n", "accepted"),
    "ticked box": (
        "# T\n\n## Status\n\n- [ ] Proposed\n- [x] Accepted\n- [ ] Rejected\n",
        "accepted",
    ),
    "struck out": ("# T\n\n## Status\n\n~~Proposed~~ Accepted\n", "accepted"),
    "behind a comment": ("# T\n\n## Status\n\n<!-- one of … -->\n\nAccepted\n", "accepted"),
    "link": ("# T\n\n- Status: [ADOPTED](/README.md#adopted)\n", "accepted"),
    "amended by another": ("# T\n\n## Status\n\nUpdated by [ADR 5](0005-x.md)\n", "accepted"),
    "a word of its own": ("# T\n\n## Status\n\nUpdated\n", "updated"),
    "late section": ("# T\n\n" + "Words.\n" * 900 + "\n## Status\n\nRejected\n", "rejected"),
    "accepted, then replaced": (
        "# T\n\n## Status\n\nAccepted\n\nSuperseded by [ADR 9](0009-x.md)\n",
        "superseded",
    ),
    "replaced in one line": (
        "# T\n\n## Status\n\nImplemented. Superseded by ADR-013.\n",
        "superseded",
    ),
    "a spelling of its own": ("# T\n\n## Status\n\nSuperceded by [x](x.md)\n", "superseded"),
    "only what it replaces": ("# T\n\n## Status\n\nSupersedes [x](x.md)\n", "accepted"),
    "partly replaced": ("# T\n\n## Status\n\nPartly superseded by [x](x.md)\n", "accepted"),
    "not recommended": ("# T\n\n- **Decision Status**: Not Recommended\n", "rejected"),
    "a sentence": ("# T\n\nThis ADR has been superseded by the next one.\n", "superseded"),
    "a word of the team": ("# T\n\n* Status: DEMONSTRATED\n", "demonstrated"),
    "bold without a colon": ("# T\n\n**Status** Accepted\n", "accepted"),
    "with a date": ("# T\n\nStatus (2020-01-01): accepted\n", "accepted"),
    "heading with brackets": ("# T\n\n## Status (Accepted)\n", "accepted"),
    "definition list": ("# T\n\nStatus\n: Accepted\n", "accepted"),
    "HTML definition list": ("<dl><dt>Status</dt><dd>Accepted</dd></dl>\n", "accepted"),
    "table of what happened": (
        "# T\n\n| Date | Status |\n|---|---|\n| 2020 | Proposed |\n| 2021 | Accepted |\n",
        "accepted",
    ),
    "another language": ("# T\n\n## Estado\n\nAceptado\n", "accepted"),
    "two languages": (
        "# T\n\n## Status / 상태\n\n**Accepted (2024-01-01) — joined.**\n",
        "accepted",
    ),
    "two languages, ours last": ("# T\n\n## Stand / Status\n\nProposed\n", "proposed"),
    "another language in brackets": ("# T\n\n## Status (상태)\n\nRejected\n", "rejected"),
    "beside a word on what a status is": (
        "# T\n\n## Status\n\nAccepted\n\n## Decision\n\n"
        "- **Status** -- Proposed, Accepted, Deprecated, or Superseded (with a link).\n",
        "accepted",
    ),
    "work in progress": ("# T\n\n## Status\n\nWork in progress\n", "proposed"),
    "value on the next line": ("# T\n\n**Status**\n\nAccepted on 2024-01-01\n", "accepted"),
}


def status_of(body: str, title: str = "T", **front_matter: object) -> Status | None:
    return find_status(title, Outline(body), front_matter)


@pytest.mark.parametrize("form", FORMS)
def test_a_status_is_found_in_every_form(form: str) -> None:
    """A-1: MADR, Nygard, front-matter, table, badge and bold-line forms."""
    body, expected = FORMS[form]
    found = status_of(body)
    assert found is not None
    assert found.name == expected


@pytest.mark.parametrize(
    ("front_matter", "expected"),
    [
        ({"status": "accepted"}, "accepted"),
        ({"Status": "Proposed"}, "proposed"),
        ({"status": ["rejected"]}, "rejected"),
        ({"adr_status": {"value": "deprecated"}}, "deprecated"),
        ({"tags": ["Superseded"]}, "superseded"),
        ({"status": {"proposed": None}}, "proposed"),  # `{proposed}`: a template's braces stayed
    ],
)
def test_front_matter_states_it_too(front_matter: dict[str, object], expected: str) -> None:
    """A-1: the front-matter form."""
    found = status_of("# T\n\nWords.\n", **front_matter)
    assert found is not None
    assert found.name == expected


def test_a_body_that_says_replaced_outweighs_stale_front_matter() -> None:
    """A-1: nobody brings front matter up to date."""
    found = status_of("# T\n\n## Status\n\nSuperseded by ADR 7\n", status="Accepted")
    assert found is not None
    assert (found.name, found.text) == ("superseded", "Superseded by ADR 7")


@pytest.mark.parametrize(
    "body",
    [
        "# T\n\nNo word about it.\n",
        "# T\n\n## Status quo\n\nWe have three servers.\n",
        "# T\n\n```yaml\nstatus: accepted\n```\n",
        "# T\n\n* Status: {proposed | rejected | accepted | deprecated}\n",
        "# T\n\n* Status: [accepted | superseded by [ADR-0005](0005-example.md)]\n",
        "# T\n\n## Status\n\nWhat is it, such as proposed, accepted, rejected or deprecated?\n",
        "# T\n\n- Status Note: implemented somewhere\n",
        "# T\n\n## Status\n\n",
        "",
    ],
)
def test_where_nothing_is_stated_nothing_is_found(body: str) -> None:
    """A-1: a placeholder, code or another heading is no status."""
    assert status_of(body) is None
    assert status_of("# T\n", status={"proposed | rejected": None}) is None
    assert status_of("# T\n", status={"proposed": None, "accepted": None}) is None
    assert status_of("# T\n", status={}) is None


def test_the_words_as_written_are_kept() -> None:
    """A-1: normalised, and as it stands there."""
    assert normalise("**ACCEPTED** Not Implemented") == Status(
        "accepted", "ACCEPTED Not Implemented"
    )


@given(st.text(max_size=400))
def test_any_text_is_read_without_a_crash(text: str) -> None:
    """A-1: documents are untrusted."""
    for body in (text, f"# T\n\n## Status\n\n{text}", f"| Status | {text}", f"Status: {text}"):
        found = find_status(text, Outline(body), {"status": text, "tags": [text]})
        assert found is None or (found.name and found.text)


def test_a_hostile_document_takes_no_time() -> None:
    """FAULTS, documents: 1 MB in a single line."""
    began = time.process_time()
    for body in (
        "status" * 170_000,
        "|" * 1_000_000,
        "## Status\n" * 50_000,
        "<!--" * 250_000,
        "[" * 500_000,
    ):
        find_status("T", Outline(body), {})
    assert_costs_at_most(time.process_time() - began, 300)


def test_a_section_on_the_status_goes_before_a_table_below_it() -> None:
    """A-1: a field called `state` that a decision describes is not the decision's own."""
    table = "| field | type |\n|---|---|\n| state | enum { processing, failed } |\n"
    body = f"# T\n\n## Status\n\nACCEPTED\n\n## Decision\n\n{table}"
    assert find_status("T", Outline(body), {}) == Status("accepted", "ACCEPTED")
    unsaid = "# T\n\n## Status\n\n## Details\n\nStatus: Rejected\n"
    assert find_status("T", Outline(unsaid), {}) == Status("rejected", "Rejected")
