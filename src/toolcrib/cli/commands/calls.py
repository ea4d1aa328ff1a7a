"""Show what agents called here, how it ended, and how long it took.

examples:
  toolcrib calls                        the last 50 calls
  toolcrib calls --follow               and new ones as they come
  toolcrib calls --outcome denied       what was turned away by a rule
  toolcrib calls --since 1h --slower 500
  toolcrib calls --on                   start recording calls in this repo
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from toolcrib.cli.terminal import console
from toolcrib.core.errors import ToolcribError, UsageError
from toolcrib.core.support.wording import counted
from toolcrib.web.call_log import CallFilter, CallLog, Row
from toolcrib.web.views.text import marked

_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days"}
_LOOK_AGAIN = 0.25
_STYLES = {"ok": "green", "asked": "cyan", "cancelled": "dim"}
NOT_RECORDED = "Calls are not recorded here."
_BEGIN = "toolcrib calls --on"


def add(parser: argparse.ArgumentParser) -> None:
    """The options."""
    parser.add_argument("--on", action="store_true", help="record calls from now on")
    parser.add_argument("--follow", "-f", action="store_true", help="show new calls as they come")
    parser.add_argument(
        "--outcome", metavar="O", help="only calls with this outcome: ok, failed, …"
    )
    parser.add_argument("--tool", metavar="T", help="only calls of this tool")
    parser.add_argument("--client", metavar="C", help="only calls of this client")
    parser.add_argument("--since", metavar="AGE", help="only calls of the last 90s, 5m, 1h, 2d")
    parser.add_argument(
        "--slower", metavar="MS", type=float, help="only calls that took at least this long"
    )
    parser.add_argument("--limit", metavar="N", type=int, default=50, help="the newest N (50)")
    parser.add_argument("--audit", metavar="FILE", type=Path, help="another record")


def run(args: argparse.Namespace) -> int:
    """Print the calls, or begin to record them."""
    if args.on:
        return _switch_on(args)
    if args.limit < 0:
        raise UsageError(f"--limit {args.limit}: must be a number from 0 on")
    wanted = CallFilter(
        outcome=args.outcome or "",
        tool=args.tool or "",
        client=args.client or "",
        since=_since(args.since),
        slower=args.slower or 0.0,
    )
    log = CallLog(_file(args))
    if not log.recorded and not _will_be(args):
        return _tell_not_recorded(args)
    show = _as_json if args.json else _as_row
    log.refresh()
    fitting = log.select(wanted).rows
    for row in fitting[max(len(fitting) - args.limit, 0) :]:
        show(row)
    if log.problem is not None:
        print(marked(log.problem), file=sys.stderr)
    if log.unread:
        print(f"{counted(log.unread, 'line')} could not be read", file=sys.stderr)
    return _follow(log, wanted, show) if args.follow else 0


def _tell_not_recorded(args: argparse.Namespace) -> int:
    if args.json:
        console.complain(ToolcribError(NOT_RECORDED, next=_BEGIN), as_json=True)
    else:
        print(f"{NOT_RECORDED} Begin with: {_BEGIN}", file=sys.stderr)
    return 1


def _follow(log: CallLog, wanted: CallFilter, show: Callable[[Row], None]) -> int:
    number, shown = log.number, {row.id for row in log.rows}
    try:
        sys.stdout.flush()
        while True:
            log.refresh()
            rows = [row for row in log.since(number) if row.id not in shown]
            number = log.number
            shown |= {row.id for row in rows}
            for row in wanted.of(rows):
                show(row)
            sys.stdout.flush()
            time.sleep(_LOOK_AGAIN)
    except KeyboardInterrupt:
        return 0


def _as_json(row: Row) -> None:
    console.say(json.dumps(row.line, ensure_ascii=False))


def _as_row(row: Row) -> None:
    line = row.line
    inner = "".join(f" ↳ {each.tool}" for each in row.inner)
    shown = console.style(f"{marked(row.outcome):<9}", _STYLES.get(row.outcome, "red"))
    stamp = console.style(_clock(row.time), "dim")
    arguments = marked(json.dumps(line.get("arguments"), ensure_ascii=False))
    text = f"{stamp}  {marked(row.client):<14} {shown} {row.ms:>8.1f} ms  "
    console.say(f"{text}{marked(row.tool + inner)}  {arguments}")
    if line.get("error"):
        place = f" ({line['place']})" if line.get("place") else ""
        console.say(console.style(marked(f"          {line['error']}{place}"), "dim"))


def _clock(text: str) -> str:
    try:
        return datetime.fromisoformat(text).astimezone().strftime("%Y-%m-%d %H:%M:%S")
    except ValueError:
        return text


def _since(text: str | None) -> float:
    if text is None:
        return 0.0
    found = re.fullmatch(r"(\d{1,9})([smhd])", text)
    if found is None:
        raise UsageError(f"--since {text}: must be a number with s, m, h or d, as 90s, 1h or 2d")
    try:
        return (datetime.now(UTC) - timedelta(**{_UNITS[found[2]]: int(found[1])})).timestamp()
    except OverflowError:
        return 0.0


def _file(args: argparse.Namespace) -> Path:
    from toolcrib.server.record import AUTO, automatic_file

    if args.audit is not None:
        return Path(args.audit)
    audit = _audit_setting(args)
    return args.project / audit if audit not in (None, AUTO) else automatic_file(args.project)


def _will_be(args: argparse.Namespace) -> bool:
    """Whether the file that is not there yet will come: nothing has been called so far."""
    return bool(args.follow) if args.audit is not None else bool(_audit_setting(args))


def _audit_setting(args: argparse.Namespace) -> str | None:
    from toolcrib.settings import load

    try:
        return load(args.project).server.audit
    except ToolcribError:  # broken settings are no reason to hide what was recorded
        return None


def _switch_on(args: argparse.Namespace) -> int:
    from toolcrib.cli.editing import toml
    from toolcrib.files.root import Root
    from toolcrib.files.writing import write_file
    from toolcrib.server.record import AUTO, automatic_file
    from toolcrib.settings import FILE, load

    settings = load(args.project)
    if settings.server.audit:
        where = _file(args)
        console.emit({"audit": str(where)}, f"Calls are recorded already: {where}", args)
        return 0
    name = settings.file.name if settings.file is not None else FILE
    table = ["server"] if name == FILE else ["tool", "toolcrib", "server"]
    root = Root(args.project)
    text = root.read(name).data.decode() if (args.project / name).exists() else ""
    write_file(root, name, toml.set_keys(text, table, {"audit": AUTO}, name).encode())
    where = automatic_file(args.project)
    console.emit({"audit": str(where)}, f"Calls are recorded from now on: {where}", args)
    return 0
