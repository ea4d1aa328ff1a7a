"""The garbage collector, paused."""

from __future__ import annotations

import gc

import pytest

from toolcrib.core.support.gc_pause import lasting, no_collections


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
