"""Get, set and list flags: values that steer agents, for this project or for all of them.

examples:
  toolcrib flags list                          what holds here, and who set it
  toolcrib flags set terse true                for this project
  toolcrib flags set reviewers '["ada","bob"]' --global
  toolcrib flags get terse
  toolcrib flags unset terse                   a global one of that name shows again

A value is true, false, a JSON list or object of strings, or any other text.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from toolcrib.cli.terminal import console

if TYPE_CHECKING:
    from toolcrib.packs.guide.state.flags import Flags, FlagValue


def add(parser: argparse.ArgumentParser) -> None:
    """The four actions."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    for name, summary in (
        ("list", "list the flags that hold here"),
        ("get", "print one flag; nothing and exit code 1 when it is not set"),
        ("set", "set a flag"),
        ("unset", "remove a flag"),
    ):
        action = actions.add_parser(name, help=summary, description=summary)
        if name != "list":
            action.add_argument("name", metavar="NAME", help="the flag")
        if name == "set":
            action.add_argument("value", metavar="VALUE", help="true, false, JSON, or text")
            action.add_argument(
                "--text", action="store_true", help="take the value as text, whatever it looks like"
            )
        action.add_argument(
            "--global", dest="everywhere", action="store_true", help="the flags of all projects"
        )


def run(args: argparse.Namespace) -> int:
    """Run one action."""
    from toolcrib.packs.guide.session import GuideSession
    from toolcrib.settings import load

    session = GuideSession(args.project, load(args.project).section("guide"))
    try:
        return _ACTIONS[args.action](session.flags, args)
    finally:
        session.close()


def _list(flags: Flags, args: argparse.Namespace) -> int:
    if args.everywhere:
        found, own = flags.list_feature(), {}
    else:
        found, own = flags.list_project(), flags.own()
    rows = [
        (name, _shown(value), "project" if name in own else "global")
        for name, value in found.items()
    ]
    text = console.table(rows, ["flag", "value", "set by"]) if rows else "No flags are set."
    console.emit(found, text, args)
    return 0


def _get(flags: Flags, args: argparse.Namespace) -> int:
    if args.everywhere:
        value, source = flags.get_feature(args.name), "global"
    else:
        value, source = flags.get_project(args.name)
    if value is None:
        source = "none"
    if value is not None or args.json:
        answer = {"name": args.name, "value": value, "set_by": source}
        console.emit(answer, lambda: _shown(value), args)
    return 0 if value is not None else 1


def _set(flags: Flags, args: argparse.Namespace) -> int:
    value = args.value if args.text else parsed_value(args.value)
    _put(flags, args, value)
    answer = {"name": args.name, "value": value}
    console.emit(answer, f"{args.name} = {_shown(value)} ({_where(args)})", args)
    return 0


def _unset(flags: Flags, args: argparse.Namespace) -> int:
    _put(flags, args, None)
    answer = {"name": args.name, "value": None}
    console.emit(answer, f"{args.name} is not set ({_where(args)})", args)
    return 0


_ACTIONS: dict[str, Callable[[Flags, argparse.Namespace], int]] = {
    "list": _list,
    "get": _get,
    "set": _set,
    "unset": _unset,
}


def parsed_value(text: str) -> Any:
    """What a person means: true, false, a JSON list or object, and everything else is text."""
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    if text[:1] in ("[", "{"):
        try:
            return json.loads(text)
        except ValueError:
            return text
    return text


def _put(flags: Flags, args: argparse.Namespace, value: FlagValue | None) -> None:
    if args.everywhere:
        flags.set_feature(args.name, value)
    else:
        flags.set_project(args.name, value)


def _where(args: argparse.Namespace) -> str:
    return "all projects" if args.everywhere else "this project"


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
