from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.growth import assert_costs_at_most
from toolcrib.packs.architecture.alignment.proposal import (
    Proposal,
    When,
    plain_title,
    subject,
    version,
)
from toolcrib.packs.architecture.alignment.record.parts import plain_text

RECORD = """---
date: 2024-03-01
---

# 12. Use MongoDB for orders

See [ADR 3](0003-x.md) at https://example.com/x.

```python
secret = "in code"
```

<!-- a comment -->

We will use MongoDB. It is **fast**.
"""


def test_a_whole_record_is_read_with_its_number_and_date() -> None:
    proposal = Proposal.of(RECORD)
    assert proposal.title == "12. Use MongoDB for orders"
    assert proposal.when == When(12, "2024-03-01")
    assert proposal.sentences[0] == "Use MongoDB for orders."
    assert "We will use MongoDB." in proposal.sentences


def test_code_comments_and_addresses_are_no_words() -> None:
    text = Proposal.of(RECORD).text
    assert not [each for each in ("in code", "a comment", "example.com", "0003-x") if each in text]


def test_a_sentence_is_its_own_title() -> None:
    proposal = Proposal.of("Use MongoDB for orders. It is fast.", "We lose orders today.")
    assert proposal.title == "Use MongoDB for orders"
    assert proposal.when == When()
    assert "We lose orders today." in proposal.sentences


def test_a_long_sentence_is_cut_at_a_word() -> None:
    title = Proposal.of("word " * 200).title
    assert len(title) <= 160
    assert title.endswith("word")


@pytest.mark.parametrize(
    ("title", "plain"),
    [
        ("0030 - Adopt pnpm", "Adopt pnpm"),
        ("7 – Use Redis", "Use Redis"),
        ("12. Use MongoDB", "Use MongoDB"),
        ("ADR 045: BaseApp as Middlewares", "BaseApp as Middlewares"),
        ("ADR-0003 - Use X", "Use X"),
        ("Aries RFC 0023: DID Exchange v1", "DID Exchange v1"),
        ("0440: KMS Architectures", "KMS Architectures"),
        ("use-heroku-for-hosting", "use heroku for hosting"),
        ("3 ways to fail", "3 ways to fail"),
        ("Use rubocop-govuk for linting", "Use rubocop-govuk for linting"),
    ],
)
def test_titles_lose_their_numbers(title: str, plain: str) -> None:
    assert plain_title(title) == plain


def test_a_subject_is_free_of_doing_and_of_versions() -> None:
    assert subject("3. Use Python 3.11 for the API v2") == subject("Adopt Python for the API")


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Issue Credential Protocol", "Issue Credential Protocol 2.0"),
        ("Use JUnit 4.12", "Use JUnit 5"),
        ("API v1", "API v2"),
        ("ABCI (Phase I)", "ABCI (Phase II)"),
    ],
)
def test_versions_are_compared(older: str, newer: str) -> None:
    assert version(newer) > version(older)


def test_what_is_older_is_known_by_number_or_by_date() -> None:
    assert When(3).before(When(4))
    assert not When(4, "2020-01-01").before(When(3, "2024-01-01"))
    assert When(None, "2020-01-01").before(When(7, "2024-01-01"))
    assert not When(3).before(When(None, "2024-01-01"))


@settings(deadline=None)
@given(st.text(max_size=300))
def test_any_text_is_a_proposal(text: str) -> None:
    proposal = Proposal.of(text, text)
    assert isinstance(proposal.terms, list)
    assert len(proposal.title) <= 300


@pytest.mark.parametrize("unit", ["[", "](", "<!--", "```\n", "1. ", "# ", "a.b ", "---\n", "{"])
def test_hostile_text_is_read_in_no_time(unit: str) -> None:
    started = time.process_time()
    proposal = Proposal.of((unit * 5_000)[:5_000])
    _ = proposal.sentences, proposal.terms, proposal.subject, plain_text(unit * 50_000)
    assert_costs_at_most(time.process_time() - started, 200)


def test_an_order_behind_a_label_says_what_is_to_be_done() -> None:
    """A-7: "PR: keep …" is no subject, and neither is "feat: accept …"."""
    assert Proposal.of("PR: keep the tar warm in a pot").states
    assert Proposal.of("feat(hull): accept a second mast").states
    assert not Proposal.of("PR: warm tar").states
