"""Walking through a program's help, from the program itself down to its subcommands."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, field, replace

from toolcrib.packs.climax.importer.ask import Ask, Printed
from toolcrib.packs.climax.importer.help_text.commands import subcommands
from toolcrib.packs.climax.importer.help_text.names import program_name
from toolcrib.packs.climax.importer.help_text.page import narrowed, parse_help
from toolcrib.packs.climax.importer.help_text.text import plain_lines
from toolcrib.packs.climax.importer.model import (
    Command,
    Note,
    Page,
    Style,
    Subcommand,
    merged,
)
from toolcrib.packs.climax.importer.sources.man import man_section, man_subcommands

MOST_COMMANDS = 500
AT_ONCE = 4
_LISTINGS = (("help", "-a"), ("help", "--all"), ("--list",))
_COMMAND_PAGES = ("1", "6", "8")

Read = Callable[[tuple[str, ...]], Awaitable[Page | None]]
"""How the page of a command is got: from `--help`, or from the manual."""

NO_HELP = "has no help that could be read"
TOO_MANY = f"has more commands than the {MOST_COMMANDS} that an import takes"
DEEPER = "has subcommands further down; a larger --depth takes them in"


@dataclass(slots=True)
class Explorer:
    """Collects the commands of one program."""

    words: tuple[str, ...]
    ask: Ask
    depth: int
    only: Collection[str] = ()
    notes: list[tuple[str, Note]] = field(default_factory=list)
    _texts: dict[tuple[str, ...], str] = field(default_factory=dict)
    _turns: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_ONCE))

    @property
    def name(self) -> str:
        """What the program is called."""
        return program_name(self.words)

    async def from_help(self) -> list[Command]:
        """Read `--help` of the program and of everything below it."""
        page = await self._help_page(())
        if page is None:
            return []
        page = await self._with_all_listed(page)
        return await self._below(Command((), page), self._help_page)

    async def from_man(self) -> list[Command]:
        """Read the manual pages of the program and its subcommands."""
        page = await self._man_page(())
        return [] if page is None else await self._below(Command((), page), self._man_page)

    async def _below(self, root: Command, read: Read) -> list[Command]:
        """The command and those below it, level by level, in the order of their listing."""
        found = [root]
        places: dict[tuple[str, ...], tuple[int, ...]] = {root.path: ()}
        level = [root]
        while level:
            wanted = [(parent, sub) for parent in level for sub in self._wanted(parent)]
            room = MOST_COMMANDS - len(found)
            if len(wanted) > room:
                self._note((), "", TOO_MANY)
                wanted = wanted[:room]
            for number, (parent, sub) in enumerate(wanted):
                places[(*parent.path, sub.name)] = (*places[parent.path], number)
            pages = await asyncio.gather(*(self._child(*each, read) for each in wanted))
            level = [command for command in pages if command is not None]
            found += level
        return sorted(found, key=lambda command: places[command.path])

    def _wanted(self, parent: Command) -> Sequence[Subcommand]:
        below = parent.page.subcommands
        if len(parent.path) >= self.depth:
            if below:
                self._note(parent.path, "", DEEPER)
            return ()
        if self.only and not parent.path:
            return [sub for sub in below if sub.name in self.only]
        return below

    async def _child(self, parent: Command, sub: Subcommand, read: Read) -> Command | None:
        path = (*parent.path, sub.name)
        async with self._turns:
            page = await read(path)
        if page is None or self._repeats(parent.path, path):
            page = self._narrowed(parent, sub)
        if page is None:
            self._note(path, "", NO_HELP)
            return None
        return Command(path, page, sub.description)

    def _narrowed(self, parent: Command, sub: Subcommand) -> Page | None:
        """What the page above says of a subcommand; the program's own page is only confusion."""
        if not parent.path or parent.path not in self._texts:
            return None
        shown = (self.name, *parent.path)
        return narrowed(parent.page, self._texts[parent.path], shown, sub.name)

    def _repeats(self, parent: tuple[str, ...], path: tuple[str, ...]) -> bool:
        """Whether a subcommand prints the page of the command above it."""
        return self._texts.get(path) == self._texts.get(parent)

    async def _help_page(self, path: tuple[str, ...]) -> Page | None:
        shown = (self.name, *path)
        printed = await self._asked((*path, "--help"))
        page = parse_help(printed.text, shown)
        if page.style is Style.MAN:
            return await self._with_short_help(path, printed, page)
        if _helpful(printed, page):
            self._texts[path] = printed.text
            return page
        for words in ((*path, "-h"), ("help", *path)):
            again = await self._asked(words)
            page = parse_help(again.text, shown)
            if _helpful(again, page) and page.style is not Style.MAN:
                self._texts[path] = again.text
                return page
        return None

    async def _with_short_help(
        self, path: tuple[str, ...], manual: Printed, page: Page
    ) -> Page | None:
        """`git log --help` opens the manual, which may be about something that is no command."""
        printed = await self._asked((*path, "-h"))
        short = parse_help(printed.text, (self.name, *path))
        if not _helpful(printed, short) or man_section(manual.text) not in _COMMAND_PAGES:
            return None
        self._texts[path] = printed.text
        told = {sub.name: sub.description for sub in page.subcommands}
        below = [replace(sub, description=told.get(sub.name, "")) for sub in short.subcommands]
        return replace(merged(short, page), subcommands=tuple(below))

    async def _with_all_listed(self, page: Page) -> Page:
        """The page with the commands that the help only points to: `git help -a`."""
        text = self._texts.get((), "")
        for words in _LISTINGS:
            if page.subcommands and _mentions(text, words):
                printed = await self._asked(words)
                listed = tuple(subcommands(plain_lines(printed.text)))
                page = merged(page, Page(subcommands=listed))
                break
        return page

    async def _asked(self, words: Sequence[str]) -> Printed:
        return await self.ask((*self.words, *words))

    async def _man_page(self, path: tuple[str, ...]) -> Page | None:
        title = "-".join((self.name, *path))
        printed = await self.ask(("man", title))
        if not printed.found or not printed.text.strip() or printed.exit_code:
            return None
        self._texts[path] = printed.text
        page = parse_help(printed.text, (self.name, *path))
        lines = plain_lines(printed.text)
        listed = tuple(man_subcommands(lines, title))
        return replace(page, subcommands=listed, style=Style.MAN, runnable=not listed)

    def _note(self, path: tuple[str, ...], subject: str, reason: str) -> None:
        self.notes.append((" ".join((self.name, *path)), Note(subject, reason)))


def _helpful(printed: Printed, page: Page) -> bool:
    """Whether this is help: it has options or usage, or it is at least no complaint."""
    if not printed.found or not printed.text.strip():
        return False
    if page.options or page.subcommands:
        return True
    return bool(re.search(r"^\s*usage\b", printed.text, re.I | re.M))


def _mentions(text: str, words: Sequence[str]) -> bool:
    return bool(re.search(rf"(?<![\w-]){re.escape(' '.join(words))}(?![\w-])", text))
