"""Figures of a benchmark, each with its limit if it has one."""

from __future__ import annotations

import os
from typing import Any

# What is started more than once finds its byte code, as it does wherever it was installed.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


class Report:
    """Prints each figure as it comes, and knows at the end whether all limits were kept."""

    def __init__(self) -> None:
        self.rows: list[dict[str, Any]] = []

    def add(
        self,
        what: str,
        value: float,
        unit: str,
        limit: float | None = None,
        *,
        least: float | None = None,
    ) -> None:
        """Note a figure that should be at most `limit`, or at least `least`."""
        kept = (limit is None or value <= limit) and (least is None or value >= least)
        row = {"what": what, "value": value, "unit": unit, "limit": limit, "least": least}
        self.rows.append({**row, "kept": kept})
        bound = "" if limit is None else f"  at most {limit:g} {unit}"
        bound += "" if least is None else f"  at least {least:g} {unit}"
        verdict = f"{bound}  {'ok' if kept else 'MISSED'}" if bound else ""
        print(f"  {what:<58}{value:>10.2f} {unit}{verdict}", flush=True)

    @property
    def kept(self) -> bool:
        """Whether no limit was missed."""
        return all(row["kept"] for row in self.rows)
