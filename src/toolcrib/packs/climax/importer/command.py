"""`toolcrib climax import PROGRAM`: the command around the importer."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from toolcrib.core.errors import ToolcribError

if TYPE_CHECKING:
    from toolcrib.packs.climax.importer.program import ImportResult

DEFAULT_DEPTH = 2
DEEPEST = 5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the words and options of `import`."""
    parser.add_argument("program", help="name, path, or quoted words: git, 'python3 -m pip'")
    parser.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="write the config there, not to stdout"
    )
    parser.add_argument(
        "--depth",
        type=_depth,
        default=DEFAULT_DEPTH,
        metavar="N",
        help=f"levels of subcommands to follow (default {DEFAULT_DEPTH})",
    )
    parser.add_argument(
        "--only",
        metavar="NAMES",
        default="",
        help="only these subcommands, with commas: log,commit",
    )
    parser.add_argument(
        "--from",
        dest="source",
        choices=("help", "man", "completion"),
        help="what to read (default: help, and the others if that says nothing)",
    )


def run(args: argparse.Namespace) -> int:
    """Import a program; the config goes to stdout or a file, the report beside it."""
    from toolcrib.packs.climax.importer.program import import_program

    only = [name.strip() for name in args.only.split(",") if name.strip()]
    result = import_program(args.program, depth=args.depth, source=args.source, only=only)
    if args.output is not None:
        _write(args.output, result.yaml_text)
    if args.json:
        print(json.dumps(_as_dict(result, args.output), indent=2, ensure_ascii=False))
    elif args.output is not None:
        print(f"{result.report.text()}\n\nWritten to {args.output}. Next: {_next(args.output)}")
    else:
        sys.stdout.write(result.yaml_text)
        print(result.report.text(), file=sys.stderr)
    return 0


def _as_dict(result: ImportResult, output: Path | None) -> dict[str, object]:
    shown: dict[str, object] = {"report": result.report.as_dict()}
    if output is None:
        shown["yaml"] = result.yaml_text
    else:
        shown["written"] = str(output)
    return shown


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise ToolcribError(
            f"{path} cannot be written: {error.strerror}", next="Give another place with -o."
        ) from None


def _next(path: Path) -> str:
    shown = str(path) if "/" in str(path) else f"./{path}"
    return f"toolcrib climax validate {shown}"


def _depth(text: str) -> int:
    if text.isascii() and text.isdigit() and int(text) <= DEEPEST:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is no number from 0 to {DEEPEST}")
