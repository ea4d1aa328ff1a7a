"""Promises in seconds: kept by `make timing`, which runs them alone, and not looked at elsewhere.

A test that has one is marked `timing`. `make test` runs it, too, but a busy machine cannot fail it.
"""

from __future__ import annotations

import os


def assert_within(limit: float, spent: float) -> None:
    """Fail if `spent` is more than `limit` seconds, where clocks are looked at."""
    if os.environ.get("TOOLCRIB_TIMING"):
        assert spent < limit, f"{spent:.2f} s; promised are {limit:g} s"
