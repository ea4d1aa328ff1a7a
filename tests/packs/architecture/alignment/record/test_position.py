from __future__ import annotations

import pytest

from support.growth import assert_grows_slowly
from toolcrib.packs.architecture.alignment.record.position import Position

BODY = """# 7. Error tracking

## Considered Options

* Sentry
* Rollbar

## Decision Outcome

Chosen option: Rollbar, because it groups well.

* cheap
* We will not send personal data to it.

### Negative Consequences

* Another bill.

## Changelog

We moved this record.
"""


def position() -> Position:
    return Position("Error tracking", BODY)


def test_a_record_stands_for_what_it_chose_and_against_what_it_did_not() -> None:
    """A-7: what the record chose, rejected, and says."""
    found = {(each.kind, each.text): each.wanted for each in position().choices}
    assert found["chosen", "Rollbar"] is True
    assert found["rejected", "Sentry"] is False
    said = {each.sentence: each.wanted for each in position().said}
    assert said["We will not send personal data to it."] is False


def test_only_whole_sentences_of_the_decision_are_quoted() -> None:
    """A-7: never a title, a change log or a piece of a list."""
    assert position().quotable == [
        "Chosen option: Rollbar, because it groups well.",
        "We will not send personal data to it.",
    ]


def test_a_record_without_sections_is_read_as_a_whole() -> None:
    bare = Position("Use Redis", "# Use Redis\n\nWe will use Redis as a cache.\n")
    assert bare.decided == ["We will use Redis as a cache."]
    assert all("redis" in each.focus.core for each in bare.choices)


def named(title: str, body: str) -> dict[str, frozenset[str]]:
    """For each choice that is wanted, by its kind: the names that tell it from the others."""
    return {each.kind: each.names for each in Position(title, body).choices if each.wanted}


def test_what_all_options_have_in_common_names_none_of_them() -> None:
    """A-7: "Run ArgoCD on …" is what they are about."""
    body = (
        "## Considered Options\n\n- Run ArgoCD on Elastisys nodes\n"
        "- Run ArgoCD on Customer nodes\n\n"
        "## Decision Outcome\n\nChosen option: Run ArgoCD on Elastisys nodes\n\n"
        "ArgoCD is small. On Elastisys nodes it is safe.\n"
    )
    assert named("Where ArgoCD runs", body)["chosen"] == {"elastisys"}


def test_the_names_of_a_purpose_are_not_what_was_chosen() -> None:
    """A-7: "for the Billing API" says what it is for."""
    body = "## Decision\n\nThe Billing API gets its events from Kafka. Billing API is old.\n"
    assert named("Use Kafka for the Billing API", body)["title"] == {"kafka"}


def test_a_sentence_about_the_present_decides_nothing() -> None:
    """A-7: a verdict rests on what was decided."""
    body = (
        "## Decision\n\nProduction is currently running PostgreSQL 13. It will get version 17.\n"
        "We will keep what we currently have in the shop.\n"
    )
    said = [each.sentence for each in Position("Versions", body).said]
    assert not any("13" in each for each in said)
    assert any("17" in each for each in said)
    assert any("shop" in each for each in said)


def test_a_chosen_option_may_turn_something_down_too() -> None:
    """A-7: polarity of each clause, also within an option."""
    body = "## Decision Outcome\n\nChosen option: Flags in the Console outside of Terraform\n"
    found = {each.wanted: each.focus.core for each in Position("Flags", body).choices
             if each.kind in ("chosen", "rejected")}  # fmt: skip
    assert found[False] == {"terraform"}
    assert "consol" in found[True]


def test_what_a_choice_is_for_stands_in_the_title() -> None:
    body = "## Decision\n\nWe use Figaro.\n"
    assert Position("Use Figaro for environment variables", body).purpose.core == {
        "environ",
        "variabl",
    }


def test_of_a_list_that_was_chosen_each_part_is_known() -> None:
    """A-7: of "A and B" one is enough."""
    body = "## Decision Outcome\n\nChosen option: OAuth2 and OpenID\n\nOpenID is known.\n"
    (chosen,) = [each for each in Position("Login", body).choices if each.kind == "chosen"]
    assert set(chosen.groups) == {
        frozenset({"oauth2", "openid"}), frozenset({"oauth2"}), frozenset({"openid"}),
    }  # fmt: skip


@pytest.mark.parametrize(
    "unit", [" ", "\t", "\n", "\u00a0", "(", "[", "use ", "- ", "a, ", "options: ", "from a ", "**"]
)
def test_a_hostile_record_is_read_in_linear_time(unit: str) -> None:
    """FAULTS: patterns are linear; thousands of blanks or brackets cost no more than words do."""

    def work(size: int) -> None:
        filling = (unit * size)[:size]
        body = f"# Use Redis\n\n## Options\n\n* A{filling}b\n* C\n\n## Decision\n\nUse A{filling}."
        Position("Use Redis", body).get_ready()

    assert_grows_slowly(work, 2_000)


def test_a_record_forbids_by_its_title_and_by_its_rules() -> None:
    """A-7: what everybody is told not to do; other negations tell why."""
    body = (
        "## Decision\n\nRebase merges are disallowed. Squash merges keep a link.\n\n"
        "The long history does not matter.\n"
    )
    found = Position("No force pushes to main", body).prohibitions
    assert [sorted(each.focus.raw & {"rebase", "force", "history"}) for each in found] == [
        ["force"],
        ["rebase"],
    ]


