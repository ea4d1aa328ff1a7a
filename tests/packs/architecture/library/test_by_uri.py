"""Records that are made when they are asked for."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from toolcrib.packs.architecture.library import by_uri
from toolcrib.packs.architecture.library.library import Library
from toolcrib.packs.architecture.library.records import DocumentRecord


def test_a_record_is_made_for_who_asks_for_it(
    shelve: Callable[..., Library], monkeypatch: pytest.MonkeyPatch
) -> None:
    """R-16: what a start costs does not grow by records that nobody has asked for."""
    made: list[str] = []
    make = by_uri.make_record

    def noted(page: object, uri: str, *more: object) -> DocumentRecord:
        made.append(uri)
        return make(page, uri, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(by_uri, "make_record", noted)
    library = shelve({f"docs/adr/{number:04}-a.md": f"# {number}. A\n" for number in range(1, 9)})
    assert len(library.snapshot.by_uri) == 8
    assert made == []
    assert library.find("architecture://adr/0003").title == "3. A"
    assert library.find("architecture://adr/0003").number == 3
    assert made == ["architecture://adr/0003"]
    assert len(library.records()) == 8
    assert len(made) == 8
