"""Decisions are read before anybody asks, and nobody has to wait for that."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from toolcrib.packs.architecture.alignment import corpus, decisions
from toolcrib.packs.architecture.alignment.decisions import check_alignment
from toolcrib.packs.architecture.alignment.preloading import FEW
from toolcrib.packs.architecture.library.library import Library
from toolcrib.packs.architecture.pack import ArchitecturePack

Shelve = Callable[..., Library]
MANY = {
    f"docs/adr/{n:04}-use-tool-{n}.md": f"# {n}. Use tool {n}\n\n## Status\n\nAccepted\n"
    for n in range(1, FEW + 10)
}


class Counting(corpus.Decision):
    """Counts how many decisions are read, by thread."""

    by_thread: dict[str, int]

    def __init__(self, *given: object) -> None:
        name = threading.current_thread().name
        Counting.by_thread[name] = Counting.by_thread.get(name, 0) + 1
        super().__init__(*given)  # type: ignore[arg-type]


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """How many decisions were read, by the thread that read them."""
    Counting.by_thread = {}
    monkeypatch.setattr(corpus, "Decision", Counting)
    return Counting.by_thread


def ended(pack: ArchitecturePack) -> None:
    assert pack._warming is not None
    pack._warming.join(10)
    assert not pack._warming.is_alive()


def test_after_the_first_look_no_call_has_to_read_the_decisions(
    write: Callable[..., Path], read: dict[str, int]
) -> None:
    """A-7: many long documents within 100 ms, also for the first call."""
    pack = ArchitecturePack(write(MANY))
    pack.refresh([])
    ended(pack)
    assert read == {"decisions": len(MANY)}
    assert check_alignment(pack.library.decisions, "Use tool 7")["related_adrs"]
    assert read == {"decisions": len(MANY)}
    asyncio.run(pack.close())


def test_after_a_change_only_the_changed_decision_is_read_again(
    write: Callable[..., Path], read: dict[str, int]
) -> None:
    """S-5: what changed is ready soon, and nothing else is read for it."""
    project = write(MANY)
    pack = ArchitecturePack(project)
    pack.refresh([])
    ended(pack)
    file = project / "docs/adr/0003-use-tool-3.md"
    file.write_text("# 3. Use gadgets\n\n## Status\n\nAccepted\n")
    pack.refresh([file])
    ended(pack)
    assert read == {"decisions": len(MANY) + 1}
    first = check_alignment(pack.library.decisions, "Use gadgets")["related_adrs"][0]
    assert first["adr_id"] == "0003"
    asyncio.run(pack.close())


def test_a_call_does_not_wait_for_the_pauses(
    write: Callable[..., Path], read: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A-7: who asks while they are still being read is answered at once."""
    monkeypatch.setattr(decisions, "_REST", 50.0)
    pack = ArchitecturePack(write(MANY))
    pack.refresh([])
    assert check_alignment(pack.library.decisions, "Use tool 7")["related_adrs"]
    assert sum(read.values()) == len(MANY)
    asyncio.run(pack.close())


def test_closing_ends_it_in_the_middle(
    write: Callable[..., Path], read: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """FAULTS, protocol: when the server must go, nothing holds it up."""
    monkeypatch.setattr(decisions, "_REST", 1e6)
    pack = ArchitecturePack(write(MANY))
    pack.refresh([])
    asyncio.run(pack.close())
    assert pack._warming is not None and not pack._warming.is_alive()
    assert sum(read.values()) < len(MANY)


def test_a_handful_is_left_until_somebody_asks(
    write: Callable[..., Path], read: dict[str, int]
) -> None:
    """S-2: what is quick anyway costs nothing before it is needed."""
    pack = ArchitecturePack(write(dict(list(MANY.items())[:5])))
    pack.refresh([])
    ended(pack)
    assert not read
    asyncio.run(pack.close())
