"""Walking through a program's help, from the program itself down to its subcommands."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, field, replace

from toolcrib.packs.climax.importer import order
from toolcrib.packs.climax.importer.ask import Ask, Printed
from toolcrib.packs.climax.importer.help_text.commands.candidates import candidate_lists
from toolcrib.packs.climax.importer.help_text.commands.lists import dashed_commands
from toolcrib.packs.climax.importer.help_text.names import program_name
from toolcrib.packs.climax.importer.help_text.page import (
    narrowed,
    parse_help,
    shared_operands,
    shared_options,
)
from toolcrib.packs.climax.importer.help_text.text import plain_lines
from toolcrib.packs.climax.importer.help_text.usage.variant import ANY_WORDS, COMMAND_WORD
from toolcrib.packs.climax.importer.help_text.usage.ways import usage_texts
from toolcrib.packs.climax.importer.listings import Listings
from toolcrib.packs.climax.importer.model import (
    HelpPage,
    Note,
    ProgramCommand,
    Style,
    Subcommand,
    merged,
)
from toolcrib.packs.climax.importer.sources.man import man_section, man_subcommands

MOST_COMMANDS = 500
_NEARLY_ALL = 0.9
_FEWEST_DASHED = 3
AT_ONCE = 4
PATIENCE = 240.0
"""Seconds for all pages of a program; what is not read by then comes from the list alone."""
_NOBODY = "nosuchword"
# Also `kiln: usage: kiln POT`, as a complaint begins.
_USAGE = re.compile(
    r"^[ \t]*(?:usage\b|[\w.-]{1,40}: usage:|(?:syntax|synopsis)[ \t]*:)", re.I | re.M
)
_LETTERS_ONLY = re.compile(r"^The following single-character options are accepted:", re.M)
_ASKS = frozenset(("-h", "--help", "-V", "--version"))
# "Print one or more pots": what the list has one word for may be several.
_OF_SEVERAL = re.compile(r"\w+ (?:one or more|zero or more|any number of|several) \w", re.I)
_COMMAND_PAGES = ("1", "6", "8")

Read = Callable[[tuple[str, ...]], Awaitable[HelpPage | None]]
"""How the page of a command is got: from `--help`, or from the manual."""
Form = Callable[[tuple[str, ...]], tuple[str, ...]]
"""A way to ask for the help of a command."""
_FORMS: tuple[Form, ...] = (
    lambda path: (*path, "--help"),
    lambda path: (*path, "-h"),
    lambda path: ("help", *path),
)


def _word_behind(path: tuple[str, ...]) -> tuple[str, ...]:
    return (*path, "help")


def _one_dash(path: tuple[str, ...]) -> tuple[str, ...]:
    return (*path, "-help")


_RARER_FORMS = (
    (_word_behind, r"(?:[>\]A-Z|]|\bcommand) help\b"),
    (_one_dash, r"(?<![\w-])-help\b"),
)
"""Ways to ask that only some programs know, and how a help text tells of them."""


NO_HELP = "has no help that could be read"
FROM_LIST = "has no help of its own; it is taken as the list of commands has it"
TOO_MANY = f"has more commands than the {MOST_COMMANDS} that an import takes"
TOO_SLOW = "was not asked: reading the pages before it took too long; --only takes fewer"
DEEPER = "has subcommands further down; a larger --depth takes them in"
NO_DESCRIPTION = "says in no sentence what it is for"


@dataclass(slots=True)
class Explorer:
    """Collects the commands of one program."""

    words: tuple[str, ...]
    ask: Ask
    depth: int
    only: Collection[str] = ()
    probes: bool = True
    """Whether a command may be started with an operand that is not there, to see what it says."""
    notes: list[tuple[str, Note]] = field(default_factory=list)
    _texts: dict[tuple[str, ...], str] = field(default_factory=dict)
    _form: Form | None = None
    """The way to ask that a subcommand has answered to."""
    _root: HelpPage = field(default_factory=HelpPage)
    """The page of the program itself, as its help has it."""
    _told: list[Form] | None = None
    _names: set[str] = field(default_factory=set)
    """The commands that the program lists."""
    _shapeless: str = ""
    """What the program says of a command that it cannot have."""
    _until: float = field(default_factory=lambda: time.monotonic() + PATIENCE)
    _turns: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_ONCE))

    @property
    def name(self) -> str:
        """What the program is called."""
        return program_name(self.words)

    async def from_help(self) -> list[ProgramCommand]:
        """Read `--help` of the program and of everything below it."""
        page = await self._help_page(())
        if page is None:
            return []
        self._root = page
        listings = Listings(self.name, self.ask, self._asked)
        page = await listings.with_all_told(page, self._texts.get((), ""))
        page = await listings.with_manual(page, self._texts.get((), ""))
        page = await self._with_own_pages(page)
        page = await self._with_choices_as_commands(page)
        page = self._with_untitled_list(page)
        self._names = {sub.name for sub in page.subcommands}
        commands = await self._below(ProgramCommand((), page), self._help_page)
        return list(await asyncio.gather(*map(self._ordered, commands)))

    async def from_man(self) -> list[ProgramCommand]:
        """Read the manual pages of the program and its subcommands."""
        page = await self._man_page(())
        return [] if page is None else await self._below(ProgramCommand((), page), self._man_page)

    async def _below(self, root: ProgramCommand, read: Read) -> list[ProgramCommand]:
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
                places[(*parent.path, *sub.words)] = (*places[parent.path], number)
            pages = await asyncio.gather(*(self._child(*each, read) for each in wanted))
            level = [command for command in pages if command is not None]
            found += level
        return sorted(found, key=lambda command: places[command.path])

    async def _ordered(self, command: ProgramCommand) -> ProgramCommand:
        """The command with the order of its words.

        Without a sandbox nothing but help is asked for.
        """
        page, path = command.page, command.path
        asked = self._texts.get(path)
        repeats = bool(path) and self._repeats((), path)
        if not (page.operands and page.options) or asked is None or repeats:
            return command
        ordered = order.told(page)
        if ordered is None and not self.probes:
            return command
        if ordered is None:
            async with self._turns:
                ordered = await order.found_out(page, path, self.name, asked, self._asked)
        return replace(command, page=ordered)

    def _wanted(self, parent: ProgramCommand) -> Sequence[Subcommand]:
        below = parent.page.subcommands
        if len(parent.path) >= self.depth:
            if below:
                self._note(parent.path, "", DEEPER)
            return ()
        if self.only and not parent.path:
            return [sub for sub in below if sub.name in self.only or sub.words[0] in self.only]
        return below

    async def _child(
        self, parent: ProgramCommand, sub: Subcommand, read: Read
    ) -> ProgramCommand | None:
        path = (*parent.path, *sub.words)
        async with self._turns:
            late = time.monotonic() > self._until
            page = None if late else await read(path)
        lists = page is not None and self._lists_the_program(path, page)
        if page is not None and lists:
            known = {option.main for option in self._root.options}
            new = page.operands or any(option.main not in known for option in page.options)
            page = replace(page, subcommands=()) if new else None  # else it would have no end
        if page is None or self._repeats(parent.path, path):
            page = self._narrowed(parent, sub)
            if page is None:
                page = self._as_listed(parent, sub, path, repeated=lists)
                told = TOO_SLOW if late else NO_HELP if page is None else FROM_LIST
                self._note(path, "", told)
        elif sub.usage and not page.subcommands:
            page = self._with_listed_operands(page, sub, path)
        if page is None:
            return None
        if not parent.path:
            page = self._with_shared_options(page)
        return ProgramCommand(path, page, sub.description)

    def _with_shared_options(self, page: HelpPage) -> HelpPage:
        """The page with what the program's usage has behind `<command>`, for all of them."""
        shared = shared_options(self._texts.get((), ""), self.name)
        known = {flag for option in page.options for flag in option.flags}
        new = tuple(option for option in shared if known.isdisjoint(option.flags))
        return replace(page, options=page.options + new)

    def _with_listed_operands(
        self, page: HelpPage, sub: Subcommand, path: tuple[str, ...]
    ) -> HelpPage:
        """The page of a subcommand whose usage is the program's, with the words of the list.

        So it is with the usage of a program that this one only calls: `git clone`.
        """
        shown = (self.name, *path)
        usages = usage_texts(plain_lines(self._texts.get(path, "")), self.name)
        named = any(path[-1] in usage.split() for usage in usages)
        anothers = all(_is_of_another(usage, shown) for usage in usages)
        if not usages or not (anothers if page.operands else anothers or not named):
            return page
        listed = parse_help(f"Usage: {' '.join(shown)} {sub.usage}", shown)
        return replace(page, operands=listed.operands)

    def _as_listed(
        self, parent: ProgramCommand, sub: Subcommand, path: tuple[str, ...], *, repeated: bool
    ) -> HelpPage | None:
        """What the list says of a subcommand: the words behind its name, or that it is there.

        A program that prints one and the same page for all of its commands means its options for
        all of them, too.
        """
        if _is_odd(sub, parent.page.subcommands):
            return None
        shown = (self.name, *path)
        listed = parse_help(f"Usage: {' '.join(shown)} {sub.usage or ''}", shown)
        repeated = path in self._texts and (repeated or self._repeats(parent.path, path))
        options = parent.page.options if repeated and not parent.path else ()
        behind = shared_options(self._texts.get((), ""), self.name) if not parent.path else ()
        operands = listed.operands
        told = any(each.usage for each in parent.page.subcommands)
        if options and not sub.usage:
            shared = shared_operands(self._texts[path], self.name)
            # `COMMAND ...`, and a list that says what each takes: this one takes nothing.
            vague = told and [each.name for each in shared] == [ANY_WORDS]
            operands = operands if vague else shared
        elif sub.usage is None and not told:
            operands = shared_operands(self._texts.get((), ""), self.name)
        if len(operands) == 1 and _OF_SEVERAL.match(sub.description):
            operands = (replace(operands[0], repeats=True),)
        return replace(
            listed, options=listed.options + (options or behind), operands=operands,
            style=parent.page.style, subcommands=(),
        )  # fmt: skip

    def _narrowed(self, parent: ProgramCommand, sub: Subcommand) -> HelpPage | None:
        """What the page above says of a subcommand; the program's own page is only confusion."""
        if not parent.path or parent.path not in self._texts:
            return None
        shown = (self.name, *parent.path)
        return narrowed(parent.page, self._texts[parent.path], shown, sub.name)

    def _lists_the_program(self, path: tuple[str, ...], page: HelpPage) -> bool:
        """Whether the page of a subcommand lists the commands of the program itself."""
        names = {sub.name for sub in page.subcommands}
        both, most = len(names & self._names), max(len(names), len(self._names))
        return bool(path) and len(names) > 1 and both >= _NEARLY_ALL * most

    def _repeats(self, parent: tuple[str, ...], path: tuple[str, ...]) -> bool:
        """Whether a subcommand prints the page of a command above it."""
        return path in self._texts and self._texts[path] in (
            self._texts.get(parent), self._texts.get(())
        )  # fmt: skip

    async def _help_page(self, path: tuple[str, ...]) -> HelpPage | None:
        shown = (self.name, *path)
        poor: tuple[str, HelpPage] | None = None
        for form in self._forms(path):
            printed = await self._asked(form(path))
            # A program may print its own page, as long as that is, for hundreds of commands.
            again = bool(path) and printed.text == self._texts.get(())
            page = self._root if again else parse_help(printed.text, shown)
            if page.style is Style.MAN and form is _FORMS[0]:
                return await self._with_short_help(path, printed, page)
            worded = bool(path) and form(path)[0] == "help" and not page.options
            if not _helpful(printed, page) or (worded and _refuses(printed.text, "help")):
                continue
            refused = printed.exit_code and not (page.options or page.subcommands)
            # What a library of Perl prints for any program names letters and nothing else.
            refused = refused or bool(_LETTERS_ONLY.search(printed.text))
            # "invalid option --help", and a hint that names how to ask for all of it.
            refused = refused or (not path and self._points_on(printed))
            elsewhere = (again and (self._told_forms() or self._tells_of_help(form))) or (
                poor and self._lists_the_program(path, page)
            )
            if refused or elsewhere:
                # A refusal with a usage line: somewhere there may be more.
                poor = poor or (printed.text, page)
                continue
            self._texts[path] = printed.text
            if path and self._form is None and poor is None:
                self._form = form
            return page
        if poor is not None:
            self._texts[path] = poor[0]
            return poor[1]
        return None if path or not self.probes else await self._unasked_page()

    def _points_on(self, printed: Printed) -> bool:
        """Whether a program refuses `--help` and names another way to ask: `full help: kiln -h`."""
        text = f"{printed.stdout}\n{printed.stderr}"
        named = rf"\b(?:help|usage|info)\b[^\n]{{0,40}}\b{re.escape(self.name)} -h(?![\w-])"
        return bool(order.UNKNOWN_HELP.search(text) and re.search(named, text, re.I))

    async def _unasked_page(self) -> HelpPage | None:
        """What the program says of itself where it is given nothing to do."""
        printed = await self._asked(())
        page = parse_help(printed.text, (self.name,))
        if not _USAGE.search(printed.text) or not _helpful(printed, page):
            return None
        self._texts[()] = printed.text
        return page

    def _forms(self, path: tuple[str, ...]) -> list[Form]:
        """The ways to ask, the one that worked before first.

        Words that are no options are tried only where the program itself tells to.
        """
        known = [] if self._form is None or not path else [self._form]
        rarer = self._told_forms() if path else [form for form, _ in _RARER_FORMS]
        return list(dict.fromkeys([*known, *_FORMS, *rarer]))

    def _tells_of_help(self, form: Form) -> bool:
        """Whether the program's own page names a way to ask that comes later: `kiln help POT`."""
        text = self._texts.get((), "")
        told = rf"\b{re.escape(self.name)} help [<\[]?(?:sub-?)?(?:command|topic)\b"
        return form is not _FORMS[-1] and re.search(told, text, re.I) is not None

    def _told_forms(self) -> list[Form]:
        """The rarer ways to ask that the program's own page tells of."""
        if self._told is None:
            text = "\n".join(plain_lines(self._texts.get((), "")))
            self._told = [form for form, sign in _RARER_FORMS if re.search(sign, text)]
        return self._told

    async def _with_short_help(
        self, path: tuple[str, ...], manual: Printed, page: HelpPage
    ) -> HelpPage | None:
        """`git log --help` opens the manual, which may be about something that is no command."""
        printed = await self._asked((*path, "-h"))
        short = parse_help(printed.text, (self.name, *path))
        listed = tuple(man_subcommands(plain_lines(manual.text), "-".join((self.name, *path))))
        if listed:
            short = replace(short, subcommands=listed, operands=())
        if not _helpful(printed, short) or man_section(manual.text) not in _COMMAND_PAGES:
            return None
        self._texts[path] = printed.text
        told = {sub.name: sub.description for sub in page.subcommands}
        below = [replace(sub, description=told.get(sub.name, "")) for sub in short.subcommands]
        return replace(merged(short, page), subcommands=tuple(below))

    async def _with_own_pages(self, page: HelpPage) -> HelpPage:
        """The page with the lists whose names answer for themselves.

        Whatever a list of names is headed by: where its first and its last one have a help of their
        own, it is a list of commands. Without a sandbox nothing but help is asked for.
        """
        if not self.probes or not self._texts.get(()):
            return page
        known = {word for sub in page.subcommands for word in (sub.name, sub.words[0])}
        flags = {operand.name.lower() for operand in page.operands}
        for listed in candidate_lists(plain_lines(self._texts[()])):
            new = [sub for sub in listed if sub.name not in known and sub.name not in flags]
            if len(new) < 2:
                continue
            if not self._shapeless:
                self._shapeless = await self._own_text(_NOBODY) or "\0"
            if await self._answers(new[0].name) and await self._answers(new[-1].name):
                known |= {sub.name for sub in new}
                page = replace(page, subcommands=(*page.subcommands, *new), operands=())
        return page if page.subcommands else await self._with_dashed_commands(page)

    async def _with_dashed_commands(self, page: HelpPage) -> HelpPage:
        """The page with commands that are spelt like options, and have a help of their own each."""
        listed = dashed_commands(plain_lines(self._texts[()]))
        if len(listed) < _FEWEST_DASHED:
            return page
        self._shapeless = self._shapeless or await self._own_text(_NOBODY) or "\0"
        if not (await self._answers(listed[0].name) and await self._answers(listed[-1].name)):
            return page
        names = {sub.name for sub in listed}
        options = tuple(each for each in page.options if names.isdisjoint(each.flags))
        return replace(page, options=options, subcommands=tuple(listed), operands=())

    def _with_untitled_list(self, page: HelpPage) -> HelpPage:
        """The page with the list below a usage that wants a command, where no list is named so."""
        first = page.operands[0] if page.operands else None
        wanted = first is not None and first.required and COMMAND_WORD.fullmatch(first.name)
        lists = candidate_lists(plain_lines(self._texts.get((), ""))) if wanted else []
        if page.subcommands or not lists:
            return page
        return replace(page, operands=(), subcommands=tuple(lists[0]), runnable=False)

    async def _answers(self, word: str) -> bool:
        """Whether a word has a help of its own: neither the program's nor that of just any word."""
        text = await self._own_text(word)
        if not text or text in (self._shapeless, _without_word(self._texts[()], word)):
            return False
        # Where the program's own page has nothing but `--help`, every other page has all of it.
        does = any(_ASKS.isdisjoint(option.flags) for option in self._root.options)
        return not (does and order.same_page(text, self._root, (self.name, word)))

    async def _own_text(self, word: str) -> str:
        """The help that a word has, without the word itself; empty if it has none."""
        for flag in ("--help", "-h"):
            printed = await self._asked((word, flag))
            page = parse_help(printed.text, (self.name, word))
            if _helpful(printed, page) and not _refuses(printed.text, word):
                return _without_word(printed.text, word)
        return ""

    async def _with_choices_as_commands(self, page: HelpPage) -> HelpPage:
        """The page with the choices of its first operand as commands, if the first of them is one.

        A command has a page of its own; the value of an operand has not.
        """
        first = page.operands[0] if page.operands else None
        if page.subcommands or first is None or not first.enum:
            return page
        below = await self._help_page((first.enum[0],))
        if below is None or self._repeats((), (first.enum[0],)):
            return page
        listed = tuple(Subcommand(name) for name in first.enum)
        return replace(page, operands=(), subcommands=listed, runnable=False)

    async def _asked(self, words: Sequence[str]) -> Printed:
        return await self.ask((*self.words, *words))

    async def _man_page(self, path: tuple[str, ...]) -> HelpPage | None:
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


