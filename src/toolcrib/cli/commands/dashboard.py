"""Open a page that shows what agents did here, what they see, and what was decided.

examples:
  toolcrib dashboard                  prints the address, and opens it in a browser
  toolcrib dashboard --no-open        prints the address alone
  toolcrib dashboard --allow-calls    tools can be called from the page, too
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import logging
import os
import signal
import socket
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toolcrib.cli.terminal import console
from toolcrib.core.errors import ToolcribError

if TYPE_CHECKING:
    from toolcrib.server.record import CallRecord
    from toolcrib.server.surface import Surface
    from toolcrib.settings import ServerSettings, Settings
    from toolcrib.web.app import Dashboard
    from toolcrib.web.source import Allowed, PageSource

logger = logging.getLogger("toolcrib.web")

PORT = 8322
_GRACE = 1.0


def add(parser: argparse.ArgumentParser) -> None:
    """The options."""
    parser.add_argument("--port", type=int, default=PORT, metavar="N", help="0 picks a free one")
    parser.add_argument("--audit", type=Path, metavar="FILE", help="another record of calls")
    parser.add_argument("--allow-calls", action="store_true", help="tools can be called")
    parser.add_argument("--allow-edits", action="store_true", help="flags can be set")
    parser.add_argument("--no-open", action="store_true", help="do not open a browser")


def run(args: argparse.Namespace) -> int:
    """Serve the page until a signal says stop."""
    if args.allow_calls or args.allow_edits:
        from toolcrib.cli.terminal.person import NotAPerson, agent_shell

        found = agent_shell()
        if found is not None:
            raise NotAPerson(
                f"--allow-calls and --allow-edits are for a person, and {found} is set",
                next="open another terminal",
            )
    listener = _bound(args.port)
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(args, listener))
    return 0


async def _serve(args: argparse.Namespace, listener: socket.socket) -> None:
    import uvicorn

    from toolcrib.files.identity import project_identity
    from toolcrib.policy.trust.page import announced_page
    from toolcrib.server.loop_threads import use_counted_threads
    from toolcrib.server.reload import Reloader
    from toolcrib.server.transports.http_connection import IDLE, HttpConnection, close_late

    port = listener.getsockname()[1]
    dashboard, url, surface = _made(args, port)
    reloader = Reloader(surface)
    config = uvicorn.Config(
        dashboard, http=HttpConnection, lifespan="off", log_level="warning", access_log=False,
        server_header=False, date_header=False, timeout_graceful_shutdown=1,
    )  # fmt: skip
    server = uvicorn.Server(config)
    server.capture_signals = contextlib.nullcontext  # type: ignore[method-assign,assignment]
    loop = asyncio.get_running_loop()
    use_counted_threads()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, _stop, server)
    task = loop.create_task(server.serve(sockets=[listener]))
    while not server.started and not task.done():  # noqa: ASYNC110 - uvicorn has no event for it
        await asyncio.sleep(0.01)
    with announced_page(project_identity(args.project), f"http://127.0.0.1:{port}/trust"):
        _announce(args, url, port)
        reloader.wake()
        warming = loop.create_task(dashboard.warm())
        connections: Any = server.server_state.connections
        late = loop.create_task(close_late(connections, IDLE))
        await task
    warming.cancel()
    late.cancel()
    await reloader.close()
    await surface.close()


def _stop(server: Any) -> None:
    server.should_exit = True
    server.force_exit = True


def _made(args: argparse.Namespace, port: int) -> tuple[Dashboard, str, Surface]:
    from toolcrib.server.assembly import assemble
    from toolcrib.settings import load
    from toolcrib.web.app import Dashboard, own_hosts
    from toolcrib.web.lock import Lock, OwnToken
    from toolcrib.web.source import Allowed

    settings = load(args.project)
    surface = assemble(settings)
    if surface.record is not None:
        surface.record.stop()
    surface.keep_record(None)
    surface.records = False  # a server's events are none of the page's
    allowed = Allowed(args.allow_calls, args.allow_edits)
    source = made_source(surface, settings, args.audit, allowed)
    own = OwnToken()
    url = f"http://127.0.0.1:{port}/?token={own.token}"
    return Dashboard(source, Lock(own), own_hosts(port)), url, surface


def made_source(
    surface: Surface,
    settings: Settings,
    audit: Path | None = None,
    allowed: Allowed | None = None,
) -> PageSource:
    """What the page shows of a project; `audit` is another record than the settings name."""
    from toolcrib.server.record import AUTO, STANDARD_OUTPUT, automatic_file
    from toolcrib.web.call_log import CallLog
    from toolcrib.web.source import Allowed, Hooks, PageSource

    project, named = settings.project, settings.server.audit
    own = project / named if named and named not in (AUTO, STANDARD_OUTPUT) else None
    hooks = Hooks(
        findings=lambda: _findings(project),
        trust=lambda: _trust(project),
        waiting=lambda: _waiting(project, surface),
        recording=lambda: bool(_server_now(settings, audit).audit),
        record=lambda: _record_now(settings, audit),
        problem=SettingsProblem(project),
    )
    log = CallLog(audit or own or automatic_file(project))
    return PageSource(surface, project, log, hooks, allowed or Allowed())


def _server_now(settings: Settings, audit: Path | None) -> ServerSettings:
    """What the settings say of the record now; the last good ones, where they cannot be read."""
    from toolcrib.settings import load

    server = settings.server
    with contextlib.suppress(ToolcribError):
        server = load(settings.project).server
    return server if audit is None else replace(server, audit=str(audit.absolute()))


def _record_now(settings: Settings, audit: Path | None) -> CallRecord | None:
    """The record for what a person does on the page."""
    from toolcrib.server.record import opened_record

    server = _server_now(settings, audit)
    if not server.audit:
        return None
    try:
        return opened_record(settings.project, server)
    except OSError as error:  # no reason to refuse the call
        logger.error("not audited: %s", error)
        return None


def _findings(project: Path) -> list[dict[str, Any]]:
    from toolcrib.cli.terminal.checkup import machine_findings, repository, running_findings

    found = [*repository(project), *running_findings(project), *machine_findings()]
    return [each.as_dict() for each in found]


def _trust(project: Path) -> dict[str, Any]:
    """What waits for trust, as `toolcrib trust` shows it."""
    from toolcrib.cli.terminal.trusting import new_abilities
    from toolcrib.policy.trust.changes import changes_of
    from toolcrib.settings import open_trust

    trust = open_trust(project)
    waits = trust.state != "trusted"
    return {
        "state": trust.state,
        "by": trust.verdict.by,
        "why": trust.verdict.foreign,
        "abilities": new_abilities(trust) if waits else [],
        "changes": [{"path": each.path, "diff": each.diff} for each in changes_of(trust)],
    }


def _waiting(project: Path, surface: Surface) -> list[dict[str, Any]]:
    """Calls that wait for a person, as `toolcrib approve` shows them."""
    from toolcrib.files.identity import project_identity
    from toolcrib.policy.approval_store import approvals_of
    from toolcrib.server.assembly import shared_entries

    found = approvals_of(project_identity(project), shared_entries(surface.packs)).waiting()
    return [
        {"id": number, "tool": call.tool, "words": call.words, "folder": call.folder,
         "network": call.network, "approved": approved}
        for number, call, approved in found
    ]  # fmt: skip


class SettingsProblem:
    """Why the settings cannot be used as they are now.

    Every page asks, so they are read again only once their files are others.
    """

    def __init__(self, project: Path) -> None:
        self._project = project
        self._seen: list[tuple[int, ...] | None] | None = None
        self._found: str | None = None

    def __call__(self) -> str | None:
        """The error, where there is one."""
        from toolcrib.files.identity import file_stamp
        from toolcrib.settings import FILE, load

        stamps = [file_stamp(self._project / name) for name in (FILE, "pyproject.toml")]
        if stamps != self._seen:
            try:
                load(self._project)
            except ToolcribError as error:
                self._found = str(error)
            else:
                self._found = None
            self._seen = stamps
        return self._found


def _announce(args: argparse.Namespace, url: str, port: int) -> None:
    if args.json:
        console.say(json.dumps({"url": url, "port": port, "pid": os.getpid()}))
    else:
        console.say(url)
    sys.stdout.flush()
    if not args.no_open and not args.json and sys.stdout.isatty():
        from toolcrib.cli.terminal.browser import open_page

        open_page(url, args.project)


def _bound(port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(("127.0.0.1", port))
        listener.listen(128)
    except (OSError, OverflowError) as error:
        listener.close()
        why = error.strerror if isinstance(error, OSError) else "there is no such port"
        raise ToolcribError(
            f"Cannot listen on port {port}: {why}",
            next="Choose another with --port N (0 picks a free one).",
        ) from error
    listener.setblocking(False)
    return listener
