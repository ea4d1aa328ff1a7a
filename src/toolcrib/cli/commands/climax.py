"""Command-line programs as tools: describe a program in YAML, and agents can find and call it.

CONFIG is the name of a bundled config (git, docker, gh, …), a file or a pattern; without any, those
of this repo are meant.

examples:
  toolcrib climax run git tools/shop.yaml     serve two tools that reach all of these
  toolcrib climax git --classic               `run` may be left out; list every tool instead
  toolcrib climax list git docker             what is there?
  toolcrib climax validate tools/*.yaml --policy policy.yaml --strict
  toolcrib climax access git_push             what may it reach, and who says so?
  toolcrib climax import rsync -o rsync.yaml  make a config from the program's own help
  toolcrib climax skill --install             teach an agent to write configs
"""

from __future__ import annotations

import argparse
import contextlib
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toolcrib.cli.commands.serve import add_serving_options, serve
from toolcrib.cli.terminal import console
from toolcrib.core.errors import ToolcribError, UsageError

if TYPE_CHECKING:
    from toolcrib.packs.climax.settings import ClimaxSettings
    from toolcrib.policy.grants import Grants
    from toolcrib.running.program import CLIConfig

ACTIONS = ("run", "list", "validate", "access", "import", "skill")
_WIDEST_DESCRIPTION = 70
_INSTALLED_SKILL = Path(".claude/skills/climax-config/SKILL.md")


