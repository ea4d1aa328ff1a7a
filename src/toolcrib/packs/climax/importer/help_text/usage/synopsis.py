"""The language of usage lines: `[-v | --verbose] [--out=<file>] {start,stop} FILE...`.

Brackets hold what may be left out, bars stand between alternatives, dots say that something
repeats. The text becomes groups, and the groups are walked for the options and operands in them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from toolcrib.packs.climax.importer.help_text.text import unbracketed
from toolcrib.packs.climax.importer.help_text.usage.items import (
    NOISE,
    UsageItem,
    all_operands,
    are_words,
    choice_in,
    either_of,
    in_place_of_value,
    is_literal,
    is_noise,
    is_operand,
    is_option,
    left_out,
    may_be_left_out,
    nested_words,
    only_flags,
    stands_for_thing,
    takes_value,
    words_of,
)
from toolcrib.packs.climax.importer.help_text.usage.words import (
    is_phrase,
    names_operand,
)
from toolcrib.packs.climax.importer.model import HelpOption, Operand

_DEEPEST = 30
_TOKEN = re.compile(
    r"(?P<space>\s+)"
    r"|(?P<dots>\.\.\.|…|\.\.(?![\w/.])|(?<=[\])>])[*+](?=[\s\])|]|$))"
    r"|(?P<flag>--?(?:\[no-\])?[A-Za-z0-9?#@][A-Za-z0-9_.:+@?#-]*)"
    r"|(?P<angle><[^<>]{1,200}>)"
    r"|(?P<choices>\{[^{}\[\]()<>|\s]{1,300},[^{}\[\]()<>|]{1,300}\})"
    r"|(?P<mark>[\[\](){}|=])"
    r"|(?P<word>(?:(?!\.\.\.|\.\.[\])\s]|\.\.$)[^\s\[\](){}|=<>…])+)"
    r"|(?P<other>.)"
)
_CLOSING = {"[": "]", "(": ")", "{": "}"}
REDIRECTED = re.compile(r"\s(?:<|>>?)\s+(?:<[\w.-]{1,40}>|[\w.-]+)")
"""What a shell does for a program that reads or writes nothing but its own streams."""
PLURAL = re.compile(
    r"(?!comma[ _-])"
    r"(?!seconds|minutes|hours|days|months|years|samples|times|lines|bytes|columns|rows|iterations)"
    r"(?:(?:.*[_ ./-])?(?:list|[a-z]{2,}[^\Wasui]s)"
    r"|(?:files|names|paths|items)[_ -](?:to|of|for)[_ -].*|list[_ -]of[_ -].*)",
    re.I,
)
"""Names of operands that are several; a measure is one number, `comma-separated pots` one word."""
# `$POT`, `%pot`: a sign that nobody begins a command with.
_SIGIL = re.compile(r"[$%](?=[A-Za-z])")
# `[@kiln]`: a word that begins with the sign; `[@file]` holds further options and operands.
_AT = re.compile(r"@(?!\w*(?:file|filename|args?|opts|options|list|path|response)\b)[a-z][\w-]*\Z")
_LITERAL = re.compile(r"[a-z][a-z0-9]*(?:[-_.][a-z0-9]+)*\Z")


def parse(text: str, switches: Collection[str] = ()) -> list[UsageItem]:
    """Read a usage line without its program; whatever the text is, something comes out.

    What follows one of `switches` is no value of it.
    """
    items = _Parser(REDIRECTED.sub("", f" {text}"), switches).sequence()
    # A command is not repeated: `pngfile [pngfile ...]` is a file, as often as it is named.
    again = set(_repeated_words(items, inside=False))
    return [_as_operand(item, again) for item in items] if again else items


def _repeated_words(items: Sequence[UsageItem], *, inside: bool) -> Iterator[str]:
    """The plain words that may stand there several times."""
    for item in items:
        if item.kind == "literal" and (inside or item.repeats) and not NOISE.fullmatch(item.text):
            yield item.text
        for alternative in item.alternatives:
            several = inside or item.repeats or any(each.repeats for each in alternative)
            yield from _repeated_words(alternative, inside=several)


def _as_operand(item: UsageItem, names: Collection[str]) -> UsageItem:
    if item.kind == "literal" and item.text in names:
        return replace(item, kind="operand")
    inner = [[_as_operand(each, names) for each in group] for group in item.alternatives]
    return replace(item, alternatives=inner) if inner else item


def options_in(items: Sequence[UsageItem], *, required: bool) -> Iterator[HelpOption]:
    """The options; those outside of brackets are as `required` as the whole."""
    for item in items:
        if item.kind == "flag":
            yield from _flag_options([item], required and not item.optional)
        elif item.kind == "group":
            needed = required and not item.optional and len(item.alternatives) == 1
            needed = needed and item.text != "{"  # braces without a choice ask for nothing
            flags = [each[0] for each in item.alternatives if len(each) == 1]
            if len(flags) == len(item.alternatives) and all(one.kind == "flag" for one in flags):
                yield from _flag_options(flags, needed)
            else:
                for alternative in item.alternatives:
                    yield from options_in(alternative, required=needed)


def _flag_options(flags: Sequence[UsageItem], required: bool) -> Iterator[HelpOption]:
    """Options of alternative flags: a short one right before a long one is the same option."""
    at = 0
    while at < len(flags):
        item, names = flags[at], [flags[at].text]
        following = flags[at + 1] if at + 1 < len(flags) else None
        if following is not None and len(item.text) == 2 and following.text.startswith("--"):
            names.append(following.text)
            item = following if following.value is not None else item
            at += 1
        at += 1
        plain = tuple(name.replace("[no-]", "") for name in names)
        glued = item.glued and not any(name.startswith("--") for name in plain)
        yield HelpOption(
            plain, item.value, item.value_optional, item.joined, glued, required=required
        )
        negated = tuple(name.replace("[no-]", "no-") for name in names if "[no-]" in name)
        if negated:
            yield HelpOption(negated)


def operands_in(
    items: Sequence[UsageItem], *, required: bool, literal: bool = False
) -> Iterator[Operand]:
    """The operands, in order; with `literal`, plain words are operands too."""
    for item in items:
        if NOISE.fullmatch(item.text):
            continue
        if item.kind == "operand" or (item.kind == "literal" and literal):
            yield Operand(item.text, required, item.repeats, enum=item.enum)
        elif item.kind == "group":
            yield from _group_operands(item, required and not item.optional, literal)


def _group_operands(group: UsageItem, required: bool, literal: bool) -> Iterator[Operand]:
    # `[FILE|-]`: a lone dash is a value that every operand takes.
    group = replace(group, alternatives=[each for each in group.alternatives if each])
    singles = [each[0] for each in group.alternatives if len(each) == 1]
    if len(singles) == len(group.alternatives) and all(
        one.kind in ("operand", "literal") for one in singles
    ):
        operand = _one_of(singles, required)
        if operand is not None:
            yield replace(operand, repeats=operand.repeats or group.repeats)
        return
    if any(NOISE.fullmatch(item.text) for each in group.alternatives for item in each):
        group = replace(group, alternatives=_without_noise(group.alternatives))
    # `{[options] outfile}...` can only mean a file: a command is not repeated.
    literal = literal or group.text == "{" or group.repeats
    # `[zipfile list]` are two words that may be left out; a command would have its own line.
    literal = literal or (group.optional and len(nested_words(group)) > 1)
    literal = literal or (group.optional and are_words(group.alternatives))
    alone = len(group.alternatives) == 1
    if group.repeats and alone:
        # `[KEY [VALUE]]...`: they come in turns, which is one list.
        turns = list(operands_in(group.alternatives[0], required=required, literal=literal))
        if len(turns) > 1:
            yield Operand("_".join(each.name for each in turns[:3]), turns[0].required, True)
            return
    if group.optional and not group.repeats and any(map(takes_value, group.alternatives[:1])):
        # `[-s shelf | kiln_shelf]`: a plain word beside a value is another one.
        group = replace(group, alternatives=[e for e in group.alternatives if not is_literal(e)])
    # `[-n infile outfile ...]`: all of it belongs to the option.
    own = [
        list(operands_in(each, required=required, literal=literal))
        for each in group.alternatives
        if not (group.optional and each and (each[0].kind == "flag" or _is_choice_of(each)))
    ]
    for operand in _in_place_of(own) if len(group.alternatives) > 1 else own[0] if own else ():
        yield replace(operand, repeats=operand.repeats or group.repeats)


def _is_choice_of(alternative: Sequence[UsageItem]) -> bool:
    """Whether `[-b|-f] [c|f]` are options and the letters that each of them may take."""
    flags, *rest = alternative
    either = only_flags(replace(flags, optional=False))
    return (
        bool(either)
        and len(rest) == 1
        and bool(either_of(rest[0]))
        and not any(item.kind == "operand" for each in rest[0].alternatives for item in each)
    )


def _in_place_of(alternatives: Sequence[Sequence[Operand]]) -> Iterator[Operand]:
    """`[CHARSET] | REQUEST [FILE]...`: what stands in the same place is one operand."""
    told = [each for each in alternatives if each]
    for place in range(max(map(len, told), default=0)):
        here = [each[place] for each in told if len(each) > place]
        always = len(here) == len(alternatives) and all(operand.required for operand in here)
        names = dict.fromkeys(operand.name for operand in here[:3])
        yield Operand(
            "_or_".join(names), always, any(operand.repeats for operand in here),
            enum=here[0].enum if len(here) == 1 else (),
        )  # fmt: skip


def _without_noise(alternatives: list[list[UsageItem]]) -> list[list[UsageItem]]:
    """`[infile options]` says nothing; of other groups only the noise itself is left out."""
    kept = []
    for each in alternatives:
        noisy = any(NOISE.fullmatch(item.text) for item in each)
        words_only = all(item.kind in ("literal", "operand") or item.optional for item in each)
        if not (noisy and words_only):
            kept.append([item for item in each if not NOISE.fullmatch(item.text)])
    return kept


def _one_of(items: Sequence[UsageItem], required: bool) -> Operand | None:
    """`[<number> | <url>]` is one operand with a long name, `[fix|signatures]` one with choices."""
    items = [item for item in items if not NOISE.fullmatch(item.text)]
    if not items:
        return None
    repeats = any(item.repeats for item in items)
    if len(items) == 1:
        return Operand(items[0].text, required, repeats, enum=items[0].enum)
    if all(item.kind == "literal" for item in items) and not any(map(stands_for_thing, items)):
        return Operand("choice", required, repeats, enum=tuple(item.text for item in items))
    name = "_or_".join(dict.fromkeys(item.text for item in items[:3]))
    return Operand(name, required, repeats)


class _Parser:
    """Reads the little language of brackets; never fails, whatever it is given."""

    def __init__(self, text: str, switches: Collection[str] = ()) -> None:
        self._switches = switches
        self._tokens = [(match.lastgroup or "other", match[0]) for match in _TOKEN.finditer(text)]
        self._at = 0
        self._behind_part = False
        """Whether the last bracket was a part of the word before it."""

    def sequence(self) -> list[UsageItem]:
        """All alternatives of the whole text, one behind the other.

        Of operands that stand for each other, `<files> | <set 1> <set 2>`, the first are meant.
        """
        found: list[UsageItem] = []
        while self._at < len(self._tokens):
            first, *others = self._alternatives("", 0)
            if others and any(each and each[0].kind == "flag" for each in (first, *others)):
                # `-n NAME | -f FILE POT`: one of the options is given, and none of them has to be.
                first, *others = ([*map(left_out, each)] for each in (first, *others))
            if others and others[0] and is_option(first[-1:]) and is_operand(others[0][0]):
                # `-f | <pot> -s <size>`: the option stands in place of the pot.
                others[0][0] = may_be_left_out(others[0][0])
            elif others and others[0]:
                others[0][0] = in_place_of_value(others[0][0], first[-1:])
            found += first
            if not (any(map(is_operand, first)) and others and all_operands(others)):
                found += [item for each in others for item in each]
        return found

    def _peek(self) -> tuple[str, str]:
        return self._tokens[self._at] if self._at < len(self._tokens) else ("end", "")

    def _next(self) -> tuple[str, str]:
        token = self._peek()
        self._at += 1
        return token

    def _alternatives(self, closing: str, depth: int) -> list[list[UsageItem]]:
        found: list[list[UsageItem]] = [[]]
        while True:
            kind, text = self._peek()
            if kind == "end":
                return found
            if kind == "mark" and text in "])}":
                self._at += 1
                if text == closing or not closing:
                    return found
                continue
            if kind == "word" and text in ("or", "OR") and closing and found[-1]:
                self._at += 1
                found.append([])
                continue
            if kind == "mark" and text == "|":
                self._at += 1
                if closing or not self._is_glued(found[-1]):
                    found.append([])
                else:
                    self._next()  # `DEST_PATH|-` is one operand
                continue
            self._item(found[-1], depth)

    def _is_glued(self, before: Sequence[UsageItem]) -> bool:
        """Whether the bar that was just read stands right behind an operand and before a word."""
        spaced = self._tokens[self._at - 2][0] == "space" if self._at > 1 else True
        return bool(before) and is_operand(before[-1]) and not spaced

    def _item(self, into: list[UsageItem], depth: int) -> None:
        before = self._tokens[self._at - 1] if self._at else ("space", "")
        kind, text = self._next()
        if kind == "space":
            return
        if kind == "dots":
            # Brackets with nothing to read in them stand for a word: `[argument [/_] ...]`.
            meant = [item for item in into[-2:] if item.kind != "group" or any(item.alternatives)]
            if meant:
                meant[-1].repeats = True
        elif text == "[" and self._dots_alone():
            if into:
                into[-1].repeats = True  # `FILE [...]`
        elif kind == "mark" and text in "[({" and depth < _DEEPEST:
            group = UsageItem("group", text, optional=text == "[")
            group.alternatives = self._alternatives(_CLOSING[text], depth + 1)
            # `<token>[=<value>]` and `[USER@]HOST` are one word, and only its name counts.
            glued = before[0] in ("angle", "word") or self._behind_part
            part = glued or self._word_follows()
            if not part or only_flags(group):
                self._add_group(into, group, depth)
            elif into and group.text == "(" and words_of(group) in (["s"], ["S"], ["es"], ["ES"]):
                into[-1].repeats = True  # `FILE(s)`
            elif before == ("word", "-"):
                self._glued(depth)  # `-(G|N|E)name=val` stands for many options
            # `OFFSET[.][b]`: what sticks to a part of a word is one, too.
            self._behind_part = glued and self._peek() == ("mark", "[")
        elif before[0] in ("angle", "word", "choices") or before[1] == "=":
            return
        elif kind == "flag":
            into.append(self._flag(text, depth))
        elif kind == "choices":
            self._add(into, UsageItem("operand", "choice", enum=_choices(text)), depth)
        elif kind == "angle":
            name = text[1:-1].strip()
            several = "(s)" in name or name.endswith(("...", "…"))
            name = name.rstrip(" .…") or "value"
            self._add(into, UsageItem("operand", name, repeats=several), depth)
        elif kind == "word":
            self._word(into, text, depth)

    def _dots_alone(self) -> bool:
        """Whether the bracket that was just read holds nothing but dots; if so, it is passed."""
        kinds = [kind for kind, _ in self._tokens[self._at : self._at + 4]]
        filled = [kind for kind in kinds if kind != "space"][:2]
        if filled != ["dots", "mark"]:
            return False
        while self._next()[1] != "]":
            pass
        return True

    def _stands_alone(self, before: Sequence[UsageItem]) -> bool:
        """Whether the word that was just read is all that its brackets hold."""
        kind, text = self._peek()
        return not before and kind == "mark" and text in "])}"

    def _ends_with_it(self, before: Sequence[UsageItem]) -> bool:
        """Whether nothing but dots follows the word that was just read, behind `[options]`."""
        rest = "".join(text for _, text in self._tokens[self._at :])
        return bool(before) and is_noise(before[-1]) and not rest.strip(" .…[]")

    def _dots_follow(self) -> bool:
        kinds = [kind for kind, _ in self._tokens[self._at : self._at + 2]]
        return next((kind for kind in kinds if kind != "space"), "") == "dots"

    def _word_follows(self) -> bool:
        return self._peek()[0] in ("word", "angle")

    def _word(self, into: list[UsageItem], text: str, depth: int) -> None:
        text = text.strip(",;:'\"`")
        if text in ("", "-", "--"):
            return
        if text.startswith("+"):
            into.append(UsageItem("plus", text))
            return
        if _SIGIL.match(text):
            self._add(into, UsageItem("operand", text[1:]), depth)
            return
        if depth and _AT.match(text) and self._stands_alone(into):
            self._add(into, UsageItem("operand", text), depth)
            return
        inside = depth > 0 or any(map(is_operand, into))
        alone = self._stands_alone(into) if depth else self._ends_with_it(into)
        if names_operand(text, inside=inside, alone=alone, dots=self._dots_follow()):
            self._add(into, UsageItem("operand", text), depth)
        elif _LITERAL.match(text):
            self._add(into, UsageItem("literal", text), depth)

    def _add_group(self, into: list[UsageItem], group: UsageItem, depth: int) -> None:
        """Add a group, unless it is the value of the flag before it: `[-p [PYTHONS ...]]`."""
        before = into[-1] if into else None
        words = words_of(group)
        dots = any(item.repeats for each in group.alternatives for item in each)
        if len(words) > 1 and (group.text == "{" or is_phrase(words, dots)):
            # `{target specification}` and `[changelog entry]` are names of several words.
            name = UsageItem("operand", "_".join(words), repeats=group.repeats or dots)
            if not any(map(NOISE.fullmatch, words)):
                group = replace(group, alternatives=[[name]])
                into.append(name if group.text == "{" else group)
                return
        if depth and before is not None and before.kind == "plus" and words:
            return
        alone = before is not None and before.kind == "flag" and before.value is None
        inner = words[0] if words else choice_in(group)
        if depth and before is not None and alone and inner and group.text == "[":
            before.value, before.value_optional = inner, True
            return
        if depth and before is not None and alone and group.text in ("{", "("):
            # `[-P { <list> | ALL }]`, `[--shape (pot|cup)]`
            before.value = either_of(group) or None
            if before.value:
                return
        into.append(group)

    def _add(self, into: list[UsageItem], item: UsageItem, depth: int) -> None:
        """Add an operand, unless it is the value of the flag before it.

        Together in brackets they belong together, whatever is said of the flag elsewhere.
        """
        before = into[-1] if into else None
        if before is not None and before.kind == "plus" and depth:
            return  # `[+D dir]` is an option, too
        switch = before is not None and before.text in self._switches and not depth
        if before is not None and before.kind == "flag" and switch:
            into.append(item)
            return
        if before is not None and before.kind == "flag" and not (before.value or before.joined):
            before.value = item.text
            return
        # Of `(-q | -z) POT`, the list tells whether they are switches.
        flags = [] if self._are_switches(before) else only_flags(before)
        for flag in flags:
            flag.value = flag.value or item.text
        if not flags:
            into.append(item)

    def _are_switches(self, before: UsageItem | None) -> bool:
        """Whether one of the flags in a choice is known to take no value."""
        return any(flag.text in self._switches for flag in only_flags(before))

    def _flag(self, text: str, depth: int) -> UsageItem:
        """A flag with the value that sticks to it."""
        item = UsageItem("flag", text.rstrip(".:"))
        kind, mark = self._peek()
        if kind == "mark" and mark == "=":
            self._at += 1
            item.value, item.joined = self._glued(depth) or "value", True
        elif kind == "angle":
            item.value, item.glued = self._next()[1][1:-1], True
        elif kind == "mark" and mark == "[" and depth < _DEEPEST:
            self._at += 1
            inside = self._until("]")
            item.value = unbracketed(inside.lstrip("=")) or "value"
            item.value_optional, item.joined = True, inside.startswith("=")
            item.glued = not item.joined
        return item

    def _glued(self, depth: int) -> str:
        """The value behind `=`, up to a space or a closing bracket."""
        parts: list[str] = []
        while True:
            kind, text = self._peek()
            if kind in ("end", "space") or (kind == "mark" and text in "])}|"):
                break
            self._at += 1
            if kind == "mark" and text in "[({":
                text += self._until(_CLOSING[text]) + _CLOSING[text]
            parts.append(text)
        return unbracketed("".join(parts))

    def _until(self, closing: str) -> str:
        """The raw text up to a closing bracket, nested ones with it."""
        opening = {"]": "[", ")": "(", "}": "{"}[closing]
        level, parts = 1, []
        while self._at < len(self._tokens):
            text = self._next()[1]
            level += (text == opening) - (text == closing)
            if level == 0:
                break
            parts.append(text)
        return "".join(parts)


def _choices(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(part.strip() for part in text[1:-1].split(",") if part.strip()))
