"""What a help text says about a program, before it becomes a config."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import Enum

from toolcrib.running.program import ArgType


class Style(Enum):
    """Who wrote the help text: a library's way of printing, or nobody we know."""

    ARGPARSE = "argparse"
    OPTPARSE = "optparse"
    CLICK = "click"
    COBRA = "cobra"
    KUBECTL = "kubectl"
    CLAP = "clap"
    GIT = "git"
    GNU = "gnu"
    NPM = "npm"
    MAN = "man"
    COMPLETION = "completion"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class HelpOption:
    """An option as it is printed: `-o, --output=FILE  where to write`."""

    flags: tuple[str, ...]
    value: str | None = None
    """The name of its value; None for a switch."""
    value_optional: bool = False
    joined: bool = False
    """Whether the value is printed behind `=`."""
    glued: bool = False
    """Whether the value is printed right behind the flag, and the flag has no long spelling."""
    description: str = ""
    required: bool = False
    type: ArgType = "string"
    enum: tuple[str, ...] = ()
    repeats: bool = False
    """Whether it may be given several times, each time with a value."""

    @property
    def main(self) -> str:
        """The flag to call it by: the first long one, else the first."""
        return next((flag for flag in self.flags if flag.startswith("--")), self.flags[0])

    @property
    def is_switch(self) -> bool:
        """Whether it takes no value."""
        return self.value is None


@dataclass(frozen=True, slots=True)
class Operand:
    """A word that is no option: `FILE`."""

    name: str
    required: bool = False
    repeats: bool = False
    description: str = ""
    enum: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Subcommand:
    """A command of its own below this one: `add`, or `remote add`."""

    name: str
    description: str = ""
    usage: str | None = None
    """What is printed behind its name, `[-f] UNIT...`; None where nothing could be."""

    @property
    def words(self) -> tuple[str, ...]:
        """The words that it is called by."""
        return tuple(self.name.split())


@dataclass(frozen=True, slots=True)
class Note:
    """Something that could not be told, or that a config cannot say."""

    subject: str
    reason: str


@dataclass(frozen=True, slots=True)
class HelpPage:
    """All that one help text says."""

    description: str = ""
    options: tuple[HelpOption, ...] = ()
    operands: tuple[Operand, ...] = ()
    subcommands: tuple[Subcommand, ...] = ()
    runnable: bool = True
    """Whether it can be called as it is, without one of its subcommands."""
    style: Style = Style.UNKNOWN
    notes: tuple[Note, ...] = ()
    flags_first: bool = False
    """Whether options are options only before the operands, and before a `--`."""
    options_first: bool = False
    """Whether the usage has all options before all operands."""
    options_last: bool = False
    """Whether the usage has its operands before its options."""
    operands_last: bool = False
    """Whether the operands have to stand behind the options, with no `--` between them."""

    @property
    def empty(self) -> bool:
        """Whether nothing was understood."""
        return not (self.options or self.operands or self.subcommands)


@dataclass(frozen=True, slots=True)
class ProgramCommand:
    """One command of a program, and its page."""

    path: tuple[str, ...]
    """The subcommand's words, without the program."""
    page: HelpPage
    summary: str = ""


@dataclass(slots=True)
class Known:
    """Options in order, where one that comes again adds what was not known yet."""

    options: list[HelpOption] = field(default_factory=list)
    _place: dict[str, int] = field(default_factory=dict)

    def add(self, option: HelpOption, *, listed: bool = False, names_only: bool = False) -> None:
        """Take an option in; flags that are known already belong to the option that has them.

        One that is `listed` both with and without a value can do without. With `names_only`,
        nothing but a value and being required is learnt about options that are known already.
        """
        known = [flag for flag in option.flags if flag in self._place]
        if not known:
            self._append(option)
            return
        for flag in known:
            at = self._place[flag]
            if names_only:
                self.options[at] = _completed(self.options[at], replace(option, description=""))
                continue
            both = listed and self.options[at].is_switch != option.is_switch
            self.options[at] = _completed(self.options[at], option)
            if both:
                self.options[at] = replace(self.options[at], value_optional=True)
        new = tuple(flag for flag in option.flags if flag not in self._place)
        if new and option.main in new:
            self._append(replace(option, flags=new))

    def __contains__(self, flag: str) -> bool:
        return flag in self._place

    def unglued(self, option: HelpOption) -> HelpOption:
        """`[-Tdev]` of a usage, where the list has `-T` with a value of that name."""
        flag, value = option.flags[0][:2], option.flags[0][2:]
        at = self._place.get(flag) if len(option.flags) == 1 and option.is_switch else None
        glued = at is not None and value != "" and self.options[at].value == value
        return replace(option, flags=(flag,), value=value, glued=True) if glued else option

    def extend(self, options: Iterable[HelpOption], *, listed: bool = False) -> None:
        """Take in several."""
        for option in options:
            self.add(option, listed=listed)

    def _append(self, option: HelpOption) -> None:
        for flag in option.flags:
            self._place[flag] = len(self.options)
        self.options.append(option)


def _completed(known: HelpOption, other: HelpOption) -> HelpOption:
    """`known` with what only `other` says."""
    if known.is_switch and not other.is_switch:
        known = replace(
            known, value=other.value, value_optional=other.value_optional, joined=other.joined,
            repeats=other.repeats, glued=other.glued,
        )  # fmt: skip
    # `-oFILE` in the list is `[-o file]` in the usage: it takes its value both ways.
    apart = not other.is_switch and not other.glued
    return replace(
        known,
        description=known.description or other.description,
        required=known.required or other.required,
        glued=known.glued and not apart,
    )


def merged(first: HelpPage, second: HelpPage) -> HelpPage:
    """One page of two about the same command; where they disagree, the first is right."""
    known = Known()
    known.extend(first.options)
    known.extend(second.options)
    names = {command.name for command in first.subcommands}
    more = tuple(command for command in second.subcommands if command.name not in names)
    return replace(
        first,
        description=first.description or second.description,
        options=tuple(known.options),
        operands=first.operands or second.operands,
        subcommands=first.subcommands + more,
        notes=first.notes + second.notes,
    )
