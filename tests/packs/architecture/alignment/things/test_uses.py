from __future__ import annotations

from toolcrib.packs.architecture.alignment.things.uses import also


def test_a_thing_may_be_used_as_more_than_it_mostly_is() -> None:
    """A-7: Datadog also keeps logs, so it is a rival of what was chosen for them."""
    assert "log storage" in also("datadog")
    assert also("no such thing") == frozenset()
