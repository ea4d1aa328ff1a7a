"""Remove this server from a client's settings.

Without --scope it is removed wherever it is; with --all also from clients that are not on this
machine. Other servers, comments and order stay, and a
copy of the file is kept.

examples:
  toolcrib uninstall claude-code
  toolcrib uninstall --all --dry-run
  toolcrib uninstall vscode --scope user --name shop
"""

from __future__ import annotations

import argparse

from toolcrib.cli.clients import change, registry
from toolcrib.cli.clients.client import ClientProgram, Scope
from toolcrib.cli.clients.entry import check_name
from toolcrib.cli.clients.machine import Machine
from toolcrib.cli.commands.install import add_choice, alone, carry_out, chosen, failed
from toolcrib.cli.terminal import console
from toolcrib.core.errors import ToolcribError


def add(parser: argparse.ArgumentParser) -> None:
    """The options of `uninstall`."""
    add_choice(parser)


def run(args: argparse.Namespace) -> int:
    """Uninstall from each chosen client."""
    check_name(args.name)
    machine = Machine.here(args.project)
    reports = []
    for client in _meant(args, machine):
        for scope in _scopes(client, args):
            try:
                with alone(machine, args):
                    plan = change.plan_uninstall(client, machine, args.project, scope, args.name)
                    if plan.needed:
                        reports.append(carry_out(plan, machine, args))
            except ToolcribError as error:
                reports.append(failed(client, scope, error, args))
    if args.json:
        console.emit({"changes": reports}, "", args)
    elif not reports:
        console.say(f"No server {args.name!r} is installed there: nothing to do")
    return 1 if any("error" in report for report in reports) else 0


def _meant(args: argparse.Namespace, machine: Machine) -> list[ClientProgram]:
    """The clients that a command line means: with --all every one that has the server.

    A client that is not on this machine may have it as well: in a file of the repository, or in
    its settings from the time when it was here.
    """
    if args.client or not args.all:
        return chosen(args, machine)
    here = registry.found(machine)
    return [each for each in registry.CLIENTS.values() if each in here or _has(each, args, machine)]


def _has(client: ClientProgram, args: argparse.Namespace, machine: Machine) -> bool:
    try:
        return any(
            change.installed_entry(client, machine, args.project, scope, args.name) is not None
            for scope in client.scopes
        )
    except ToolcribError:
        return False  # a file that cannot be read, of a client that is not here


def _scopes(client: ClientProgram, args: argparse.Namespace) -> tuple[Scope, ...]:
    if args.scope is None:
        return client.scopes
    if args.all and args.scope not in client.scopes:
        return ()
    return (registry.scope_of(client, args.scope),)
