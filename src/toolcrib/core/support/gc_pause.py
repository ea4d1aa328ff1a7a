"""Pauses of the garbage collector while many objects are created."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


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


def passing() -> None:
    """Let the objects created under `lasting` be collected again."""
    gc.unfreeze()
