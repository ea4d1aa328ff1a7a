"""Show what agents called here, how it ended, and how long it took.

examples:
  toolcrib calls                        the last 50 calls
  toolcrib calls --follow               and new ones as they come
  toolcrib calls --outcome denied       what was turned away by a rule
  toolcrib calls --since 1h --slower 500
  toolcrib calls --on                   begin to record calls in this repo
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from toolcrib.cli.terminal import console
from toolcrib.core.errors import ToolcribError, UsageError
from toolcrib.web.calls import Call, Calls, Filter, Line, RecordReader, client_name, completed

_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days"}
_LOOK_AGAIN = 0.25
_STYLES = {"ok": "green", "asked": "cyan", "cancelled": "dim"}
NOT_RECORDED = "Calls are not recorded here."


def add(parser: argparse.ArgumentParser) -> None:
    """The options."""
    parser.add_argument("--on", action="store_true", help="record calls from now on")
    parser.add_argument("--follow", "-f", action="store_true", help="show new calls as they come")
    parser.add_argument("--outcome", metavar="O", help="only calls that ended so: ok, failed, …")
    parser.add_argument("--tool", metavar="T", help="only calls of this tool")
    parser.add_argument("--client", metavar="C", help="only calls of this client")
    parser.add_argument("--since", metavar="AGE", help="only calls of the last 90s, 5m, 1h, 2d")
    parser.add_argument("--slower", metavar="MS", type=float, help="only calls that took as long")
    parser.add_argument("--limit", metavar="N", type=int, default=50, help="the newest N (50)")
    parser.add_argument("--audit", metavar="FILE", type=Path, help="another record")


def run(args: argparse.Namespace) -> int:
    """Print the calls, or begin to record them."""
    if args.on:
        return _switch_on(args)
    if args.limit < 0:
        raise UsageError(f"--limit {args.limit}: must be a number from 0 on")
    wanted = Filter(args.outcome, args.tool, args.client, _since(args.since), args.slower)
    reader = RecordReader(_file(args))
    if not reader.exists and not (args.follow and _recorded(args)):
        print(f"{NOT_RECORDED} Begin with: toolcrib calls --on", file=sys.stderr)
        return 1
    show = _as_json if args.json else _as_row
    calls = Calls()
    for call in _newest(reader, calls, wanted, args):
        show(call)
    if reader.unread:
        noun = "line" if reader.unread == 1 else "lines"
        print(f"{reader.unread} {noun} could not be read", file=sys.stderr)
    return _follow(reader, calls, wanted, show) if args.follow else 0


def _newest(
    reader: RecordReader, calls: Calls, wanted: Filter, args: argparse.Namespace
) -> list[Call]:
    for line in reader.read():
        if "event" not in line:
            calls.add(line)
    fitting = [call for call in calls.rows() if wanted.fits(call)]
    return fitting[len(fitting) - args.limit :] if args.limit < len(fitting) else fitting


def _follow(
    reader: RecordReader, calls: Calls, wanted: Filter, show: Callable[[Call], None]
) -> int:
    try:
        sys.stdout.flush()
        while True:
            for call in _new(reader.read(), calls):
                if wanted.fits(call):
                    show(call)
            sys.stdout.flush()
            time.sleep(_LOOK_AGAIN)
    except KeyboardInterrupt:
        return 0


def _new(lines: Iterable[Line], calls: Calls) -> list[Call]:
    """The rows that these lines bring, with the inner calls that came along."""
    found: list[Call] = []
    for line in lines:
        row = calls.add(line) if "event" not in line else None
        if row is not None and row.line is line:
            found.append(row)
    return found


def _as_json(call: Call) -> None:
    line = call.line if call.line.get("v") else completed(call.line)
    console.say(json.dumps(line, ensure_ascii=False))


def _as_row(call: Call) -> None:
    line = call.line
    inner = "".join(f" ↳ {each.get('tool')}" for each in call.inner)
    outcome = str(line.get("outcome"))
    shown = console.style(f"{outcome:<9}", _STYLES.get(outcome, "red"))
    stamp = console.style(_clock(str(line.get("time"))), "dim")
    text = f"{stamp}  {client_name(line):<14} {shown} {line.get('duration_ms') or 0:>8.1f} ms  "
    text += f"{line.get('tool')}{inner}  {json.dumps(line.get('arguments'), ensure_ascii=False)}"
    console.say(text)
    if line.get("error"):
        place = f" ({line['place']})" if line.get("place") else ""
        console.say(console.style(f"          {line['error']}{place}", "dim"))


def _clock(text: str) -> str:
    try:
        return datetime.fromisoformat(text).astimezone().strftime("%Y-%m-%d %H:%M:%S")
    except ValueError:
        return text


def _since(text: str | None) -> str | None:
    if text is None:
        return None
    found = re.fullmatch(r"(\d{1,9})([smhd])", text)
    if found is None:
        raise UsageError(f"--since {text}: must be a number with s, m, h or d, as 90s, 1h or 2d")
    try:
        then = datetime.now(UTC) - timedelta(**{_UNITS[found[2]]: int(found[1])})
    except OverflowError:
        return None
    return then.isoformat(timespec="milliseconds")


def _file(args: argparse.Namespace) -> Path:
    from toolcrib.server.record import AUTO, automatic_file

    if args.audit is not None:
        return Path(args.audit)
    audit = _audit_setting(args)
    return args.project / audit if audit not in (None, AUTO) else automatic_file(args.project)


def _recorded(args: argparse.Namespace) -> bool:
    return args.audit is not None or _audit_setting(args) is not None


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
