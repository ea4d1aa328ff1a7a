"""Room for many objects at once."""

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
    """No collections while something is made that lives long, nor of it until `passing`.

    To search a million objects for garbage takes a third of a second, each time; to search the
    modules and settings of a process that starts, a tenth of that start.
    """
    with no_collections():
        try:
            yield
        finally:
            gc.freeze()


def passing() -> None:
    """What was meant to last is let go: it may be collected as everything else is."""
    gc.unfreeze()
