"""Background threads that neither keep the process alive nor are cut off."""

from __future__ import annotations

import atexit
from collections.abc import Callable
from threading import Event, Thread
from weakref import WeakSet

leaving = Event()
"""Set when the process ends: whoever works in the background looks up often, and stops."""

_threads: WeakSet[Thread] = WeakSet()


def start(work: Callable[[], None], name: str = "toolcrib-search") -> None:
    """Work in a thread that does not keep the process alive.

    It must not be cut off inside native library code, which would abort the process. So exit waits
    for it, and it checks often whether to stop.
    """
    if not _threads:
        atexit.register(_leave)
    thread = Thread(target=work, name=name, daemon=True)
    _threads.add(thread)
    thread.start()


def _leave() -> None:
    leaving.set()
    for thread in list(_threads):
        thread.join()
