"""The `toolcrib` command: parses its arguments and calls the other layers.

Each command is a module of this package with `add(parser)` and `run(args)`; only the module of
the command that was typed is imported.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from toolcrib.cli.lazy_modules import import_asyncio
from toolcrib.core.support.gc_pause import lasting

if TYPE_CHECKING:
    import argparse

COMMANDS = {
    "init": "find what this repo has and write a commented toolcrib.toml",
    "serve": "serve this repo's packs to an MCP client, over stdio or HTTP",
    "demo": "walk through an example project with a real client",
    "list": "list the tools, resources and prompts that would be served",
    "search": "search the tools, the documents and the decisions",
    "call": "call a tool",
    "calls": "show what agents called here, how it ended and how long it took",
    "dashboard": "open a page that shows calls, tools, decisions and health",
    "doctor": "check everything and say how to fix what is wrong",
    "install": "add this server to a client's configuration",
    "uninstall": "remove this server from a client's configuration",
    "adopt": "move your clients' own MCP servers behind this one, and back",
    "validate": "check toolcrib.toml, configs, policies, prompts and documents",
    "directive": "spec-first templates: init, update, bundle, serve",
    "architecture": "decisions and patterns: new-adr, check, graph, lint",
    "climax": "command-line programs as tools: run, list, validate, import, skill",
    "content": "print guide content by an expression",
    "flags": "get, set and list feature flags",
    "approve": "approve a call that is waiting for a person",
    "trust": "review what this repo would do, and trust it",
    "servers": "other MCP servers behind this one: list, add, remove, approve, refresh, logs",
    "policy": "explain what a policy decides about a call",
    "explain": "explain an error code",
    "completion": "print a completion script for a shell",
}

_SHARED: dict[str, Any] = {"project": None, "json": False}
"""The options that every command has, where nothing is said of them."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    # Not list(): once the command `list` is imported, that name here is its module.
    words = [*(sys.argv[1:] if argv is None else argv)]
    try:
        return _printed(words)
    except BrokenPipeError:
        from toolcrib.cli.terminal import console

        console.hush(sys.stdout)
        return 0
    except OSError as error:
        from toolcrib.cli.terminal import console

        console.hush(sys.stdout)
        console.complain(console.told(error), as_json=False)
        return 1
    except KeyboardInterrupt:
        return 130


def _printed(words: list[str]) -> int:
    """Run a command and flush its output while a failure can still be reported."""
    try:
        if words in (["--version"], ["-V"]):
            from toolcrib import __version__

            print(f"toolcrib {__version__}")
            return 0
        return _dispatch([*words[1:], "--help"] if words[:1] == ["help"] else words)
    finally:
        if sys.stdout is not None:
            sys.stdout.flush()


def _dispatch(words: list[str]) -> int:
    with lasting():
        if words[:1] == ["serve"]:
            import_asyncio()
        from toolcrib.cli.terminal import console
        from toolcrib.core.errors import ToolcribError
        from toolcrib.core.support.logs import setup_for_people

        words = understood(words)
        args = without_options(words)
    if args is None:
        with lasting():
            parser = parser_for(words)
        if not words:
            parser.print_help()
            return 0
        args = parser.parse_args(words)
    setup_for_people()
    try:
        console.prepare(args)
        code: int = args.run(args)
        return code
    except ToolcribError as error:
        console.complain(error, as_json=args.json)
        return error.exit_code


def without_options(words: Sequence[str]) -> argparse.Namespace | None:
    """What the parser makes of `serve [PACK…]`, which is how clients start a server.

    A client's first answer would wait for argparse to load and for a parser to be made. None for
    every other command line; the defaults are those that the parser has.
    """
    if words[:1] != ["serve"] or any(word.startswith("-") for word in words):
        return None
    from types import SimpleNamespace

    from toolcrib.cli.commands import serve

    said = {"command": "serve", "version": False, "packs": words[1:], "run": serve.run}
    return cast("argparse.Namespace", SimpleNamespace(**said, **serve.DEFAULTS, **_SHARED))


def understood(words: list[str]) -> list[str]:
    """The words of a command line as the parser wants them, what may be left out filled in."""
    return _spelled_out(_in_order(words))


def _spelled_out(words: list[str]) -> list[str]:
    """`climax FILE` as `climax run FILE`: a first word that is a config is what to serve.

    Options may come before it, as `--classic` or `--log-level DEBUG`.
    """
    if words[:1] == ["climax"] and len(words) > 1:
        from toolcrib.cli.commands.climax import ACTIONS, names_config

        rest = words[1:]
        first = rest if rest[0].startswith("-") else rest[:1]
        if any(map(names_config, first)) and not any(word in ACTIONS for word in first):
            return ["climax", "run", *rest]
    return words


_DEFAULT_ACTIONS = {
    "content": ("get", ("get", "categories", "collections", "files", "rules", "skills")),
}
"""What a command does with a first word that is none of its actions."""


def _in_order(words: list[str]) -> list[str]:
    """The words as the parser wants them: `--json` behind all others, `content X` as `get X`."""
    end = words.index("--") if "--" in words else len(words)
    said = [word for word in words[:end] if word != "--json"]
    asked, rest = ["--json"] * (len(said) < end), words[end:]
    at = next((at for at, word in enumerate(said) if not word.startswith("-")), None)
    if at is None:
        return said or words
    before, command, after = said[:at], said[at], said[at + 1 :]
    default, actions = _DEFAULT_ACTIONS.get(command, ("", ()))
    plain = [word for word, last in zip(after, ["", *after], strict=False) if last != "--project"]
    first = next((word for word in plain if not word.startswith("-")), None)
    if default and first is not None and first not in actions and "--help" not in after:
        after = [default, *after]
    return [*before, command, *after, *asked, *rest]


def parser_for(words: Sequence[str], every: bool = False) -> argparse.ArgumentParser:
    """The parser for a command line; `every` fills in all commands, for documentation."""
    from toolcrib.cli.terminal.parser import Parser

    parser = Parser(
        prog="toolcrib",
        description="One MCP server for everything a repository wants its agents to know and do.",
        epilog="Begin with `toolcrib init`, then `toolcrib install claude-code`.",
    )
    parser.add_argument("--version", "-V", action="store_true", help="print the version and exit")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    wanted = next((word for word in words if not word.startswith("-")), None)
    for name, summary in COMMANDS.items():
        if every or name == wanted:
            _add_command(commands, name, summary)
        elif wanted not in COMMANDS:  # a known command pays for no parser but its own
            commands.add_parser(name, help=summary, add_help=False)
    return parser


def _add_command(commands: argparse._SubParsersAction[Any], name: str, summary: str) -> None:
    import argparse
    import importlib

    module = importlib.import_module(f"toolcrib.cli.commands.{name}")
    parser = commands.add_parser(
        name,
        help=summary,
        description=module.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    module.add(parser)
    parser.set_defaults(run=module.run, **_SHARED)
    _share(parser)


def _share(parser: argparse.ArgumentParser) -> None:
    """Give a command and its sub-commands the options that every command has.

    Their defaults are set once, at the top: a sub-command's would undo what was said before it.
    """
    import argparse
    from pathlib import Path

    for option, more in (
        ("--project", {"type": Path, "metavar": "DIR", "help": "the repo (default: around here)"}),
        ("--json", {"action": "store_true", "help": "print JSON, for scripts"}),
    ):
        if option not in parser._option_string_actions:
            parser.add_argument(option, default=argparse.SUPPRESS, **more)
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for child in action.choices.values():
                _share(child)
