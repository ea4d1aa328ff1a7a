from __future__ import annotations

import pytest

from toolcrib.packs.architecture.alignment.stances import Position

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
