from __future__ import annotations

import pytest

from toolcrib.packs.architecture.alignment.record.position import Position

MADR = """# Message broker

## Context and Problem Statement

We need a queue.

## Considered Options

* RabbitMQ
* Kafka: too big for us
* An outbox table

## Decision Outcome

{outcome}

### Positive Consequences

* We like Kafka, too.
"""
IN_HEADINGS = """# Message broker

## Considered options

### Option 1: RabbitMQ

Small.

#### Pros

* it works

### Option 2 - Kafka

Big.

## Decision

{outcome}
"""


def taken(title: str, body: str) -> dict[str, bool | None]:
    return {each.name: each.chosen for each in Position(title, body).options}


@pytest.mark.parametrize(
    "outcome",
    [
        'Chosen option: "RabbitMQ", because it is small.',
        "Chosen alternative: *RabbitMQ*",
        "We will use RabbitMQ.",
        "RabbitMQ",
        "We choose option 1.",
    ],
)
def test_what_a_record_chose_is_read_however_it_says_so(outcome: str) -> None:
    """A-7: what the record chose and what it rejected."""
    expected = {"RabbitMQ": True, "Kafka": False, "An outbox table": False}
    assert taken("Message broker", MADR.format(outcome=outcome)) == expected


@pytest.mark.parametrize("outcome", ["We take option 2.", "Chosen option: Kafka"])
def test_options_in_sub_headings_are_read(outcome: str) -> None:
    """A-7: sections end at a heading of their own level; options in sub-headings are read."""
    text = IN_HEADINGS.format(outcome=outcome)
    assert taken("Message broker", text) == {"RabbitMQ": False, "Kafka": True}


def test_where_the_record_does_not_say_nothing_is_chosen() -> None:
    text = MADR.format(outcome="To be discussed in the next meeting.")
    assert set(taken("Message broker", text).values()) == {None}


def test_alternatives_beside_a_stated_decision_were_rejected() -> None:
    body = "# Use Helm\n\n## Alternatives considered\n\n- Kustomize\n- plain manifests\n"
    assert taken("Use Helm", body) == {"Kustomize": False, "plain manifests": False}


def test_what_stands_in_one_list_with_the_chosen_thing_was_not_taken() -> None:
    body = "# Use Helm\n\n## Context\n\n- Helm\n- Kustomize\n\n## Decision\n\nUse Helm.\n"
    assert taken("Use Helm", body) == {"Helm": True, "Kustomize": False}


LISTED = "## Considered Options\n\n{options}\n\n## Decision Outcome\n\n{outcome}\n"


@pytest.mark.parametrize(
    ("options", "outcome", "chosen"),
    [
        (("Mock the calls", "Do not mock the calls"), 'Chosen option: "Mock the calls".', [0]),
        (("Python 2.7 and 3.5+", "Only Python 3.6+"), 'Chosen option: "Only Python 3.6+"', [1]),
        (("Compromise 1", "Compromise 2"), 'Chosen option: "Compromise 2", because…', [1]),
        (
            ("Hard eviction", "Priorities"),
            "Chosen options: `Hard eviction` & `Priorities`.",
            [0, 1],
        ),
        (
            ('"Optimistic" lock', 'Lock based on "optimistic"'),
            "Chosen option: \"'Optimistic' lock\", because it is simple.",
            [0],
        ),
        (("One", "Two big"), "### Option 2 - Two big\n\nIt is the fastest.", [1]),
        (
            ("External names", "Internal names"),
            "The team preferred Option 2, but it is not possible. So we are choosing Option 1.",
            [0],
        ),
        (("Sendy", "Mailchimp"), "The suggested approach is to utilize Sendy.", [0]),
        (("Cold", "Hot – chosen approach"), "It is quick.", [1]),
        (
            ("Trust the cloud", "Encrypt first"),
            'Chosen options:\n\n- disks: "Trust the cloud".\n- files: "Trust the cloud".',
            [0],
        ),
    ],
)
def test_what_the_record_says_outright_decides_which_option_it_chose(
    options: tuple[str, ...], outcome: str, chosen: list[int]
) -> None:
    """A-7: the others are rejected, however alike they are."""
    listed = "\n".join(f"{n}. {each}" for n, each in enumerate(options, 1))
    body = "# A subject\n\n" + LISTED.format(options=listed, outcome=outcome)
    found = [each.chosen for each in Position("A subject", body).options]
    assert found == [at in chosen for at in range(len(options))]


def test_an_item_that_only_heads_others_is_no_option() -> None:
    """A-7: options in nested lists are read."""
    body = (
        "## Considered Options\n\n- Search:\n  - OpenSearch\n  - Solr\n- Transport:\n  - Debezium\n"
        "  - Logstash\n\n## Decision Outcome\n\nChosen option: OpenSearch and Logstash\n"
    )
    assert taken("Search of changes", body) == {
        "OpenSearch": True, "Solr": False, "Debezium": False, "Logstash": True,
    }  # fmt: skip


def test_what_an_option_says_of_itself_is_no_option() -> None:
    body = (
        "## Considered Options\n\n- OpenSearch\n  - it is free\n- Solr\n  - it is old\n\n"
        "## Decision Outcome\n\nChosen option: OpenSearch\n"
    )
    assert taken("Search of changes", body) == {"OpenSearch": True, "Solr": False}


def test_the_one_option_that_has_the_chosen_word_is_the_chosen_one() -> None:
    body = (
        "## Considered Options\n\n- Blackbox exporter\n- Prometheus Operator Probe\n\n"
        "## Decision Outcome\n\nChosen option: use Probe for measuring uptime\n"
    )
    expected = {"Blackbox exporter": False, "Prometheus Operator Probe": True}
    assert taken("Uptime", body) == expected


