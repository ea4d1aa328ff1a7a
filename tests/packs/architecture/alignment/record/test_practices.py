from __future__ import annotations

import pytest

from toolcrib.packs.architecture.alignment.record.practices import Practice, read_practices
from toolcrib.packs.architecture.alignment.wording.names import Names
from toolcrib.packs.architecture.alignment.wording.words import phrase


def names_in(sentence: str, *refused: str) -> set[str]:
    found = read_practices([sentence], Names(sentence), [phrase(each) for each in refused])
    return {name for each in found for name in each.names}


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        ("Secrets must be read with `read_secret`.", "read_secret"),
        ("Shared code lives in the `LibCommon` folder.", "libcommon"),
        ("Return errors as ProblemDetails to the client.", "problemdetails"),
        ("Mails are rendered by `MailView` in the worker.", "mailview"),
    ],
)
def test_a_decision_says_by_names_how_something_is_done(sentence: str, name: str) -> None:
    """A-7: what the record chose is read from its sentences, in its details too."""
    assert name in names_in(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "We could render mails by `MailView` some day.",
        "We compared `MailView` with others.",
        "Currently mails are rendered by `MailView`.",
        "Mails must not be rendered by `MailView`.",
        "There is a problem with `MailView` in the worker.",
    ],
)
def test_what_is_only_thought_about_is_no_practice(sentence: str) -> None:
    """A-7: only a decision takes a thing."""
    assert "mailview" not in names_in(sentence)


def test_what_was_refused_is_no_practice() -> None:
    """A-7: what was rejected is not what the record stands for."""
    assert not names_in("Mails are rendered by `MailView`.", "MailView")


def test_a_practice_without_its_names_is_none() -> None:
    practice = Practice("We call `f`.", phrase("call f"), frozenset(("f", "g")))
    assert practice.without(frozenset("f")).names == {"g"}


@pytest.mark.parametrize(
    "sentence",
    [
        "For example, we put a `Shelf` into the page.",
        "While both are mature, also `Plumdb`, in the end Peardb was chosen.",
    ],
)
def test_examples_and_comparisons_are_no_practice(sentence: str) -> None:
    """A-7: what only illustrates or compares tells nobody what to do."""
    assert not names_in(sentence) & {"shelf", "plumdb"}
