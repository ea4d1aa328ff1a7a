"""Spec-first templates for people and agents, kept in the repo's `directive/`.

examples:
  toolcrib directive init              make directive/, or add what is missing in it
  toolcrib directive update            refresh our templates; shows a diff and asks
  toolcrib directive bundle spec       print everything needed to draft a spec
  toolcrib directive serve             serve these five tools alone
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from toolcrib.cli.commands.serve import add_serving_options, serve
from toolcrib.cli.terminal import console


def add(parser: argparse.ArgumentParser) -> None:
    """The four actions."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    _action(actions, "init", "make directive/, or add what is missing; nothing is overwritten")
    update = _action(
        actions, "update", "refresh procedure and templates; never the agent context or your specs"
    )
    update.add_argument("--yes", "-y", action="store_true", help="do not ask")
    bundle = _action(actions, "bundle", "print procedure, context and a template, with a primer")
    bundle.add_argument("name", metavar="NAME", help="spec, impact, tdr, or a file of templates/")
    add_serving_options(_action(actions, "serve", "serve the directive tools alone"))


def run(args: argparse.Namespace) -> int:
    """Run one action."""
    if args.action == "serve":
        return serve(args, ["directive"])
    if args.action == "init":
        return _init(args)
    if args.action == "update":
        return _update(args)
    return _bundle(args)


def _action(actions: Any, name: str, summary: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = actions.add_parser(name, help=summary, description=summary)
    # The command's own options, also after the action; what was said before it stays otherwise.
    parser.add_argument("--project", type=Path, metavar="DIR", default=argparse.SUPPRESS)
    parser.add_argument("--json", action="store_true", default=argparse.SUPPRESS)
    return parser


def _init(args: argparse.Namespace) -> int:
    from toolcrib.packs.directive import scaffold

    missing, kept = scaffold.plan_init(args.project)
    scaffold.apply(args.project, missing)
    created = [each.path for each in missing]
    lines = [f"created  {path}" for path in created] + [f"kept     {path}" for path in kept]
    console.emit({"created": created, "kept": kept}, "\n".join(lines), args)
    if any(path.endswith("agent_context.md") for path in created):
        console.hint("Next: fill in the agent context, then `toolcrib install --all`.")
    return 0


def _update(args: argparse.Namespace) -> int:
    from toolcrib.packs.directive import scaffold

    planned = scaffold.plan_update(args.project)
    if not planned:
        console.emit({"updated": [], "diff": ""}, "Everything is up to date.", args)
        return 0
    diff = "".join(console.diff(each.old or "", each.new, each.path) for each in planned)
    if not args.json:
        console.say(diff.rstrip("\n"))
    # A script that reads JSON is not asked: without --yes it learns what would change.
    if not args.yes and (args.json or not console.confirm(f"Write {len(planned)} file(s)?", False)):
        text = "Nothing was written. `toolcrib directive update --yes` writes it."
        console.emit({"updated": [], "diff": diff}, text, args)
        return 1
    scaffold.apply(args.project, planned)
    paths = [each.path for each in planned]
    text = "\n".join(f"updated  {path}" for path in paths)
    console.emit({"updated": paths, "diff": diff}, text, args)
    return 0


def _bundle(args: argparse.Namespace) -> int:
    from toolcrib.packs.directive.bundles import build_template_bundle, open_root

    name = args.name if args.name.endswith(".md") else f"{args.name}_template.md"
    bundle = build_template_bundle(open_root(args.project), name)

    def text() -> str:
        parts = (bundle["agentOperatingProcedure"], bundle["agentContext"], bundle["template"])
        shown = [f"<!-- {part['path']} -->\n\n{part['content'].strip()}" for part in parts]
        return "\n\n".join([f"> {bundle['primer']}", *shown])

    console.emit(bundle, text, args)
    return 0
