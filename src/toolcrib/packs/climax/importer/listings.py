"""Where else a program lists its commands and options: `help -a`, `--help all`, its manual."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

from toolcrib.packs.climax.importer.ask import Ask, Printed
from toolcrib.packs.climax.importer.help_text.commands.lists import bare_list, synopses
from toolcrib.packs.climax.importer.help_text.page import parse_help
from toolcrib.packs.climax.importer.help_text.text import plain_lines
from toolcrib.packs.climax.importer.help_text.usage.variant import Variant
from toolcrib.packs.climax.importer.help_text.usage.ways import read_variant, usage_texts
from toolcrib.packs.climax.importer.model import HelpPage, Style, Subcommand, merged
from toolcrib.packs.climax.importer.sources.completion import commands_of, find_completions
from toolcrib.packs.climax.importer.sources.man import man_subcommands, man_synopses

_LISTINGS = (
    ("help", "-a"), ("help", "--all"), ("help", "commands"), ("--list",), ("list",), ("help",),
    ("--commands",), ("commands",),
)  # fmt: skip
_GUESSED = ((), ("help",), ("list-commands",), ("commands",), ("list",))
# They may list anything, unless the program is known to have commands.
_DOUBTFUL = (("--list",), ("list",), ("--commands",), ("commands",))
_MOST_OPTIONS = 800
_FEW_OPTIONS = 2
_FULLER = re.compile(
    r"(?P<how>(?:--help|-h|\bhelp))(?P<gap>[ =])(?P<what>all|full|--all|--full)\b", re.I
)
_TELLS_MORE = re.compile(
    r"\b(?:more|all|full|fuller|complete|extended|advanced|detailed|long)\b.{0,20}"
    r"\b(?:help|options|usage)\b",
    re.I,
)
# Use "--longhelp" for a complete list of options.
_NAMED_HELP = re.compile(r"(?<![\w-])--?(?:[a-z]+-?help|help-[a-z]+)(?![\w-])")
# Use '--list-cmds' to list all available commands.
_LISTS_COMMANDS = re.compile(
    r"(?<![\w-])(--[a-z][a-z-]{1,30})['\"`]? (?:to (?:list|show|see|print|get)|for a list of)\b"
    r"[^.\n]{0,40}\bcommands\b"
)
# `--help[=TAG]`, and among what TAG may be: `#all`.
_ALL_OF_HELP = re.compile(r"possible values:[^.]{0,200}?(?<![\w#])(#?all)\b", re.I)


@dataclass(frozen=True, slots=True)
class Listings:
    """Asks a program for the lists that its help only points to."""

    name: str
    ask: Ask
    asked: Callable[[Sequence[str]], Awaitable[Printed]]
    """Runs the program with these words behind it."""

    async def with_all_told(self, page: HelpPage, text: str) -> HelpPage:
        """The page with what its `text` only points to: `git help -a`, `curl --help all`."""
        for words in _fuller_words(text, page):
            printed = await self.asked(words)
            fuller = parse_help(printed.text, (self.name,))
            if len(page.options) < len(fuller.options) <= _MOST_OPTIONS:
                page = merged(page, fuller)
                break
        if not page.subcommands and _tells_to_run(text, self.name):
            page = await self._with_guessed(page, ((),))
        for words in (*_told_listings(text), *_LISTINGS):
            if words[0] in text and _mentions(text, self.name, words):
                sure = bool(page.subcommands) or words not in _DOUBTFUL
                listed = await self._listing(words, sure=sure)
                if len(listed.subcommands) > len(page.subcommands):
                    page = merged(page, listed) if page.subcommands else _of_list(listed, page)
                    break
        if not page.subcommands and _wants_command(text, self.name):
            # Where something is done without a command, `list` may list what there is of that.
            needed = any(operand.required for operand in page.operands[:1])
            return await self._with_guessed(page, _GUESSED if needed else _GUESSED[:-1])
        return page

    async def with_manual(self, page: HelpPage, text: str) -> HelpPage:
        """The page with the options of the manual, where the usage promises more than is listed."""
        usages = _usages(text, self.name)
        promised = any(variant.promises_options for variant in usages)
        silent = not usages and not any(option.description for option in page.options)
        if silent and not page.subcommands:
            return await self._in_place_of(page)
        if not usages and not (page.subcommands or page.operands):
            return await self._with_its_operands(page)
        if len(page.options) > _FEW_OPTIONS or page.subcommands or not promised:
            return page
        manual = await self.ask(("man", self.name))
        if not manual.found or manual.exit_code or not manual.text.strip():
            return page
        told = parse_help(manual.text, (self.name,))
        if not _FEW_OPTIONS < len(told.options) <= _MOST_OPTIONS:
            return page
        # What one of the ways to call it needs is not needed by all of them.
        options = tuple(replace(option, required=False) for option in told.options)
        both = merged(page, replace(told, options=options))
        return replace(both, subcommands=(), operands=page.operands)

    async def _in_place_of(self, page: HelpPage) -> HelpPage:
        """The manual, where a help text has neither a usage nor a word about any option."""
        manual = await self.ask(("man", self.name))
        if not manual.found or manual.exit_code or not manual.text.strip():
            return page
        told = parse_help(manual.text, (self.name,))
        fuller = _FEW_OPTIONS < len(told.options) <= _MOST_OPTIONS
        return replace(merged(told, page), subcommands=()) if fuller else page

    async def _with_its_operands(self, page: HelpPage) -> HelpPage:
        """The page with the operands of the manual, where the help has no usage to show any."""
        manual = await self.ask(("man", self.name))
        if not manual.found or manual.exit_code or not manual.text.strip():
            return page
        told = parse_help(manual.text, (self.name,))
        known = {flag for option in page.options for flag in option.flags}
        shared = sum(not known.isdisjoint(option.flags) for option in told.options)
        if told.subcommands or 2 * shared < len(page.options):
            return page
        return replace(page, operands=told.operands, options_first=told.options_first)

    async def _with_guessed(
        self, page: HelpPage, guesses: Sequence[tuple[str, ...]] = _GUESSED
    ) -> HelpPage:
        """The page of a program that takes a command but names none, with what it answers to."""
        for words in guesses:
            listed = await self._listing(words)
            if len(listed.subcommands) > 1:
                return replace(page, subcommands=listed.subcommands, operands=())
        if guesses == ((),):
            return page
        below = await self._in_manual() or self._in_completions()
        return replace(page, subcommands=tuple(below), operands=()) if below else page

    async def _in_manual(self) -> Sequence[Subcommand]:
        """The commands that the manual explains, or has a page for."""
        manual = await self.ask(("man", self.name))
        if not manual.found or manual.exit_code:
            return ()
        lines = plain_lines(manual.text)
        return man_synopses(lines, self.name) or man_subcommands(lines, self.name)

    def _in_completions(self) -> Sequence[Subcommand]:
        """The commands that a shell offers behind the program's name."""
        commands = commands_of(find_completions(self.name), self.name)
        return commands[0].page.subcommands if commands else ()

    async def _listing(self, words: tuple[str, ...], *, sure: bool = True) -> HelpPage:
        """The page that these words print.

        Where it is `sure` that commands are listed, one on each line is a list as well.
        """
        printed = await self.asked(words)
        if printed.exit_code and not printed.stdout.strip():
            return HelpPage()
        page = parse_help(printed.text, (self.name,))
        lines = plain_lines(printed.text)
        if page.style is Style.MAN:
            # A manual explains commands in sentences, too; only its references are a list.
            told = man_synopses(lines, self.name) or man_subcommands(lines, self.name)
            return replace(page, subcommands=tuple(told))
        if sure and not page.subcommands:
            listed = synopses(lines) or bare_list(lines, self.name)
            page = replace(page, subcommands=tuple(listed))
        return page


