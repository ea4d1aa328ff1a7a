"""List what would be served: tools, resources and prompts.

examples:
  toolcrib list                     all of it
  toolcrib list tools --classic     also every tool of every command-line program
  toolcrib list resources --json
  toolcrib list tools --names       one name per line, for scripts and completion
"""

from __future__ import annotations

import argparse
from typing import Any

from toolcrib.cli.terminal import console
from toolcrib.cli.terminal.local import LocalServer, with_local_server
from toolcrib.core.tool import JSON

KINDS = {"tools": "name", "resources": "uri", "prompts": "name"}


def add(parser: argparse.ArgumentParser) -> None:
    """The options of `list`."""
    parser.add_argument("kind", nargs="?", choices=list(KINDS), help="only these")
    parser.add_argument("--pack", action="append", default=[], help="only this pack (repeatable)")
    parser.add_argument("--names", action="store_true", help="names alone, one per line")
    listing = parser.add_mutually_exclusive_group()
    for mode, text in (
        ("classic", "also the tools of command-line programs"),
        ("progressive", "as `serve --progressive` would list them"),
    ):
        listing.add_argument(
            f"--{mode}", dest="discovery", action="store_const", const=mode, help=text
        )


def run(args: argparse.Namespace) -> int:
    """Print the lists."""
    kinds = [args.kind] if args.kind else list(KINDS)
    overrides = {"server": {"discovery": args.discovery}}
    found = with_local_server(
        args,
        lambda server: _collect(server, kinds, told=not args.names),
        packs=args.pack,
        overrides=overrides,
        at_rest=True,
    )
    if args.names:
        names = [item[KINDS[kind]] for kind in kinds for item in found[kind]]
        console.emit(names, "\n".join(names), args)
        return 0
    console.emit(found, lambda: _text(found), args)
    if any(tool["name"] == "climax_search" for tool in found.get("tools", [])):
        console.hint("More tools stand behind climax_search: toolcrib list tools --classic")
    return 0


async def _collect(server: LocalServer, kinds: list[str], *, told: bool) -> dict[str, list[JSON]]:
    if told:  # names alone are for scripts
        server.tell_unseen()
    return {kind: await server.everything(f"{kind}/list", kind) for kind in kinds}


def _text(found: dict[str, list[JSON]]) -> str:
    parts = []
    for kind, items in found.items():
        first = "title" if kind == "resources" else "description"
        rows = [(item[KINDS[kind]], _summary(item, first)) for item in items]
        heading = f"{kind} ({len(items)})"
        parts.append(console.table(rows, [heading, ""]) if rows else f"{heading}: none")
    return "\n\n".join(parts)


def _summary(item: dict[str, Any], first: str, width: int = 80) -> str:
    text = str(item.get(first) or item.get("description") or item.get("title") or "")
    line = text.strip().splitlines()[0] if text.strip() else ""
    return line if len(line) <= width else line[: width - 1] + "…"
