"""The garbage collector, paused."""

from __future__ import annotations

import gc

import pytest

from toolcrib.core.support.gc_pause import lasting, no_collections, seldom


def test_it_is_paused_inside_and_on_again_after_whatever_happens() -> None:
    """R-16: also after an error, and within another pause."""
    assert gc.isenabled()
    with pytest.raises(ValueError, match="inside"), no_collections():
        with no_collections():
            assert not gc.isenabled()
        assert not gc.isenabled()
        raise ValueError("inside")
    assert gc.isenabled()


def test_whoever_had_it_off_keeps_it_off() -> None:
    """R-16: nobody's own setting is changed."""
    gc.disable()
    try:
        with no_collections():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_what_a_start_has_made_is_never_looked_at_again() -> None:
    """R-16: it is frozen, also where the start failed, and collections go on after it."""
    try:
        with pytest.raises(ValueError, match="inside"), lasting():
            assert not gc.isenabled()
            made = [{} for _ in range(100)]
            raise ValueError("inside")
        assert gc.isenabled()
        assert gc.get_freeze_count() > len(made)
    finally:
        gc.unfreeze()


def test_while_serving_it_runs_after_more_new_objects_than_calls_on_their_way_have() -> None:
    """X-31: objects in use are not searched again and again; the setting before comes back."""
    before = gc.get_threshold()
    seen: list[str] = []

    def note(phase: str, info: dict[str, int]) -> None:
        seen.append(phase)

    gc.collect()
    gc.callbacks.append(note)
    try:
        with pytest.raises(ValueError, match="inside"), seldom():
            alive = [[{}] for _ in range(2_000)]
            during = len(seen)
            raise ValueError("inside")
    finally:
        gc.callbacks.remove(note)
    assert len(alive) == 2_000
    assert during == 0
    assert gc.get_threshold() == before


def test_garbage_of_cycles_is_still_collected_while_serving() -> None:
    """X-31: seldom is not never: memory does not grow with what refers to itself."""
    with seldom():
        gc.collect()
        least = gc.get_count()[0]
        for _ in range(40_000):
            cycle: list[object] = []
            cycle.append(cycle)
        assert gc.get_count()[0] < least + 40_000


def test_a_collector_that_was_turned_off_stays_off_while_serving() -> None:
    """X-31: a threshold of nothing means never, and is left so."""
    before = gc.get_threshold()
    gc.set_threshold(0)
    try:
        with seldom():
            assert gc.get_threshold()[0] == 0
    finally:
        gc.set_threshold(*before)
