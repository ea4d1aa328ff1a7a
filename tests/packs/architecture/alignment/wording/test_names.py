from __future__ import annotations

import pytest

from support.growth import assert_grows_slowly
from toolcrib.packs.architecture.alignment.wording.names import Names
from toolcrib.packs.architecture.alignment.wording.words import phrase

BODY = """# Use Faktory for Background Jobs

We will run Faktory on a server of its own. A job is a message; background jobs are small.
We looked at `asynq`, too, and at [react-pdf](https://example.com).
"""


def test_names_are_told_from_words_by_how_a_record_writes_them() -> None:
    names = Names(BODY)
    assert names.within("Use Faktory for Background Jobs") == {"faktory"}
    assert names.within("asynq and react-pdf") == {"asynq", "react-pdf"}
    assert names.within("a server of its own") == frozenset()


def test_what_no_dictionary_has_is_a_name() -> None:
    assert Names("").within("use socket.io with OAuth2") == {"socket.io", "oauth2"}


def test_what_is_denied_in_a_word_is_not_named() -> None:
    """A-7: "non-Docker tools" are no choice of Docker."""
    assert Names("").within("Use non-Docker tools") == frozenset()


def test_an_identifier_is_written_as_programs_write_them() -> None:
    names = Names("We create a MeshTCPRoute policy and a Probe.")
    assert names.is_identifier("meshtcproute")
    assert not names.is_identifier("probe")


def test_an_acronym_is_a_name_though_code_writes_it_in_small_letters() -> None:
    """A-7: "SPIRE" is a name, whatever paths look like."""
    body = "Deploy SPIRE.\n\n```\nspire spire spire spire\n```\n\nSee `spire run`, /run/spire/a.\n"
    assert Names(body).within("the SPIRE server") == {"spire"}


def test_a_word_with_a_hyphen_in_bold_letters_is_a_name() -> None:
    assert Names("Adopt **framer-motion** here.").within("framer-motion") == {"framer-motion"}


def test_a_linked_tool_and_the_ending_of_files_are_names_though_code_has_them_small() -> None:
    """A-7: in commands and addresses the name of a tool has small letters."""
    code = "\n".join(f"See `inkpad/run {at}` and https://inkpad.example/a/{at}." for at in range(9))
    body = f"Use [Inkpad](https://inkpad.example/x/y) for slides.\n\n{code}\n"
    assert Names(body).within("an Inkpad page") == {"inkpad"}
    files = "Chosen option: `.strx files`\n\n" + "It reads `a.strx`.\n" * 5
    assert "strx" in Names(files).within("a second .strx")
    assert Names("The `gap` is a gap. Each gap, a gap, gap.").within("the gap") == frozenset()


@pytest.mark.parametrize("count", ["18", "3.11", "2024-05-01", "1.2.3"])
def test_a_count_a_date_or_a_version_is_no_name(count: str) -> None:
    """A-7: "as record 18 had it" names nothing of what the record chose."""
    assert Names(f"See `{count}`.").within(f"As {count} had it") == frozenset()
    assert Names("See `0160`.").within("The one of 0160") == {"0160"}


def test_two_everyday_words_with_capitals_inside_a_sentence_are_one_name() -> None:
    """A-7: "the Data Shuffle gem" is a thing, "Data" is none; a title with capitals has none."""
    names = Names(
        "# On Data Shuffle\n\nWe drop the Data Shuffle gem, for the data is "
        "big. Nobody may shuffle data but by hand.\n"
    )
    assert names.within("Data Shuffle gem") == {"data-shuffle"}
    assert names.within("shuffle the data") == frozenset()
    title = Names("# Use Budget Revisions\n\nWhat a budget is, revisions tell.\n")
    assert title.within("Use Budget Revisions") == frozenset()


def test_a_word_of_no_dictionary_that_comes_again_and_again_is_a_name() -> None:
    """A-7: packages are mostly written in small letters, and not always marked."""
    body = "We take plumthrow. With plumthrow, errors are values. Use plumthrow in new parsers."
    names = Names(body)
    assert "plumthrow" in names.within("return a result of plumthrow")
    assert not names.within("the errors of the parsers")
    assert not Names("We take plumthrow.").within("return a result of plumthrow")


def test_a_name_that_is_written_out_once_is_also_called_by_its_initials() -> None:
    """A-7: the chosen thing, however it is named; "DPO stamps" are not all of the name."""
    names = Names("The Digital Post Office (DPO) prints. A Queue (FIFO) waits.")
    assert names.initials_of(phrase("Digital Post Office").core) == {"dpo"}
    assert names.initials_of(phrase("Digital Post Office stamps").core) == frozenset()
    assert names.initials_of(phrase("Queue").core) == frozenset()


def test_finding_initials_takes_time_that_grows_with_the_text() -> None:
    """A-7: a record may be anything."""
    thing = phrase("Digital Post Office").core
    for piece in ("A", "Aa ", "A-", "Aa Bb (", "Aa of "):
        assert_grows_slowly(lambda size, piece=piece: Names(piece * size).initials_of(thing), 500)


def test_what_everything_on_the_web_has_is_no_name() -> None:
    """A-7: a word for a kind of thing tells no two decisions apart."""
    assert Names("We speak HTTP. HTML pages come over HTTPS.").within("HTTP and HTML") == set()
