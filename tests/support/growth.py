"""How the time of some work grows with its size: a ratio of one run, never a number of seconds.

A busy machine makes both sizes slow. Work that is linear takes four times as long for four times
the size, quadratic work sixteen times.
"""

from __future__ import annotations

import time
from collections.abc import Callable

_ENOUGH = 0.02
_ROUNDS = 5
_LARGEST = 1 << 22


def assert_grows_slowly(
    work: Callable[[int], object], size: int, *, times: int = 4, most: float = 9.0
) -> None:
    """Fail if `work(size * times)` takes more than `most` times the processor time of `work(size)`.

    The size grows first until it can be measured. The best of a few interleaved rounds counts.
    What takes next to no time for millions is not compared: that is the memory's time.
    """
    while (spent := _spent(work, size)) < _ENOUGH and size * times < _LARGEST:
        size *= 2
    if spent < _ENOUGH:
        return
    ratios = []
    for _ in range(_ROUNDS):
        small, large = _spent(work, size), _spent(work, size * times)
        ratios.append(large / max(small, 1e-4))
        if ratios[-1] <= most:
            return
    shown = ", ".join(f"{ratio:.1f}" for ratio in ratios)
    raise AssertionError(f"{times} times the size takes {shown} times as long; most is {most}")


def _spent(work: Callable[[int], object], size: int) -> float:
    started = time.process_time()
    work(size)
    return time.process_time() - started


def assert_costs_at_most(spent: float, yardsticks: float) -> None:
    """Fail if work that took `spent` seconds of processor time was worth more yardsticks than that.

    A yardstick is a fixed piece of work, measured at once in the same process: on an ordinary
    machine a hundredth of a second.
    """
    unit = min(_spent(_yardstick, 60_000) for _ in range(3))
    assert spent <= yardsticks * unit, f"{spent / unit:.0f} yardsticks; most is {yardsticks:g}"


def _yardstick(size: int) -> int:
    """Numbers, texts and a table: what most of the code is made of."""
    table: dict[str, int] = {}
    for number in range(size):
        key = f"{number % 977}"
        table[key] = table.get(key, 0) + len(key)
    return len(table)
