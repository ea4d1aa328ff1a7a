"""One way to call a command, as a usage line has it."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from toolcrib.packs.climax.importer.help_text.usage.items import UsageItem, is_noise
from toolcrib.packs.climax.importer.help_text.usage.synopsis import (
    PLURAL,
    REDIRECTED,
    operands_in,
    options_in,
)
from toolcrib.packs.climax.importer.help_text.usage.words import names_files
from toolcrib.packs.climax.importer.model import HelpOption, Operand

_ABOUT_ITSELF = frozenset(("-h", "-?", "-help", "--help", "-V", "-v", "-version", "--version"))
COMMAND_WORD = re.compile(
    r"(?:sub-?)?commands?\d?|cmd|action|verb|operation|object|service|group|task", re.I
)
_JOINING = re.compile(
    r"to|from|in|into|on|with|as|by|of|at|for|and|or|is|via|using|then|than|the|a"
)
_MOST_LATE = 2
_MOST_PLAIN = 3
_FEWEST_COMMANDS = 4
_FEWEST_ALIKE = 3
_FAR = 1_000_000
ANY_WORDS = "args"
"""What a subcommand takes where the usage has nothing but dots behind it."""


@dataclass(frozen=True, slots=True)
class Variant:
    """One way to call a command."""

    items: tuple[UsageItem, ...]
    words: tuple[str, ...] = ()
    """The literal words that it begins with: those of a subcommand."""
    bare: bool = False
    """Whether those words may be left out."""
    late: bool = False
    """Whether options stand before those words: then they may be operands just as well."""
    text: str = ""
    """The usage as it is printed, behind the words of the command."""

    def options(self) -> list[HelpOption]:
        """The options in it; outside of brackets they are required."""
        return list(options_in(self.items, required=True))

    def operands(self, *, literal: bool = False, plural: bool = True) -> list[Operand]:
        """The operands in it, each name once; with `literal`, plain words are some too.

        With `plural`, the last one repeats where its name says so.
        """
        found: dict[str, Operand] = {}
        for operand in operands_in(self.items, required=True, literal=literal):
            known = found.get(operand.name)
            if known is None:
                found[operand.name] = operand
            else:
                found[operand.name] = replace(
                    known, repeats=True, required=known.required or operand.required
                )
        operands = _without_plurals(list(found.values()))
        # `PATTERNS [FILE]...` is one word and then several; `[files]` at the end are several.
        if plural and _are_lists(operands):
            operands = [replace(each, repeats=True) for each in operands]
        elif plural and operands and _is_several([each.name for each in operands]):
            operands[-1] = replace(operands[-1], repeats=True)
        elif plural and not any(operand.repeats for operand in operands):
            # `[FILES] [PLATE]`: of files, there may be several wherever they stand.
            operands = [replace(each, repeats=names_files(each.name)) for each in operands]
        return operands

    @property
    def needs_command(self) -> bool:
        """Whether it cannot be called without naming a subcommand."""
        return any(
            operand.required and COMMAND_WORD.fullmatch(operand.name)
            for operand in operands_in(self.items, required=True, literal=self.late)
        )

    @property
    def required(self) -> bool:
        """Whether it needs an option, other than one that asks about the program."""
        return any(
            option.required and _ABOUT_ITSELF.isdisjoint(option.flags) for option in self.options()
        )

    @property
    def needs_help(self) -> bool:
        """Whether it has an option outside of brackets that asks for help, beside others."""
        options = self.options()
        asked = any(each.required and "--help" in each.flags for each in options)
        return asked and len(options) > len(_ABOUT_ITSELF)

    @property
    def asks_about_itself(self) -> bool:
        """Whether it has nothing but options that ask for help or the version."""
        options = self.options()
        plain = not list(operands_in(self.items, required=True, literal=True))
        noise = any(map(is_noise, self.items))
        return plain and not noise and bool(options) and all(map(_is_about_itself, options))

    @property
    def names_options(self) -> bool:
        """Whether it has no operands, but options that it names, of which one does something."""
        plain = not list(operands_in(self.items, required=True, literal=True))
        does = any(not _is_about_itself(option) for option in self.options())
        return plain and does

    @property
    def options_first(self) -> bool:
        """Whether it has options, and all of them before its operands."""
        places = self._places(has_options)
        return bool(places) and places[-1] < min(self._places(_has_operands), default=_FAR)

    @property
    def options_last(self) -> bool:
        """Whether it has operands, and options only behind them."""
        places = self._places(has_options)
        return bool(places) and min(self._places(_has_operands), default=_FAR) < places[0]

    def _places(self, what: Callable[[UsageItem], bool]) -> list[int]:
        return [at for at, item in enumerate(self.items) if what(item)]

    @property
    def redirected(self) -> bool:
        """Whether it reads what a shell gives it: `< FILE`."""
        return REDIRECTED.search(f" {self.text}") is not None

    @property
    def promises_options(self) -> bool:
        """Whether it says that there are options, without naming them."""
        return any(map(is_noise, self.items))

    def behind_command(self) -> Variant:
        """What follows the subcommand: of `<command> ...`, whatever that takes."""
        at = next((i for i, item in enumerate(self.items) if _is_command(item)), -1)
        rest = tuple(item for item in self.items[at + 1 :] if not _is_command(item))
        if at >= 0 and not rest and self.items[at].repeats:
            words = UsageItem("operand", ANY_WORDS, repeats=True)
            rest = (UsageItem("group", "[", optional=True, alternatives=[[words]]),)
        return replace(self, items=rest)

    @property
    def options_behind_command(self) -> list[HelpOption]:
        """The options that stand behind `<command>`, which every subcommand takes."""
        named = any(map(_is_command, self.items))
        return self.behind_command().options() if named else []

    def with_first_word(self) -> Variant:
        """The same with the plain word that it begins with as the word of a subcommand."""
        first = self.items[0] if self.items and not self.words else None
        # Neither `<dir>` nor `DIR` nor `dir...`: this one is typed as it is.
        if first is None or first.kind != "operand" or first.repeats or not first.text.isalpha():
            return self
        if self.text.split()[:1] != [first.text] or not first.text.islower():
            return self
        items = (replace(first, kind="literal"), *self.items[1:])
        return replace(self, items=items, words=(first.text,))

    def with_bare_word(self) -> Variant:
        """The same with the word that it may begin with: `[ls]`, alone in its brackets."""
        first = self.items[0] if self.items and (self.late or not self.words) else None
        if first is None or first.kind != "group" or not first.optional:
            return self
        inside = first.alternatives[0] if len(first.alternatives) == 1 else []
        if len(inside) != 1 or inside[0].kind != "literal" or is_noise(first):
            return self
        return replace(self, words=(inside[0].text,), bare=True, late=False)

    @property
    def is_plain(self) -> bool:
        """Whether it begins with a word or two that may be names, and nothing tells them apart."""
        literals = [item.text for item in self.items if item.kind == "literal"]
        asks = any(re.fullmatch(r"help|version", word) for word in literals)
        short = 0 < len(literals) <= _MOST_PLAIN and not (self.late or self.required)
        # `start | stop`: one or the other is typed as it is.
        either = re.search(r"\w\s*\|\s*\w", re.sub(r"\[[^\[\]]*\]", "", self.text))
        return short and not (asks or either) and not any(map(_JOINING.fullmatch, literals))

    @property
    def ends_with_word(self) -> bool:
        """Whether it is one plain word and nothing else, which no command is called."""
        alone = len(self.words) == 1 and self.text.split() == list(self.words)
        return alone and not COMMAND_WORD.fullmatch(self.words[0])

    def with_word_as_operand(self) -> Variant:
        """The same with its plain words as operands."""
        items = (replace(e, kind="operand") if e.kind == "literal" else e for e in self.items)
        return replace(self, items=tuple(items))

    def with_late_words(self) -> Variant:
        """The same, where plain words behind an operand are some too: `FILE offset`.

        So they are behind an option that has to be there: `-o FILE pot`.

        Words that only join others, `POT to PLATE`, stay what they are.
        """
        if self.words or self.takes_command():
            return self
        places = [at for at, item in enumerate(self.items) if item.kind in ("operand", "flag")]
        first = places[0] if places else _FAR
        late = [item for item in self.items[first + 1 :] if item.kind == "literal"]
        # More of them are a sentence.
        if len(late) > _MOST_LATE or any(_JOINING.fullmatch(item.text) for item in late):
            return self
        items = [replace(item, kind="operand") if item in late else item for item in self.items]
        return replace(self, items=tuple(items))

    def behind_words(self) -> str:
        """The text behind the first of its literal words."""
        word = re.escape(self.words[-1]) if self.words else ""
        behind = re.match(rf".*?(?<!\S)\[?{word}(?![\w-])\]?", self.text)
        rest = self.text[behind.end() :].strip() if behind else self.text
        # `[push [-k]]`: the bracket that closes behind it was opened before the word.
        return rest.removesuffix("]") if rest.count("]") > rest.count("[") else rest

    def takes_command(self, names: Collection[str] = ()) -> bool:
        """Whether its first operand is a subcommand: by its own name, or by `names`."""
        first = next(iter(operands_in(self.items, required=True, literal=True)), None)
        if first is None:
            return False
        named = COMMAND_WORD.fullmatch(first.name) is not None or first.name in names
        return named or not set(names).isdisjoint(first.enum)


def with_commands(variants: Sequence[Variant]) -> list[Variant]:
    """The ways to call, where each begins with a command if most of them do: `kiln dir POT`.

    What would be the name of an operand elsewhere is a command, too, beside `kiln fire POT`.
    """
    named = {word for each in variants if not each.late for word in each.words}
    most = len(named) >= _FEWEST_COMMANDS and 2 * len(named) > len(variants)
    return [each.with_first_word() if most else each for each in variants]


def _without_plurals(operands: list[Operand]) -> list[Operand]:
    """`POT [POTS...]` is a pot, as often as it is named."""
    kept: list[Operand] = []
    for operand in operands:
        before = kept[-1] if kept else None
        again = before is not None and operand.name.lower() == f"{before.name.lower()}s"
        if before is not None and again:
            kept[-1] = replace(before, repeats=True)
        else:
            kept.append(operand)
    return kept


def _are_lists(operands: Sequence[Operand]) -> bool:
    """Whether all of several operands are of several: `[FILES] [SHELVES]`."""
    optional = not any(each.required for each in operands)
    several = all(names_files(each.name) or (optional and _is_plural(each)) for each in operands)
    return len(operands) > 1 and several


def _is_plural(operand: Operand) -> bool:
    return PLURAL.fullmatch(operand.name) is not None and not operand.enum


def _is_several(names: Sequence[str]) -> bool:
    """Whether the last name is of several; of `<pot-old> <pot-new> <pot-lids>`, each is one."""
    kinds = {re.split(r"[-_ ]", name)[0] for name in names}
    alike = len(names) >= _FEWEST_ALIKE and len(kinds) == 1
    return PLURAL.fullmatch(names[-1]) is not None and not alike


def has_options(item: UsageItem) -> bool:
    """Whether options stand in an item, or something that stands for them."""
    if item.kind in ("flag", "plus") or is_noise(item):
        return True
    return any(has_options(each) for group in item.alternatives for each in group)


def _has_operands(item: UsageItem) -> bool:
    return any(True for _ in operands_in([item], required=True, literal=True))


def _is_about_itself(option: HelpOption) -> bool:
    return not _ABOUT_ITSELF.isdisjoint(option.flags)


def _is_command(item: UsageItem) -> bool:
    if item.kind == "group" and len(item.alternatives) == 1 and len(item.alternatives[0]) == 1:
        return _is_command(item.alternatives[0][0])
    return item.kind in ("operand", "literal") and bool(COMMAND_WORD.fullmatch(item.text))