def test_a_title_with_dashes_is_no_heading_of_a_choice() -> None:
    body = "# decision-to-not-use-docker\n\n## Decision\n\nUse non-docker tools.\n"
    choices = Position("decision to not use docker", body).choices
    assert not any(each.wanted and "docker" in each.names for each in choices)


def test_a_decision_of_a_name_alone_turns_the_rest_of_its_list_down() -> None:
    """A-7: options listed in the context are told apart by the name that the decision is."""
    body = (
        "# Checks of requests\n\n## Context\n\nWe look at two ways:\n\n- **Model Marks**\n\n"
        "- **Fluid Checks**\n\n## Decision\n\n**Fluid Checks**\n\nThey are easy to test.\n"
    )
    options = Position("Checks of requests", body).options
    assert {each.name: each.chosen for each in options} == {
        "Model Marks": False, "Fluid Checks": True
    }  # fmt: skip


INTRODUCED = """# {title}

## Context

Tiles have to be drawn. {intro}

* Tilemaker on a machine of ours
* Tilemaker in functions
* [Geopress](https://example.org) - we know it

Traffic comes in bursts.

## Decision

{decided}
"""


@pytest.mark.parametrize(
    "intro",
    [
        "There are a few options for it:",
        "Some ways to do so were considered:",
        "We looked at three different approaches.",
        "\n\nOptions",
    ],
)
def test_a_list_that_a_sentence_introduces_has_options(intro: str) -> None:
    """A-7: what was rejected stands in the context as well as below a heading."""
    body = INTRODUCED.format(
        title="Tiles", intro=intro, decided="We host Tilemaker in functions of the cloud."
    )
    assert taken("Tiles", body) == {
        "Tilemaker on a machine of ours": False,
        "Tilemaker in functions": True,
        "Geopress": False,
    }


@pytest.mark.parametrize(
    ("intro", "decided"),
    [
        ("It is drawn by:", "We host Tilemaker in functions of the cloud."),
        ("There are a few options for it:", "We draw nothing."),
        ("The configuration options of the command are these:", "We draw nothing."),
    ],
)
def test_other_lists_and_those_without_a_choice_have_none(intro: str, decided: str) -> None:
    """A-7: a list in the context may be anything."""
    assert taken("Tiles", INTRODUCED.format(title="Tiles", intro=intro, decided=decided)) == {}


def test_what_was_tried_beside_the_thing_of_the_title_was_turned_down() -> None:
    """A-7: "we evaluated A and B", and took C."""
    body = INTRODUCED.format(
        title="Use Paintbox",
        intro="We evaluated the available options:",
        decided="Use Paintbox for the tiles.",
    )
    assert set(taken("Use Paintbox", body).values()) == {False}


def test_an_inner_list_ends_where_the_outer_one_goes_on() -> None:
    """A-7: what follows a list of options is none of them."""
    body = (
        "## Context\n\n* We see two possible options:\n  1. Print labels at night\n"
        "  2. Print labels on demand\n\n* Ownership of the printer is open.\n\n"
        "## Decision\n\nPrint labels on demand, it is faster.\n"
    )
    assert taken("Labels", body) == {
        "Print labels at night": False,
        "Print labels on demand": True,
    }


def test_the_letter_above_the_decision_says_which_option_was_taken() -> None:
    """A-7: "B) Steel" is the option of that letter, though others are worded more alike."""
    body = (
        "## Considered Options\n\n### A) no steel plates\n\n### B) steel='thin'\n\n"
        "### C) steel='thick'\n\n## Decision Outcome\n\n### A) Steel without plates\n"
    )
    assert taken("Hull", body) == {
        "no steel plates": True,
        "steel='thin": False,
        "steel='thick": False,
    }


def test_what_stands_behind_the_status_quo_is_the_option() -> None:
    """A-7: who keeps what was not kept takes what was rejected."""
    listed = "## Considered Options\n\n* Status quo: {}\n* Move to Cranely\n\n"
    body = listed.format("stay on Hoistly") + "## Decision\n\nChosen option: Move to Cranely\n"
    assert taken("Lifts", body) == {"stay on Hoistly": False, "Move to Cranely": True}
    told = body.replace("Status quo: stay on Hoistly", "Hoistly: the status quo")
    assert taken("Lifts", told) == {"Hoistly": False, "Move to Cranely": True}


def test_a_question_above_its_options_is_none_of_them() -> None:
    """A-7: what was rejected are the things, not the question that they answer."""
    body = (
        "## Considered Options\n\n### How to lift the crates\n\n- Hoistly\n\n"
        "### Cranely\n\nQuick.\n\n### Howlers\n\nLoud.\n\n## Decision\n\nUse Cranely.\n"
    )
    assert set(taken("Lifts", body)) == {"Cranely", "Howlers"}


def test_a_long_list_of_what_was_chosen_is_read_to_its_end() -> None:
    """A-7: each of several choices counts, also behind long ones."""
    long = "to lift crates by the yard's own crane, " + "which takes its time, " * 30
    body = f"## Decision\n\nThe following options were chosen:\n\n1. {long}\n2. To use Cranely\n"
    assert "To use Cranely" in Position("Lifts", body).chosen_names
    apart = body.replace("2. To", "\nOthers:\n\n2. To")
    assert "To use Cranely" not in Position("Lifts", apart).chosen_names