def _of_list(listed: HelpPage, page: HelpPage) -> HelpPage:
    """The page of a program whose commands stand in another one: what it takes is a command."""
    return replace(merged(listed, page), operands=(), runnable=False)


def _mentions(text: str, program: str, words: tuple[str, ...]) -> bool:
    """Whether a help text tells to ask with these words; a plain one only behind the program."""
    shown = re.escape(" ".join(words))
    if not words[-1].startswith("-"):
        shown = rf"{re.escape(program)}\s+{shown}"
    return bool(re.search(rf"(?<![\w-]){shown}(?![\w-])", text))


def _told_listings(text: str) -> Sequence[tuple[str, ...]]:
    """The options that a help text names for a list of all commands."""
    return [(flag,) for flag in dict.fromkeys(_LISTS_COMMANDS.findall(text))][:2]


def _tells_to_run(text: str, program: str) -> bool:
    """Whether a help text tells to call the program alone for its list: `Type "kiln" to list …`."""
    alone = rf"\b(?:type|run|use|call|enter)\s+['\"`]?{re.escape(program)}['\"`]?\s+"
    return bool(re.search(rf"{alone}(?:to (?:list|see|show)|alone\b|without\b)", text, re.I))


def _fuller_words(text: str, page: HelpPage) -> list[tuple[str, ...]]:
    """The words that a help text names for more of itself."""
    found: list[tuple[str, ...]] = [
        (match["how"] + "=" + match["what"],)
        if match["gap"] == "="
        else (match["how"], match["what"])
        for match in _FULLER.finditer(text)
    ]
    for line in text.splitlines():
        if _TELLS_MORE.search(line) or re.search(r"\blist of options\b", line):
            found += [(flag,) for flag in _NAMED_HELP.findall(line)]
    for option in page.options:
        every = _ALL_OF_HELP.search(option.description) if option.main == "--help" else None
        found += [(f"--help={every[1]}",)] if every else []
        plain = {"-h", "--help", "-help"} & set(option.flags)
        asks = option.is_switch and not plain and "h" in option.main.lower()
        if asks and _TELLS_MORE.search(option.description):
            found.append((option.main,))
    return list(dict.fromkeys(found))[:3]


def _wants_command(text: str, program: str) -> bool:
    """Whether the usage has a command as the first operand."""
    return any(variant.takes_command() for variant in _usages(text, program))


def _usages(text: str, program: str) -> list[Variant]:
    """The ways to call a program that a help text has."""
    usages = usage_texts(plain_lines(text), program)
    variants = (read_variant(line, (program,)) for line in usages)
    return [variant for variant in variants if variant is not None]
