"""Approve a call that waits for a person, or have approvals remembered.

A call that was refused names its number; approved here, the same call passes once.

examples:
  toolcrib approve                                       the calls that wait
  toolcrib approve 7f3a                                  look at one, and let it pass once
  toolcrib approve --always git_push remote=origin branch='feature/*'
  toolcrib approve --list                                what is remembered
  toolcrib approve --revoke git_push
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from toolcrib.cli.terminal import console
from toolcrib.cli.terminal.person import require_person
from toolcrib.cli.terminal.recording import note
from toolcrib.core.errors import ToolcribError, ToolNotFound, UsageError
from toolcrib.core.support.printable import printable
from toolcrib.core.support.suggest import did_you_mean
from toolcrib.core.tool import Tool
from toolcrib.files.identity import project_identity
from toolcrib.policy.approval_store import ApprovalStore, PendingApproval, approvals_of
from toolcrib.policy.remembered import Remembered, fingerprint
from toolcrib.policy.remembering import may_remember
from toolcrib.settings import load


def add(parser: argparse.ArgumentParser) -> None:
    """The options of `approve`."""
    parser.add_argument("id", nargs="?", metavar="ID", help="the number of a call that waits")
    parser.add_argument("patterns", nargs="*", metavar="ARG=PATTERN", help="with --always")
    chosen = parser.add_mutually_exclusive_group()
    chosen.add_argument("--always", metavar="TOOL", help="remember calls of this tool")
    chosen.add_argument("--list", action="store_true", help="list what is remembered")
    chosen.add_argument("--revoke", metavar="TOOL", help="forget what is remembered of a tool")
    parser.add_argument("--yes", "-y", action="store_true", help="do not ask")


def run(args: argparse.Namespace) -> int:
    """Do what was asked for."""
    with _store(args) as store:
        return _chosen(store, args)


@contextmanager
def _store(args: argparse.Namespace) -> Iterator[ApprovalStore]:
    """Where approvals are kept: with those of the other replicas, or on this machine."""
    from toolcrib.server.assembly import chosen_packs, make_pack, pack_class, shared_entries

    settings = load(args.project)
    names = [name for name in chosen_packs(settings) if pack_class(name).keeps_state]
    packs = [make_pack(name, settings) for name in names]
    try:
        yield approvals_of(project_identity(args.project), shared_entries(packs))
    finally:
        for pack in packs:
            asyncio.run(pack.close())


def _chosen(store: ApprovalStore, args: argparse.Namespace) -> int:
    if args.list:
        return _list(store, args)
    if args.revoke:
        count = store.forget(args.revoke)
        note(args.project, "revoke", tool=args.revoke, approvals=count)
        console.emit({"revoked": count}, f"Revoked: {count} of {args.revoke}", args)
        return 0 if count else 1
    if args.always:
        return _always(store, args)
    return _approve(store, args) if args.id else _waiting(store, args)


def _waiting(store: ApprovalStore, args: argparse.Namespace) -> int:
    found = store.waiting()
    value = [{"id": number, "tool": call.tool, "approved": done} for number, call, done in found]
    rows = [(number, call.tool, printable(call.words)) for number, call, done in found if not done]
    text = console.table(rows, ["ID", "TOOL", "CALL"]) if rows else "No call waits."
    console.emit(value, text, args)
    return 0


def _approve(store: ApprovalStore, args: argparse.Namespace) -> int:
    require_person("toolcrib approve", yes=args.yes)
    found = {number: call for number, call, _ in store.waiting()}
    call = found.get(args.id)
    if call is None:
        raise ToolcribError(
            f"No call waits under the number {args.id!r}{did_you_mean(args.id, found)}",
            why="a number lives for ten minutes",
            next="toolcrib approve lists what waits",
        )
    if not args.json:
        console.say(_shown(call))
    if not console.confirm("Let this call pass once?", args.yes):
        console.say("It was not approved.")
        return 1
    store.approve(args.id)
    note(args.project, "approve", tool=call.tool, id=args.id, how="once")
    console.emit({"approved": args.id}, f"Approved: {call.tool} may run once.", args)
    return 0


def _shown(call: PendingApproval) -> str:
    lines = [call.tool, call.words, f"in {call.folder}", f"network: {call.network}"]
    return "\n".join(f"  {printable(line)}" for line in lines)


def _always(store: ApprovalStore, args: argparse.Namespace) -> int:
    require_person("toolcrib approve --always", yes=args.yes)
    settings = load(args.project)
    if settings.trust is not None and not may_remember(settings.trust):
        raise ToolcribError("A policy forbids remembered approvals", why="remember: false")
    tool = _tool(args)
    patterns = dict(_pair(word, tool) for word in [args.id, *args.patterns] if word)
    shown = " ".join(f"{name}={pattern}" for name, pattern in patterns.items())
    if not console.confirm(f"Never ask again for {tool.name} {shown}?", args.yes):
        console.say("Nothing is remembered.")
        return 1
    store.remember(Remembered(tool.name, patterns, fingerprint(tool)))
    value = {"tool": tool.name, "arguments": patterns}
    note(args.project, "approve", **value, how="remembered")
    console.emit(value, f"Remembered: {tool.name} {shown}".rstrip(), args)
    return 0


def _pair(word: str, tool: Tool) -> tuple[str, str]:
    name, equals, pattern = word.partition("=")
    known = tool.input_schema.get("properties", {})
    if not equals:
        raise UsageError(f"{word!r} must be ARG=PATTERN")
    if name not in known:
        raise UsageError(f"{tool.name} has no argument {name!r}{did_you_mean(name, known)}")
    return name, pattern


def _tool(args: argparse.Namespace) -> Tool:
    from toolcrib.cli.terminal.local import LocalServer, with_local_server

    async def find(server: LocalServer) -> Tool:
        every = {tool.name: tool for tool in server.surface.catalog.every()}
        if args.always not in every:
            raise ToolNotFound(args.always, list(every))
        return every[args.always]

    return with_local_server(args, find)


def _list(store: ApprovalStore, args: argparse.Namespace) -> int:
    found = store.all_remembered()
    value = [{"tool": each.tool, "arguments": dict(each.arguments)} for each in found]
    rows = [
        (each.tool, printable(" ".join(f"{name}={p}" for name, p in each.arguments.items())))
        for each in found
    ]
    text = console.table(rows, ["TOOL", "ARGUMENTS"]) if rows else "Nothing is remembered."
    console.emit(value, text, args)
    return 0
