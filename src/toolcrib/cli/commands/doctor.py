"""Check everything and say how to fix what is wrong.

It looks at the settings, at every document, config, policy and tool of this repository, at the
sandbox, at this installation, and at the clients on this machine.

examples:
  toolcrib doctor
  toolcrib doctor --json | jq '.findings[] | select(.level == "error")'
"""

from __future__ import annotations

import argparse
from collections import Counter

from toolcrib.cli.clients.machine import Machine
from toolcrib.cli.terminal import console
from toolcrib.cli.terminal.checkup import (
    Finding,
    Level,
    client_findings,
    machine_findings,
    repository,
    running_findings,
    sandbox_finding,
)

MARKS: dict[Level, tuple[str, str]] = {
    "ok": ("✓", "green"),
    "warning": ("⚠", "yellow"),
    "error": ("✗", "red"),
}


def add(parser: argparse.ArgumentParser) -> None:
    """The options of `doctor`."""
    parser.add_argument("--quiet", "-q", action="store_true", help="show only problems")


def run(args: argparse.Namespace) -> int:
    """Print the findings; exit code 1 if anything is an error."""
    found = machine_findings()
    served = repository(args.project)
    if all(finding.group != "climax" for finding in served):
        found.append(sandbox_finding(args.project))
    found += served
    found += running_findings(args.project)
    found += client_findings(args.project, Machine.here(args.project))
    return report(found, args, quiet=args.quiet)


def report(found: list[Finding], args: argparse.Namespace, *, quiet: bool = False) -> int:
    """Print findings by group, with a sum at the end; exit code 1 if anything is an error."""
    counts = Counter(finding.level for finding in found)
    summary = {level: counts[level] for level in MARKS}
    value = {"summary": summary, "findings": [finding.as_dict() for finding in found]}
    shown = [finding for finding in found if not (quiet and finding.level == "ok")]
    console.emit(value, lambda: _text(shown, summary), args)
    return 1 if counts["error"] else 0


def _text(found: list[Finding], summary: dict[Level, int]) -> str:
    lines: list[str] = []
    groups = list(dict.fromkeys(finding.group for finding in found))
    for group in groups:
        lines.append(console.style(group, "bold"))
        for finding in found:
            if finding.group == group:
                lines += _lines(finding)
    ok, warnings, errors = summary.values()
    lines.append(f"\n{ok} well, {warnings} to look at, {errors} wrong")
    return "\n".join(lines)


def _lines(finding: Finding) -> list[str]:
    mark, colour = MARKS[finding.level]
    first, *more = finding.text.splitlines() or [""]
    lines = [f"  {console.style(mark, colour)} {first}", *(f"    {line}" for line in more)]
    if finding.cure:
        lines.append(f"    {console.style('→ ' + finding.cure, 'dim')}")
    return lines
