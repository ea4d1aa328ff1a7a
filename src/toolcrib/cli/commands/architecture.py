"""Decisions and patterns of this repo: write, check, draw and lint them.

examples:
  toolcrib architecture new-adr "Use PostgreSQL for orders" --supersedes 2
  toolcrib architecture graph > decisions.mmd
  toolcrib architecture graph --svg docs/decisions.svg
  toolcrib architecture lint
  toolcrib architecture lint packages/billing  with the decisions of that part
  toolcrib architecture check src/ --sarif findings.sarif
  toolcrib architecture check --diff=main  only what this branch touches
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from toolcrib.cli.terminal.console import diff, emit, say, style
from toolcrib.core.errors import UsageError
from toolcrib.core.support.suggest import nearest
from toolcrib.core.support.wording import counted

if TYPE_CHECKING:
    from toolcrib.packs.architecture.library.library import Library
    from toolcrib.packs.architecture.library.records import LinkKind
    from toolcrib.packs.architecture.records.authoring import Draft, Relation
    from toolcrib.packs.architecture.records.lint import LintFinding

_RELATIONS: dict[str, LinkKind] = {
    "supersedes": "supersedes",
    "amends": "amends",
    "relates": "relates_to",
}


def add(parser: argparse.ArgumentParser) -> None:
    """The sub-commands and their options."""
    actions = parser.add_subparsers(dest="action", required=True)
    _add_new(actions.add_parser("new-adr", help="write a new decision record"))
    graph = actions.add_parser("graph", help="the decisions and their links, as Mermaid or SVG")
    graph.add_argument("--svg", metavar="FILE", type=Path, help="write a picture instead")
    graph.add_argument(
        "--no-related", action="store_true", help="only links that change a decision"
    )
    lint = actions.add_parser("lint", help="broken links, missing status, unknown references")
    lint.add_argument(
        "paths", metavar="PATH", nargs="*", help="only documents there, and those of that part"
    )
    lint.add_argument("--strict", action="store_true", help="warnings fail as well")
    _add_check(actions.add_parser("check", help="code files against the rules of all patterns"))


def run(args: argparse.Namespace) -> int:
    """Run one sub-command."""
    actions = {"new-adr": _new_adr, "graph": _graph, "lint": _lint, "check": _check}
    return actions[args.action](args)


def _add_new(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("title", metavar="TITLE", help="the decision in a few words")
    for option, kind in _RELATIONS.items():
        parser.add_argument(
            f"--{option}",
            metavar="ID",
            action="append",
            default=[],
            help=f"a decision that the new one {kind.replace('_', ' ')} (may be repeated)",
        )
    parser.add_argument("--status", default="Proposed", help="its status (default: Proposed)")
    parser.add_argument("--folder", metavar="DIR", help="where to, if there are several folders")
    parser.add_argument("--dry-run", action="store_true", help="show what would be written")


def _add_check(parser: argparse.ArgumentParser) -> None:
    from toolcrib.packs.architecture.patterns.check import add_arguments

    add_arguments(parser)


def _check(args: argparse.Namespace) -> int:
    from toolcrib.packs.architecture.patterns.check import run as check

    return check(args, _library(args), style)


def _library(args: argparse.Namespace) -> Library:
    from toolcrib.packs.architecture.library.library import Library
    from toolcrib.settings import load

    library = Library(args.project, load(args.project).section("architecture"))
    library.look_around(now=True)
    return library


def _new_adr(args: argparse.Namespace) -> int:
    from toolcrib.packs.architecture.records.authoring import draft_decision, write_drafts

    library = _library(args)
    drafts = draft_decision(
        library,
        args.title,
        _relations(args, library),
        status=args.status,
        folder=args.folder,
    )
    if not args.dry_run:
        write_drafts(drafts)
    changed = [draft for draft in drafts[1:] if draft.text != draft.old]
    emit(
        {
            "file": drafts[0].file,
            "changed": [draft.file for draft in changed],
            "written": not args.dry_run,
        },
        lambda: _told(drafts[0], changed, dry=args.dry_run),
        args,
    )
    return 0


def _relations(args: argparse.Namespace, library: Library) -> list[Relation]:
    from toolcrib.packs.architecture.records.authoring import Relation

    return [
        Relation(kind, library.resolve_adr(short_id))
        for option, kind in _RELATIONS.items()
        for short_id in getattr(args, option)
    ]


def _told(new: Draft, changed: list[Draft], *, dry: bool) -> str:
    if not dry:
        lines = [f"{style('new', 'green')}      {new.file}"]
        return "\n".join(
            [*lines, *(f"{style('changed', 'yellow')}  {each.file}" for each in changed)]
        )
    shown = [f"{new.file} would be:", "", new.text]
    return "\n".join([*shown, *(diff(each.old or "", each.text, each.file) for each in changed)])


def _graph(args: argparse.Namespace) -> int:
    from toolcrib.packs.architecture.records.graph import decision_graph, mermaid, svg

    graph = decision_graph(_library(args), related=not args.no_related)
    if args.svg is not None:
        args.svg.parent.mkdir(parents=True, exist_ok=True)
        args.svg.write_text(svg(graph, f"Decisions of {args.project.name}"), encoding="utf-8")
        decisions, links = (
            counted(len(graph.decisions), "decision"),
            counted(len(graph.edges), "link"),
        )
        said = f"{args.svg}: {decisions}, {links}"
        emit({"file": str(args.svg), "decisions": len(graph.decisions)}, said, args)
        return 0
    value = {
        "decisions": [
            {"uri": each.uri, "title": each.title, "status": each.status, "date": each.date}
            for each in graph.decisions
        ],
        "links": [
            {"source": each.source, "target": each.target, "kind": each.kind}
            for each in graph.edges
        ],
    }
    emit(value, lambda: mermaid(graph).rstrip("\n"), args)
    return 0


def _lint(args: argparse.Namespace) -> int:
    from toolcrib.packs.architecture.pack import ArchitecturePack
    from toolcrib.packs.architecture.patterns.rulebook import rule_problems
    from toolcrib.packs.architecture.records.lint import lint, linted
    from toolcrib.settings import load

    pack = ArchitecturePack(args.project, load(args.project).section("architecture"))
    pack.survey()
    paths = [_in_project(path, args.project) for path in args.paths]
    for given, path in zip(args.paths, paths, strict=True):
        _check_exists(given, path, pack.library)
    findings = lint(pack.library, paths)
    prompts = pack.prompts.problems()
    rules = [str(each) for each in rule_problems(pack.library)]
    errors = sum(each.level == "error" for each in findings)
    warnings = len(findings) - errors + len(prompts) + len(rules)
    if args.json:
        emit(_as_json(findings, prompts, rules), "", args)
    else:
        for each in findings:
            say(str(each).replace(each.level, style(each.level, _colour(each.level)), 1))
        for text in prompts:
            say(f"{text} [prompt]")
        for text in rules:
            say(f"{text} [rule]")
        count = len(linted(pack.library, paths))
        said = f"{counted(errors, 'error')}, {counted(warnings, 'warning')}"
        say(f"{counted(count, 'document')}: {said}")
    return 1 if errors or (args.strict and warnings) else 0


def _in_project(path: str, project: Path) -> str:
    """A path as it is seen from the project's root, `/` between."""
    found = Path(path).absolute()
    root = project.absolute()
    if not found.is_relative_to(root):
        raise UsageError(f"{path} is not in the project {project}")
    return "" if found == root else found.relative_to(root).as_posix()


def _check_exists(given: str, path: str, library: Library) -> None:
    """Raise `UsageError` with the nearest names where there is nothing to lint."""
    if os.path.lexists(library.project / path):
        return
    folder = (library.project / path).parent
    beside = [each.name for each in folder.iterdir()] if folder.is_dir() else []
    near = {each: str(Path(given).with_name(each)) for each in beside}
    found = [near[each] for each in nearest(Path(given).name, near)]
    found = found or nearest(path, _documented(library))
    hint = f"; did you mean {' or '.join(map(repr, found))}?" if found else ""
    raise UsageError(f"No such file or folder: {given}{hint}")


def _documented(library: Library) -> set[str]:
    """The documents, and the folders that they lie in, as seen from the project's root."""
    files = [PurePosixPath(record.file) for record in library.records()]
    folders = {str(folder) for file in files for folder in file.parents} - {"."}
    return {*map(str, files), *folders}


def _as_json(
    findings: Sequence[LintFinding], prompts: list[str], rules: list[str]
) -> dict[str, object]:
    from toolcrib.core.support.jsonable import plain

    return {"findings": plain(findings), "prompts": prompts, "rules": rules}


def _colour(level: str) -> str:
    return "red" if level == "error" else "yellow"
