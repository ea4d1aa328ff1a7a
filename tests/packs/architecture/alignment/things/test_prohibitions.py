from __future__ import annotations

import pytest

from toolcrib.packs.architecture.alignment.record.position import Position
from toolcrib.packs.architecture.alignment.things.prohibitions import forbidden_items, things_of

BODY = (
    "# Access\n\n## Decision\n\nStaff use Gatehouse.\n\n**{label}:**\n\n"
    "- Jump servers and tunnels\n"
    "- Shared root passwords with no owner\n\n**Required:**\n\n- Gatehouse sessions\n"
)


@pytest.mark.parametrize("label", ["Prohibited ways", "Forbidden", "Not allowed", "Banned tools"])
def test_items_below_a_label_of_prohibition_are_refused(label: str) -> None:
    """A-7: what a list forbids is refused, and is nothing that the record decides to do."""
    body = BODY.format(label=label)
    assert forbidden_items(body) == [
        "Jump servers and tunnels", "Shared root passwords with no owner"
    ]  # fmt: skip
    position = Position("Access", body)
    assert not any("Jump" in each for each in position.decided)
    assert {"shared root passwords"} <= {
        each.sentence.casefold().split(" with")[0] for each in position.refused_ways
    }


@pytest.mark.parametrize("label", ["Allowed ways", "Recommended", "Prohibited ways are rare. So"])
def test_items_below_another_label_are_not(label: str) -> None:
    """A-7: other lists forbid nothing."""
    assert forbidden_items(BODY.format(label=label)) == []


def test_an_item_is_cut_into_the_things_that_it_names() -> None:
    """A-7: what tells more of a thing does not name it."""
    assert things_of("Jump servers and old tunnels with open ports") == [
        "Jump servers", "old tunnels"
    ]  # fmt: skip
