"""When the garbage collector runs: not while much is created, and seldom while serving."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

_MOST_YOUNG: Final = 10_000
"""Objects of fifty calls on their way, several times over: Python's own 700 are those of ten."""


@contextmanager
def no_collections() -> Iterator[None]:
    """Pause the garbage collector while building large, long-lived structures."""
    pausing = gc.isenabled()
    if pausing:
        gc.disable()
    try:
        yield
    finally:
        if pausing:
            gc.enable()


@contextmanager
def lasting() -> Iterator[None]:
    """Pause the collector while long-lived objects are created, and skip them until `passing`.

    Searching a million objects for garbage takes a third of a second each time; searching the
    modules and settings of a starting process takes a tenth of its start-up.
    """
    with no_collections():
        try:
            yield
        finally:
            gc.freeze()


@contextmanager
def seldom() -> Iterator[None]:
    """Collect after more new objects than calls on their way have.

    What a call creates is freed by its end without the collector. With Python's own threshold,
    the collector runs in the midst of every few calls, finds all their objects in use, and takes a
    tenth of the time.
    """
    before = gc.get_threshold()
    gc.set_threshold(max(before[0], _MOST_YOUNG) if before[0] else 0, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def passing() -> None:
    """Let the objects created under `lasting` be collected again."""
    gc.unfreeze()
