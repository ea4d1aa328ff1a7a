"""Python source is parsed in one thread at a time."""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Iterator

import pytest

from toolcrib.core.support.python_source import parse

SOURCE = "def f(a, b):\n    return [a + b * (a - b) for a in range(b) if a]\n" * 40


class Finalized:
    """Python code that the garbage collector runs, wherever it happens to run."""

    def __init__(self) -> None:
        self.itself = self

    def __del__(self) -> None:
        for _ in range(20):
            pass


@pytest.fixture
def restless() -> Iterator[None]:
    """Threads change as often as they can, and the collector runs all the time."""
    known = gc.get_threshold(), sys.getswitchinterval()
    gc.set_threshold(20)
    sys.setswitchinterval(1e-6)
    yield
    gc.set_threshold(*known[0])
    sys.setswitchinterval(known[1])


def test_threads_that_parse_at_the_same_time_do_not_disturb_each_other(restless: None) -> None:
    """R-10: projects are assembled beside each other, and each reads what its modules import."""
    errors: list[BaseException] = []

    def work(depth: int) -> None:
        if depth:
            work(depth - 1)
            return
        try:
            for _ in range(60):
                _ = [Finalized() for _ in range(5)]
                parse(SOURCE)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(7 * number,)) for number in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert not errors
