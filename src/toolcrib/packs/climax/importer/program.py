"""Importing a program: from what it says about itself to a config that can be used."""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from toolcrib.core.errors import UsageError
from toolcrib.packs.climax.importer.ask import Ask, Printed, asking
from toolcrib.packs.climax.importer.emit import Emitted, as_comments, emit, to_yaml
from toolcrib.packs.climax.importer.explore import NO_DESCRIPTION, Explorer
from toolcrib.packs.climax.importer.model import Note, ProgramCommand
from toolcrib.packs.climax.importer.report import ImportReport
from toolcrib.packs.climax.importer.sources.completion import commands_of, find_completions

Source = Literal["help", "man", "completion"]
Progress = Callable[[Sequence[str]], None]
SOURCES: tuple[Source, ...] = ("help", "man", "completion")
DEFAULT_DEPTH = 2
DEEPEST = 5


@dataclass(frozen=True, slots=True)
class ImportResult:
    """A config, and the account of how it came about."""

    yaml_text: str
    report: ImportReport


def import_program(
    program: str,
    *,
    depth: int = DEFAULT_DEPTH,
    runner: Ask | None = None,
    source: Source | None = None,
    only: Collection[str] = (),
    progress: Progress | None = None,
) -> ImportResult:
    """Make a config of a program.

    `depth` is how many levels of subcommands are followed, `only` which of the first level.
    Without a `source` its `--help` is read, and if that says nothing, manual and completions.
    `progress` hears of every command line before it is run.
    """
    if not 0 <= depth <= DEEPEST:
        raise UsageError(f"A depth of {depth} makes no sense; it is from 0 to {DEEPEST}")
    words = _words(program)
    return asyncio.run(_import(words, depth, runner, source, only, progress))


async def _import(
    words: tuple[str, ...],
    depth: int,
    runner: Ask | None,
    source: Source | None,
    only: Collection[str],
    progress: Progress | None,
) -> ImportResult:
    if runner is not None:
        return await _read(Explorer(words, _heard(runner, progress), depth, only), source)
    async with asking() as (ask, confined):
        explorer = Explorer(words, _heard(ask, progress), depth, only, probes=confined)
        return await _read(explorer, source)


def _heard(ask: Ask, progress: Progress | None) -> Ask:
    """The same way to ask, with someone who hears of every question."""
    if progress is None:
        return ask

    async def told(argv: Sequence[str]) -> Printed:
        progress(argv)
        return await ask(argv)

    return told


async def _read(explorer: Explorer, source: Source | None) -> ImportResult:
    tried: tuple[Source, ...] = (source,) if source else SOURCES
    for each in tried:
        commands = await _commands(explorer, each)
        if commands and not all(command.page.empty for command in commands):
            return _result(explorer, commands, each)
    if source is None and (await explorer.ask((*explorer.words, "--help"))).found:
        return _result(explorer, [], "help")
    raise _nothing(explorer, tried)


async def _commands(explorer: Explorer, source: Source) -> list[ProgramCommand]:
    if source == "help":
        return await explorer.from_help()
    if source == "man":
        return await explorer.from_man()
    return commands_of(find_completions(explorer.name), explorer.name, explorer.only)


def _result(explorer: Explorer, commands: Sequence[ProgramCommand], source: Source) -> ImportResult:
    emitted = emit(explorer.words, commands)
    notes = [*explorer.notes, *emitted.notes]
    if not commands:
        notes.append((explorer.name, Note("", "nothing was understood of what it prints")))
    elif not commands[0].page.description:
        notes.append((explorer.name, Note("", NO_DESCRIPTION)))
    styles = [command.page.style.value for command in commands]
    report = ImportReport(
        explorer.name,
        source,
        max(styles, key=styles.count) if styles else "unknown",
        len(emitted.tools),
        emitted.arguments,
        tuple(notes),
        tuple(sub.name for sub in commands[0].page.subcommands) if commands else (),
    )
    return ImportResult(_text(emitted, report), report)


def _text(emitted: Emitted, report: ImportReport) -> str:
    head = f"Made by `toolcrib climax import`. Read it before it is used.\n{report.text()}"
    return as_comments(head) + to_yaml(emitted.config)


def _words(program: str) -> tuple[str, ...]:
    try:
        words = tuple(shlex.split(program))
    except ValueError as error:
        raise UsageError(f"{program!r} is not a command line: {error}") from None
    if not words or words[0].startswith("-"):
        raise UsageError(f"{program!r} names no program")
    return words


def _nothing(explorer: Explorer, tried: Sequence[Source]) -> UsageError:
    others = [each for each in SOURCES if each not in tried]
    return UsageError(
        f"{explorer.name}: nothing to be read from its {' or '.join(tried)}",
        why="the program is not installed, or it says nothing about itself there",
        next=f"Try --from {others[0]}."
        if others
        else "Check the name, or write the config by hand.",
    )