def _helpful(printed: Printed, page: HelpPage) -> bool:
    """Whether this is help: it has options or usage, or it is at least no complaint."""
    if not printed.found or not printed.text.strip():
        return False
    # "--help: unknown option" is no list of options.
    told = [option for option in page.options if option.main not in ("--help", "-h")]
    if told or page.subcommands or (not printed.exit_code and (page.options or page.operands)):
        return True
    return _USAGE.search(printed.text) is not None


def _is_odd(sub: Subcommand, listed: Sequence[Subcommand]) -> bool:
    """Whether nothing is said of a name in a list that says something of most: it may be none."""
    plain = [each for each in listed if each.usage is None and not each.description]
    return sub in plain and len(plain) * 2 <= len(listed)


def _is_of_another(usage: str, shown: tuple[str, ...]) -> bool:
    """Whether a usage calls a program of another name by the same subcommand."""
    words = usage.split()[: len(shown)]
    alike = words[0] in shown[0] or shown[0] in words[0]
    return tuple(words[1:]) == shown[1:] and not alike and words[0].isalpha()


def _without_word(text: str, word: str) -> str:
    return re.sub(rf"(?<![\w-]){re.escape(word)}(?![\w-])", "", text)


def _refuses(text: str, word: str) -> bool:
    """Whether a program complains of a word: `unknown command "x"`, `x: no such file`.

    `x: unknown option --help` is said by `x`, which is there.
    """
    named = re.escape(word)
    text = order.UNKNOWN_HELP.sub("", text)
    complaint = r"unknown|unrecogni[sz]ed|invalid|illegal|no such|not found|not a|cannot|unexpected"
    return bool(
        re.search(rf"(?:{complaint})\b[^\n]{{0,60}}[\s'\"`]{named}\b", text, re.I)
        or re.search(rf"[\s'\"`]{named}['\"`]?:?[^\n]{{0,40}}\b(?:{complaint})\b", text, re.I)
    )
