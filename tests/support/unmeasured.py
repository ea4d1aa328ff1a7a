"""Children that are not measured: coverage loads modules of its own into each that is."""

from __future__ import annotations

import os


def unmeasured() -> dict[str, str]:
    """The environment of a child that shows which modules our code loads, and no other."""
    return {key: value for key, value in os.environ.items() if not key.startswith("COVERAGE_")}
