"""Register this server with a client.

The client's own command is used where there is one (claude, codex, gemini, code); otherwise
its file is changed in place: comments, order and other servers stay, and a copy is kept.

clients: claude-code, claude-desktop, cursor, vscode, codex, gemini, windsurf, zed

examples:
  toolcrib install claude-code             for everybody who works on this repo
  toolcrib install cursor --scope user     for you, wherever you work
  toolcrib install --all --dry-run         what would change, for each client found here
  toolcrib install zed directive guide     serve these packs alone
  toolcrib install claude-desktop --name shop
"""

from __future__ import annotations

import argparse
import contextlib
from typing import Any

from toolcrib.cli.clients import change, known, ledger, registry
from toolcrib.cli.clients.client import ClientProgram
from toolcrib.cli.clients.entry import DEFAULT_NAME, check_name
from toolcrib.cli.clients.machine import Machine
from toolcrib.cli.terminal import console, trusting
from toolcrib.core.errors import ToolcribError, UsageError


def add(parser: argparse.ArgumentParser) -> None:
    """The options of `install`."""
    add_choice(parser)
    parser.add_argument("packs", nargs="*", metavar="PACK", help="serve these packs alone")


def add_choice(parser: argparse.ArgumentParser) -> None:
    """What `install` and `uninstall` have in common."""
    parser.add_argument("client", nargs="?", metavar="CLIENT", help=", ".join(registry.CLIENTS))
    parser.add_argument("--all", action="store_true", help="every client that is found here")
    parser.add_argument("--scope", help="project, user or local (default: what the client has)")
    parser.add_argument("--name", default=DEFAULT_NAME, help="the server's name in the client")
    parser.add_argument("--dry-run", action="store_true", help="show what would change, and stop")


def run(args: argparse.Namespace) -> int:
    """Install into each chosen client."""
    check_name(args.name)
    machine = Machine.here(args.project)
    _check_packs(args.packs)
    reports = []
    for client in chosen(args, machine):
        scope = registry.scope_of(client, args.scope if args.client else _fitting(client, args))
        try:
            entry = change.entry_for(client, scope, args.project, args.name, args.packs)
            with alone(machine, args):
                plan = change.plan_install(client, machine, args.project, scope, entry)
                report = carry_out(plan, machine, args)
                if not args.dry_run:
                    report |= _asked(plan, machine, args)
                reports.append(report)
        except ToolcribError as error:
            reports.append(failed(client, scope, error, args))
            continue
        if plan.needed and scope == "project" and entry.command != "toolcrib" and not args.json:
            console.say(
                "  note: the file names a path of this machine; to share it, put toolcrib on the"
                " PATH and install again"
            )
    if args.json:
        console.emit({"changes": reports}, "", args)
    elif not args.dry_run:
        trusting.offer(args.project)
    return 1 if any("error" in report for report in reports) else 0


def _asked(plan: change.FileChange, machine: Machine, args: argparse.Namespace) -> dict[str, Any]:
    """Ask the client whether it has the server now, and say what it still wants."""
    entries = known.known_entries(plan.client, machine, args.project, plan.scope)
    named = [each for each in entries if each.name == plan.name]
    answer = known.ask_about(plan.client, machine, args.project, named)
    change.settled(plan, machine)
    state = answer.state if answer else None
    step = known.next_step(plan.client, answer, plan.scope, named)
    if not args.json:
        if answer is not None and answer.state == "has":
            mark = console.style("✓", "green")
            console.say(f"{mark} {plan.client.title} says that it has it: {answer.line}")
        elif answer is not None and answer.line:
            console.say(f"{plan.client.title} says: {answer.line}")
        if step:
            console.say(f"  next: {step}")
    return {"client_says": state, "next": step}


def alone(machine: Machine, args: argparse.Namespace) -> contextlib.AbstractContextManager[None]:
    """Hold off other changes from reading the file to writing it; a dry run writes nothing."""
    return contextlib.nullcontext() if args.dry_run else ledger.alone(machine)


def chosen(args: argparse.Namespace, machine: Machine) -> list[ClientProgram]:
    """The clients that a command line means."""
    if args.client and args.all:
        raise UsageError("Name a client or say --all, not both")
    if args.client:
        return [registry.get(args.client)]
    found = registry.found(machine)
    if not args.all:
        raise UsageError(
            "Which client?",
            why=f"found here: {', '.join(each.name for each in found) or 'none'}",
            next=f"toolcrib {args.command} CLIENT, with one of: {', '.join(registry.CLIENTS)}",
        )
    if not found:
        raise ToolcribError(
            "No client was found on this machine",
            next=f"Name one all the same: toolcrib {args.command} {' | '.join(registry.CLIENTS)}",
        )
    return found


def carry_out(
    plan: change.FileChange, machine: Machine, args: argparse.Namespace
) -> dict[str, Any]:
    """Show a plan, do it unless this is a dry run, and report it."""
    before = plan.old or ""
    outcome = None
    if plan.needed and not args.dry_run:
        outcome = change.carry_out(plan, machine, args.project)
    after = (outcome.text if outcome else plan.new) or ""
    shown = console.diff(before, after, str(plan.spot.file))
    report = {
        "client": plan.client.name,
        "scope": plan.scope,
        "file": str(plan.spot.file),
        "changed": outcome is not None,
        "command": list(plan.own) if plan.own and (outcome is None or outcome.by_command) else None,
        "backup": str(outcome.backup) if outcome and outcome.backup else None,
        "diff": shown,
    }
    if not args.json:
        _tell(plan, report, args)
    return report


def failed(
    client: ClientProgram, scope: str, error: ToolcribError, args: argparse.Namespace
) -> dict[str, Any]:
    """Report what went wrong with one client, so that the others are still served."""
    if not args.all:
        raise error
    if not args.json:
        console.say(console.style(f"✗ {client.title} ({scope})", "red"))
        console.say(error.render())
    return {"client": client.name, "scope": scope, "error": error.as_dict()}


def _tell(plan: change.FileChange, report: dict[str, Any], args: argparse.Namespace) -> None:
    head = f"{plan.client.title} ({plan.scope}): {plan.spot.file}"
    if not plan.needed:
        console.say(f"{head}: nothing to do")
        return
    mark = "would change" if args.dry_run else "changed"
    console.say(f"{mark} {head}")
    if report["command"]:
        console.say(f"  by: {_quoted(report['command'])}")
    console.say(report["diff"].rstrip("\n"))
    if report["backup"]:
        console.say(f"  the file as it was: {report['backup']}")


def _quoted(words: list[str]) -> str:
    import shlex  # only for what a person reads

    return shlex.join(words)


def _fitting(client: ClientProgram, args: argparse.Namespace) -> str | None:
    """With --all, a scope that a client does not have falls back to the one that it has."""
    return args.scope if args.scope in client.scopes else None


def _check_packs(names: list[str]) -> None:
    from toolcrib.core.support.suggest import did_you_mean
    from toolcrib.settings import PACKS

    for name in names:
        if name not in PACKS:
            raise UsageError(
                f"Unknown pack: {name}{did_you_mean(name, PACKS)}",
                next=f"Packs: {', '.join(PACKS)}",
            )