def add(parser: argparse.ArgumentParser) -> None:
    """The actions of `climax`."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    run_parser = actions.add_parser("run", help="serve configs to an MCP client, and nothing else")
    _add_configs(run_parser)
    add_serving_options(run_parser)
    for name, summary in (
        ("list", "list the tools of configs"),
        ("validate", "check configs and policy, and that the programs are there"),
    ):
        each = actions.add_parser(name, help=summary)
        _add_configs(each)
        each.add_argument("--policy", metavar="FILE", help="policy for the tools")
    _add_access(actions)
    _add_import(actions)
    skill = actions.add_parser("skill", help="print the guide that teaches to write a config")
    place = skill.add_mutually_exclusive_group()
    place.add_argument("--path", action="store_true", help="print where it is")
    place.add_argument("--install", action="store_true", help=f"write it to {_INSTALLED_SKILL}")


def names_config(word: str) -> bool:
    """Whether a word is a config and no action: a file, or the name of a bundled one."""
    from toolcrib.packs.climax.config.sources import bundled_names

    is_yaml = word.endswith((".yaml", ".yml"))
    return is_yaml or word in bundled_names() or Path(word).is_file()


def run(args: argparse.Namespace) -> int:
    """Do what was asked for."""
    actions = {
        "run": _run,
        "list": _list,
        "validate": _validate,
        "access": _access,
        "import": _import,
        "skill": _skill,
    }
    return actions[args.action](args)


def _add_configs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "configs", nargs="*", metavar="CONFIG", help="bundled name, file or pattern"
    )
    parser.add_argument(
        "--strict", action="store_true", help="treat warnings as errors, a missing program too"
    )


def _add_access(actions: Any) -> None:
    parser = actions.add_parser("access", help="what tools may reach, and which file says so")
    parser.add_argument("tool", nargs="?", metavar="TOOL", help="this one alone")
    parser.set_defaults(configs=[], strict=False, policy=None)


def _add_import(actions: Any) -> None:
    parser = actions.add_parser("import", help="make a config from a program's own help")
    parser.add_argument("program", metavar="PROGRAM", help="its name, or a quoted command line")
    parser.add_argument("-o", "--output", metavar="FILE", help="write the config to a file")
    parser.add_argument("--force", action="store_true", help="overwrite the file")
    parser.add_argument(
        "--from",
        dest="source",
        choices=["help", "man", "completion"],
        help="read this alone (default: --help, else the manual, else completions)",
    )
    parser.add_argument(
        "--depth", type=int, default=2, metavar="N", help="levels of subcommands (default: 2)"
    )
    parser.add_argument(
        "--only", action="append", default=[], metavar="SUBCOMMAND", help="leave out the others"
    )


def _run(args: argparse.Namespace) -> int:
    more: dict[str, Any] = {"strict": True} if args.strict else {}
    if args.configs:
        # The repo's own policy is about the repo's own configs: here none holds but a named one.
        more |= {"configs": list(map(_from_here, args.configs)), "policy": _policy(args) or ""}
    else:
        settings = _settings(args)
        if not settings.configs:
            raise UsageError(
                "No configs are named and this repo has none",
                next="Name one, for example: toolcrib climax run git",
            )
        more |= {"configs": list(settings.configs), "policy": settings.policy}
    return serve(args, ["climax"], {"climax": more})


def _list(args: argparse.Namespace) -> int:
    from toolcrib.discovery.index import ToolIndex
    from toolcrib.packs.climax.config.config_set import load_config_set

    settings = _settings(args)
    if not settings.configs:
        return _list_bundled(args)
    config_set = load_config_set(args.project, settings)
    _warn(config_set.warnings)
    index = ToolIndex.from_configs(config_set.configs, config_set.policy)
    entries = [index.entry(name) for name in index]
    rows = [
        (each.tool_name, each.cli_name, each.category or "", _short(each.description))
        for each in entries
    ]
    value = {
        "tools": [each.as_dict() for each in entries],
        "programs": [each.as_dict() for each in index.summary(len(index))],
    }
    console.emit(
        value, lambda: console.table(rows, ["TOOL", "CLI", "CATEGORY", "DESCRIPTION"]), args
    )
    return 0


def _access(args: argparse.Namespace) -> int:
    from toolcrib.core.support.suggest import did_you_mean
    from toolcrib.packs.climax.access import load_grants
    from toolcrib.packs.climax.config.config import bundled_names, load_configs
    from toolcrib.policy.person import load_person

    settings = _settings(args)
    grants = load_grants(args.project, settings, load_person())
    found: list[tuple[CLIConfig, str]] = []
    names: list[str] = []
    # A bundled tool is told of, too, when nobody serves it here: what would it need?
    for references in (settings.configs, bundled_names()):
        configs = load_configs(references, args.project).configs
        every = [(config, tool) for config in configs for tool in config.tools.lines]
        found = [each for each in every if args.tool in (None, each[1])]
        names += [tool for _, tool in every]
        if found:
            break
    else:
        raise UsageError(f"There is no tool {args.tool!r}{did_you_mean(args.tool, names)}")
    value = [_access_row(grants, config, tool) for config, tool in found]
    rows = [
        (row["tool"], _words(row["network"]), _others(row), ", ".join(row["from"]) or "-")
        for row in value
    ]
    console.emit(value, lambda: console.table(rows, ["TOOL", "NETWORK", "OTHER", "FROM"]), args)
    return 0


def _access_row(grants: Grants, config: CLIConfig, tool: str) -> dict[str, Any]:
    granted = grants.of(config.name, config.file, tool)
    access = granted.access
    return {
        "tool": tool,
        "config": config.name,
        "network": access.network.shown(),
        "reads": list(access.reads),
        "writes": list(access.writes),
        "sockets": list(access.sockets),
        "env": list(access.env),
        "from": list(granted.sources),
    }


def _words(value: str | list[str]) -> str:
    return value if isinstance(value, str) else ", ".join(value)


def _others(row: dict[str, Any]) -> str:
    parts = [
        f"{key}: {', '.join(row[key])}" for key in ("reads", "writes", "sockets", "env") if row[key]
    ]
    return "; ".join(parts) or "-"


def _list_bundled(args: argparse.Namespace) -> int:
    from toolcrib.packs.climax.config.config import bundled_names, load_configs

    configs = load_configs(bundled_names(), args.project).configs
    names = bundled_names()
    rows = [
        (name, len(config.tools), _short(config.description))
        for name, config in zip(names, configs, strict=True)
    ]
    value = {
        "bundled": [
            {"name": name, "tool_count": count, "description": config.description}
            for (name, count, _), config in zip(rows, configs, strict=True)
        ]
    }
    console.emit(value, lambda: console.table(rows, ["BUNDLED", "TOOLS", "DESCRIPTION"]), args)
    return 0


def _validate(args: argparse.Namespace) -> int:
    from toolcrib.packs.climax.config.validation import validate_files

    settings = _settings(args)
    if not settings.configs:
        raise UsageError(
            "No configs are named and this repo has none",
            next="Name one, for example: toolcrib climax validate tools/*.yaml",
        )
    report = validate_files(args.project, settings)
    console.emit(report.as_dict(), lambda: _told(report.lines()), args)
    return 0 if report.valid else 1


def _told(lines: Sequence[tuple[str, str]]) -> str:
    colours = {"ok": "green", "warning": "yellow", "error": "red"}
    return "\n".join(
        f"{console.style(level.ljust(7), colours[level])}  {text}" for level, text in lines
    )


@contextlib.contextmanager
def _import_progress() -> Iterator[Callable[[Sequence[str]], None] | None]:
    """What shows a person at a terminal which page is read, on one line that is gone at the end."""
    import shutil
    import sys

    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    width = shutil.get_terminal_size().columns - 1
    asked = 0

    def show(argv: Sequence[str]) -> None:
        nonlocal asked
        asked += 1
        # The words come from what a program printed: nothing of it may steer the terminal.
        words = "".join(char if char.isprintable() else "?" for char in " ".join(argv))
        sys.stderr.write(f"\r\x1b[K{f'{asked} asked: {words}'[:width]}")
        sys.stderr.flush()

    try:
        yield show
    finally:
        if asked:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def _import(args: argparse.Namespace) -> int:
    from toolcrib.packs.climax.importer.program import import_program

    target = Path(args.output) if args.output else None
    if target is not None and target.exists() and not args.force:
        raise UsageError(f"{target} exists already", next="Overwrite it with --force.")
    with _import_progress() as progress:
        made = import_program(
            args.program, depth=args.depth, source=args.source, only=args.only, progress=progress
        )
    if target is not None:
        from toolcrib.cli.terminal.trusting import trusting_what_is_written
        from toolcrib.packs.climax.config.sources import shown_path

        with trusting_what_is_written(args.project, shown_path(target.absolute(), args.project)):
            target.write_text(made.yaml_text, encoding="utf-8")
        written = {"file": str(target), "report": made.report.as_dict()}
        console.emit(written, f"{made.report.text()}\nWritten: {target}", args)
    else:
        printed = {"yaml": made.yaml_text, "report": made.report.as_dict()}
        console.emit(printed, made.yaml_text.rstrip("\n"), args)
    return 0


def _skill(args: argparse.Namespace) -> int:
    source = Path(__file__).parents[2] / "packs" / "climax" / "skill" / "SKILL.md"
    if args.path:
        console.emit({"path": str(source)}, str(source), args)
        return 0
    text = source.read_text(encoding="utf-8")
    if args.install:
        target = args.project / _INSTALLED_SKILL
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        console.emit({"installed": str(_INSTALLED_SKILL)}, f"Written: {_INSTALLED_SKILL}", args)
        return 0
    console.emit({"skill": text}, text.rstrip("\n"), args)
    return 0


def _settings(args: argparse.Namespace) -> ClimaxSettings:
    """The repo's settings, with what the command line says instead."""
    from dataclasses import replace

    from toolcrib.packs.climax.config.sources import sources
    from toolcrib.policy.repository.places import only_policy
    from toolcrib.settings import load

    settings: ClimaxSettings = load(args.project).section("climax")
    strict = settings.strict or args.strict
    policy = _policy(args)
    if args.configs:
        named = tuple(map(_from_here, args.configs))
        return replace(settings, configs=named, policy=policy or "", strict=strict)
    found, policies = sources(args.project, settings)
    if policy is None:
        policy = str(only_policy(policies, args.project) or "")
    return replace(settings, configs=tuple(found), policy=policy, strict=strict)


def _policy(args: argparse.Namespace) -> str | None:
    return str(Path(args.policy).absolute()) if args.policy else None


def _from_here(reference: str) -> str:
    """A path is meant from where the person stands; a bare name stays one."""
    if "/" not in reference and not reference.endswith((".yaml", ".yml")):
        return reference
    return os.path.join(Path.cwd(), os.path.expanduser(reference))  # noqa: PTH111, PTH118


def _warn(warnings: Sequence[ToolcribError]) -> None:
    import sys

    for warning in warnings:
        print(console.style(f"warning: {warning}", "yellow", sys.stderr), file=sys.stderr)


def _short(text: str) -> str:
    first = text.strip().splitlines()[0] if text.strip() else ""
    return first if len(first) <= _WIDEST_DESCRIPTION else first[: _WIDEST_DESCRIPTION - 1] + "…"
