"""Which tests were skipped and for want of what; an error where that part is installed.

`TOOLCRIB_PARTS` names the parts that work on this machine, as `scripts/parts.py --words` prints
them. A test that is skipped for want of one of them would otherwise be lost without notice.
"""

from __future__ import annotations

import os
import re
from collections import Counter

import pytest

_REASONS: Counter[str] = Counter()


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Count each reason; with several workers this runs in the process that collects reports."""
    if report.skipped and isinstance(report.longrepr, tuple):
        _REASONS[str(report.longrepr[2]).removeprefix("Skipped: ")] += 1


def pytest_collectreport(report: pytest.CollectReport) -> None:
    """A whole file may be skipped, too."""
    if report.skipped and isinstance(report.longrepr, tuple):
        _REASONS[str(report.longrepr[2]).removeprefix("Skipped: ")] += 1


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail a run that was green, but skipped what it could have run."""
    if (
        not hasattr(session.config, "workerinput")
        and wrongly_skipped(_REASONS)
        and (session.exitstatus == pytest.ExitCode.OK)
    ):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """List the reasons, and those that cannot be right."""
    if _REASONS:
        terminalreporter.section("skipped")
        for reason, count in _REASONS.most_common():
            terminalreporter.write_line(f"{count:4}  {reason}")
    for reason in wrongly_skipped(_REASONS):
        terminalreporter.write_line(f"error: skipped although it is installed: {reason}", red=True)


def wrongly_skipped(reasons: Counter[str], parts: str | None = None) -> list[str]:
    """The reasons that name a part which works on this machine."""
    named = (os.environ.get("TOOLCRIB_PARTS", "") if parts is None else parts).split(",")
    words = [re.escape(word) for word in named if word]
    if not words:
        return []
    pattern = re.compile(rf"\b(?:{'|'.join(words)})\b", re.I)
    return [reason for reason in reasons if pattern.search(reason)]