def test_what_two_options_say_no_to_is_refused_by_both() -> None:
    """A-7: "remove X" was chosen, and "keep X" was not: both refuse X."""
    body = (
        "# jQuery\n\n## Options Considered\n\n1. Keep jQuery.\n2. Remove jQuery and replace its "
        "functionality with modern code.\n\n## Decision\n\nRemove jQuery.\n"
    )
    choices = Position("jQuery", body).choices
    assert any("jquery" in each.names for each in choices)
    assert not any(each.wanted for each in choices if "jquery" in each.names)


def test_what_nothing_may_rely_on_any_longer_is_refused() -> None:
    """A-7: the thing of a ban may stand at its end."""
    body = "# GPIO\n\n## Decision\n\nWe no longer accept integrations that talk over GPIO.\n"
    wanted = {each.wanted for each in Position("GPIO", body).choices if "gpio" in each.names}
    assert wanted == {False}


def choices(body: str) -> dict[str, bool]:
    return {
        each.text: each.wanted for each in Position("Ledgers", f"# 7. Ledgers\n\n{body}").choices
    }


@pytest.mark.parametrize(
    ("decided", "thing"),
    [
        ("We will build upon Basalt as our ledger.", "Basalt"),
        ("We will embed Basalt within the desk.", "Basalt"),
        ("After all that, Basalt seems to be the better option to go for.", "Basalt"),
        ("Of the above, the team feels Basalt is the best placed in terms of speed.", "Basalt"),
    ],
)
def test_a_choice_is_read_however_it_is_put(decided: str, thing: str) -> None:
    """A-7: what the record chose."""
    body = f"## Decision\n\n{decided} Clerks like Basalt. `Basalt` it is.\n"
    assert choices(body).get(thing) is True


def test_a_late_sentence_may_settle_the_matter() -> None:
    """A-7: what the record chose, also behind what it weighs."""
    weighed = "".join(f"Ledgers of kind {n} have their own smell. " for n in range(8))
    body = f"## Decision\n\n{weighed}We have therefore settled upon Basalt, as clerks like it.\n"
    assert choices(body).get("Basalt") is True


def test_who_will_not_do_something_is_not_refused() -> None:
    """A-7: what the record rejected."""
    body = "## Decision\n\nThe Basalt server will NOT allow joining clerks by a shared token.\n"
    found = Position("Ledgers", f"# 7. Ledgers\n\n{body}").choices
    assert all("basalt" not in each.names for each in found if not each.wanted)


def test_what_a_record_moves_from_and_to_is_not_refused() -> None:
    """A-7: "from A to A and B" takes both."""
    body = "## Decision\n\nWe switch the desks from Basalt to Granite and Basalt.\n"
    assert [text for text, wanted in choices(body).items() if not wanted] == []


def test_the_names_in_the_explanation_of_the_chosen_option_are_wanted() -> None:
    """A-7: sections end at a heading of their own level, and options are read in sub-headings."""
    body = (
        "## Decision\n\n(#2) Keep services apart\n\n## Considered Options\n\n"
        "### 1. One app\n\nA `LedgerApp` would hold it all.\n\n"
        "### 2. Keep services apart\n\nThe `QuillService` would make all calls.\n\n"
        "- `BlotterService` would have to be moved later\n"
    )
    found = Position("Ledgers", f"# 7. Ledgers\n\n{body}").mentions
    (mention,) = found.among(["quillservice"])
    assert mention.wanted
    assert all(not each.wanted for each in found.among(["ledgerapp", "blotterservice"]))


def test_what_is_told_of_a_rejection_forbids_nothing() -> None:
    """A-7: words that do not decide."""
    body = "## Decision\n\nWe check the seal first. Rejection here: letter not stored.\n"
    assert Position("Ledgers", f"# 7. Ledgers\n\n{body}").prohibitions == []


def test_what_is_chosen_is_met_by_its_initials_too() -> None:
    """A-7: named in other words, the chosen thing is the same; a part of it is not."""
    body = "## Context\n\nThe Digital Post Office (DPO) prints.\n\n## Decision\n\n{}\n"
    whole = named("Letters", body.format("We use the Digital Post Office."))
    assert "dpo" in whole["used"]
    part = named("Letters", body.format("We use Digital Post Office stamps."))
    assert "dpo" not in part["used"]


def test_what_is_said_not_to_be_used_is_refused_by_its_own_name() -> None:
    """A-7: "X will not be included in Y" refuses X, and not Y."""
    body = "## Decision\n\nWe sail with Windrose. Barnacle will not be included in Harbour Kit.\n"
    refused = [each for each in Position("Sails", body).choices if not each.wanted]
    assert [each.names for each in refused] == [{"barnacle"}]


def test_what_a_title_refuses_in_brackets_was_turned_down() -> None:
    """A-7: taking what was rejected conflicts, wherever the record says no to it."""

    body = "## Context\n\nNAILX rusts.\n\n## Decision\n\nCrates are glued.\n"

    def refused(title: str) -> set[str]:
        choices = Position(title, f"# {title}\n\n{body}").choices
        return {stem for each in choices if not each.wanted for stem in each.focus.core}

    assert refused("Loose crates (no NAILX)") >= {"nailx"}
    assert not refused("Loose crates (with NAILX)")
