"""Move your clients' own MCP servers behind toolcrib, and back.

Each server is connected once before it moves. Its entry goes to your own servers.json (with
--scope project: to mcp/servers.json of the repo), secrets to files that only you can read, and
toolcrib takes its place in the client. What fails stays where it is.

clients: claude-code, claude-desktop, cursor, vscode, codex, gemini, windsurf, zed

examples:
  toolcrib adopt --dry-run                 what would move, of every client found here
  toolcrib adopt claude-code cursor        these clients alone
  toolcrib adopt codex --server github     one server
  toolcrib adopt --scope project           .mcp.json and the like, for everybody
  toolcrib adopt --list                    what can be undone
  toolcrib adopt --undo                    put everything back as it was
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections.abc import Mapping
from typing import Any

from toolcrib.cli.adoption import journal as journals
from toolcrib.cli.adoption import moving
from toolcrib.cli.adoption.candidates import ServerCandidate, candidates
from toolcrib.cli.adoption.edits import FileEdits
from toolcrib.cli.adoption.literals import KeptSecrets
from toolcrib.cli.adoption.plan import Plan, Planner, Targets, file_edits
from toolcrib.cli.clients import ledger, registry
from toolcrib.cli.clients.client import ClientProgram
from toolcrib.cli.clients.machine import Machine
from toolcrib.cli.terminal import console
from toolcrib.cli.terminal.person import at_terminal, require_person
from toolcrib.core.errors import UsageError
from toolcrib.core.support.suggest import did_you_mean

MASK = "***"
_SCOPES = ("project", "user", "local")
_LAST = "LAST"


def add(parser: argparse.ArgumentParser) -> None:
    """The options of `adopt`."""
    parser.add_argument("clients", nargs="*", metavar="CLIENT", help=", ".join(registry.CLIENTS))
    parser.add_argument("--all", action="store_true", help="every client found here (default)")
    parser.add_argument("--scope", choices=_SCOPES, help="one scope (default: all but project)")
    parser.add_argument(
        "--server", action="append", default=[], metavar="N", help="only this server; may repeat"
    )
    parser.add_argument("--dry-run", action="store_true", help="show what would change, and stop")
    parser.add_argument("--yes", action="store_true", help="do not ask")
    parser.add_argument("--no-connect", action="store_true", help="move without connecting first")
    parser.add_argument(
        "--input", action="append", default=[], metavar="ID=VALUE", help="what ${input:ID} is"
    )
    parser.add_argument("--list", action="store_true", help="list what can be undone")
    parser.add_argument("--undo", nargs="?", const=_LAST, metavar="ID", help="put all back")


def run(args: argparse.Namespace) -> int:
    """Adopt, undo or list."""
    machine = Machine.here(args.project)
    if args.list:
        return _list(args, machine)
    if args.undo is not None:
        return _undo(args, machine)
    return _Adoption(args, machine).run()


class _Adoption:
    """One run of the command."""

    def __init__(self, args: argparse.Namespace, machine: Machine) -> None:
        from toolcrib.settings import load

        self._args = args
        self._machine = machine
        self._settings = load(args.project)
        self._config = _config(self._settings)
        self._targets = _targets(args)
        self._answers: dict[str, str | None] = dict(_pair(word) for word in args.input)

    def run(self) -> int:
        args = self._args
        found = self._candidates()
        plan = self._planned(found)
        if not plan.moves:
            return self._nothing(plan)
        if not args.dry_run:
            require_person("Adopting servers", yes=args.yes)
        if args.scope == "project":
            console.hint("everyone who clones this will need toolcrib")
            plan.remarks.insert(0, "everyone who clones this will need toolcrib")
        failed = 0 if args.no_connect or args.dry_run else self._connect(plan)
        if failed is None:
            return 1
        if not plan.moves:
            return self._nothing(plan, failed)
        changes = file_edits(plan, self._targets, self._config)
        shown = self._show(plan, changes)
        if args.dry_run:
            self._report(plan, shown, None)
            return 0
        if not console.confirm("Move them?", args.yes):
            return 1
        with ledger.alone(self._machine):
            done = moving.carry_out(plan, changes, self._targets, self._machine)
        self._report(plan, shown, done)
        return 1 if failed else 0

    def _candidates(self) -> list[ServerCandidate]:
        args = self._args
        clients = _clients(args, self._machine)
        found = candidates(self._machine, args.project, clients, args.scope, args.server)
        for name in args.server:
            if name not in {each.name for each in found}:
                every = candidates(self._machine, args.project, clients, args.scope)
                hint = did_you_mean(name, [each.name for each in every])
                raise UsageError(f"No client here has a server {name!r}{hint}")
        return found

    def _planned(self, found: list[ServerCandidate]) -> Plan:
        from toolcrib.core.support.folders import state_folder

        folder = state_folder() / "secrets"
        plan = Plan(self._args.project, KeptSecrets(folder, self._config.get("secrets", {})))
        return Planner(self._machine, plan, self._targets, self._input).planned(found)

    def _input(self, id: str) -> str | None:
        """The value of an `${input:ID}`: from the command line, else asked for once."""
        if id not in self._answers:
            if self._args.dry_run:
                self._answers[id] = MASK
            elif at_terminal():
                import getpass

                self._answers[id] = getpass.getpass(f"{id}: ") or None
            else:
                self._answers[id] = sys.stdin.readline().rstrip("\n") or None
        return self._answers[id]

    def _connect(self, plan: Plan) -> int | None:
        """Connect to each; how many failed, or None where a person does not want it."""
        from toolcrib.cli.adoption.trial import try_all
        from toolcrib.policy.secrets import Secrets

        args = self._args
        if args.scope == "project" and not args.yes:
            lines = [f"  {move.name}: {_words(move.entry)}" for move in plan.moves]
            console.say(
                "\n".join(["These are started or called once, to see that they work:", *lines])
            )
            if not console.confirm("Go on?", False):
                return None
        trust = self._settings.trust
        fetch = Secrets(self._config.get("secrets", {})).fetch
        trusted = trust is None or trust.state == "trusted"
        failed = asyncio.run(try_all(plan, fetch, trusted=trusted))
        for move in [move for move in plan.moves if move.name in failed]:
            plan.fails(move, failed[move.name])
        return len(failed)

    def _nothing(self, plan: Plan, failed: int = 0) -> int:
        self._report(plan, [], None)
        return 1 if failed else 0

    def _show(self, plan: Plan, changes: list[FileEdits]) -> list[dict[str, str]]:
        hidden = sorted(plan.secrets.values.values(), key=len, reverse=True)
        shown = []
        for path, old, new in moving.previews(changes):
            text = console.diff(old, new, str(path))
            for value in hidden:
                text = text.replace(value, MASK)
            shown.append({"file": str(path), "diff": text})
        if not self._args.json:
            for each in shown:
                console.say(each["diff"].rstrip("\n"))
            for remark in plan.remarks:
                console.say(f"  note: {remark}")
            for candidate, why in plan.stays:
                console.say(f"  stays: {candidate.shown}: {why}")
        return shown

    def _report(
        self, plan: Plan, shown: list[dict[str, str]], done: journals.Journal | None
    ) -> None:
        report = {
            "adopted": [_moved(move) for move in plan.moves],
            "stays": [{**_source(each), "reason": why} for each, why in plan.stays],
            "remarks": plan.remarks,
            "changes": shown,
            "id": done.id if done is not None else None,
        }
        console.emit(report, lambda: self._told(plan, done), self._args)

    def _told(self, plan: Plan, done: journals.Journal | None) -> str:
        if not plan.moves:
            lines = ["Nothing to adopt."]
            return "\n".join(lines + [f"  stays: {each.shown}: {why}" for each, why in plan.stays])
        names = ", ".join(move.name for move in plan.moves)
        if done is None:
            return f"Would move: {names}. Each would be connected once before it is moved."
        lines = [f"Moved: {names}", f"  back again: toolcrib adopt --undo {done.id}"]
        if any(move.file == self._targets.repo for move in plan.moves):
            lines.append("  next: look at them and trust them: toolcrib trust")
        return "\n".join(lines)


def _moved(move: Any) -> dict[str, Any]:
    return {
        "name": move.name,
        "file": str(move.file),
        "sandbox": move.entry.get("sandbox"),
        "from": [_source(each) for each in move.sources],
    }


def _source(candidate: ServerCandidate) -> dict[str, str]:
    return {"client": candidate.client.name, "scope": candidate.scope, "name": candidate.name}


def _words(entry: Mapping[str, Any]) -> str:
    return str(entry.get("url") or " ".join([entry["command"], *map(str, entry.get("args", ()))]))


def _clients(args: argparse.Namespace, machine: Machine) -> list[ClientProgram]:
    if args.clients and args.all:
        raise UsageError("Name clients or say --all, not both")
    if args.clients:
        return [registry.get(name) for name in args.clients]
    return list(registry.CLIENTS.values())


def _targets(args: argparse.Namespace) -> Targets:
    from toolcrib.core.support.folders import config_folder
    from toolcrib.packs.gateway.settings import REPO_FILE, USER_FILE
    from toolcrib.policy.person import FILE

    own = config_folder()
    return Targets(args.project / REPO_FILE, own / USER_FILE, own / FILE)


def _config(settings: Any) -> Mapping[str, Any]:
    from toolcrib.policy.person import load_person

    person = settings.trust.person if settings.trust is not None else load_person()
    tables: Mapping[str, Any] = person.user.tables
    return tables


def _pair(word: str) -> tuple[str, str]:
    name, equals, value = word.partition("=")
    if not (name and equals):
        raise UsageError(f"--input {word}: must be ID=VALUE")
    return name, value


def _list(args: argparse.Namespace, machine: Machine) -> int:
    rows = [
        {
            "id": each.id,
            "time": time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(each.time)),
            "project": str(each.project),
            "servers": [key.rpartition(":")[2] for key in each.servers],
            "state": "done" if each.done else "interrupted",
        }
        for each in journals.journals(machine)
    ]

    def text() -> str:
        lines = [
            f"{row['id']}  {', '.join(row['servers'])}  ({row['project']})"
            + ("" if row["state"] == "done" else "  interrupted")
            for row in rows
        ]
        return "\n".join(lines) or "Nothing was adopted."

    console.emit({"adoptions": rows}, text, args)
    return 0


def _undo(args: argparse.Namespace, machine: Machine) -> int:
    found = moving.chosen(machine, None if args.undo == _LAST else args.undo)
    if found is None:
        console.emit({"undone": None, "remarks": []}, "Nothing was adopted.", args)
        return 0
    names = [key.rpartition(":")[2] for key in found.servers]
    if not args.dry_run:
        require_person("Undoing an adoption", yes=args.yes)
    if args.dry_run or not console.confirm(f"Put back {', '.join(names)}?", args.yes):
        console.emit({"undone": None, "remarks": []}, f"Would put back {', '.join(names)}.", args)
        return 0 if args.dry_run else 1
    with ledger.alone(machine):
        remarks = moving.undo(found, machine)
    lines = [f"Put back: {', '.join(names)}", *(f"  note: {each}" for each in remarks)]
    console.emit({"undone": found.id, "remarks": remarks}, "\n".join(lines), args)
    return 0
