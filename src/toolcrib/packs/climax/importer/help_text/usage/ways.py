"""Usage lines of a help text: found, cut into variants, and read."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from toolcrib.packs.climax.importer.help_text.text import indent_of, squeezed
from toolcrib.packs.climax.importer.help_text.usage.alignment import with_whole_ways
from toolcrib.packs.climax.importer.help_text.usage.items import UsageItem, is_noise
from toolcrib.packs.climax.importer.help_text.usage.notation import plain
from toolcrib.packs.climax.importer.help_text.usage.samples import as_notation, prompted
from toolcrib.packs.climax.importer.help_text.usage.synopsis import (
    operands_in,
    options_in,
    parse,
)
from toolcrib.packs.climax.importer.help_text.usage.titles import (
    announced,
    is_program,
    named_ways,
    untitled,
    without_labels,
    without_titles,
)
from toolcrib.packs.climax.importer.help_text.usage.variant import (
    COMMAND_WORD,
    Variant,
    has_options,
)
from toolcrib.packs.climax.importer.model import HelpOption

_FIRST_LINES = 12
_OPTION_LINE = re.compile(r"\s{1,8}--?[A-Za-z]")
# `or: kiln POT`, and a lone colon below that of "Usage :".
_OR = re.compile(r"\s*(?:or:?|:)\s+(?=\S)", re.I)
# `fire       POT PLATE` has nothing but operands behind its gap.
_EXPLAINED = re.compile(
    r" {2,}(?=[A-Za-z])(?![A-Z][A-Z_-]+(?: [A-Z][A-Z_-]+)*\Z)| +: +(?=[A-Za-z])"
)
# `[FILE..]     fires what the file names`: words alone, behind a wide gap.
_TOLD = re.compile(r" {2,}[A-Za-z][a-z]*(?: [\w'(),./-]+){2,}$")
# `[--print-name]  Prints the name of it`: what an option does, beside it.
_BRACKET_TOLD = re.compile(r"(\[--?[A-Za-z][^\[\]]*\]) {2,}[A-Z][a-z]*(?: [^\s\[]+){2,}.*")
_SENTENCE = re.compile(r"(?: [A-Za-z]+){3,}")
_WHOLE_SENTENCE = re.compile(r"[A-Z][a-z]+(?: [a-z]+){2}.*")
# `If [pot] is not given, all are fired`: the words that sentences begin with.
_SENTENCE_BEGINS = re.compile(
    r"(?:If|When|Where|Without|With|The|This|These|By|Note)(?: [^\s|]+){4,}"
)
# `reads a pot from <stdin>`: a verb, and the small words of a sentence.
_VERB_FIRST = re.compile(
    r"[a-z]{3,}s (?:[\w'-]+ ){0,4}?(?:an?|the|all|its|from|to|of|and|into|as|for|with|in) .*"
)
_HEADING = re.compile(r"[A-Za-z][A-Za-z ]{0,40}:")
# `where command-options are -q, -n`: what the usage means, below it.
_WHERE = re.compile(r"where\s+[\w<>-]+\s+(?:is|are)\b", re.I)
# `(output goes to file1.out)`: a remark below a way to call it.
_REMARK = re.compile(r"\((?:[a-z]+ ){3}[^|\[<]*(?:\)|\Z)")
# `kiln -d POT       <-Dry it`: an arrow that points from what a way is for to the way.
_POINTED = re.compile(r"\s{2,}<-\s*[A-Z'].*\Z")
# `1. diff`: the ways to call it, counted.
_COUNTED = re.compile(r"\d{1,2}[.)]\s+(?=\S)")
# `[< POTS]`: what a shell does, and no bracket that is to be closed.
_FROM_FILE = re.compile(r"(\[\s*|(?<=\s))<(?=\s)")
_PROMPT = re.compile(r"\$\s+(?=\S)")
# `<pot> must be dry`: what an operand is, below the usage.
_SAID = re.compile(r"[<\[]?[\w-]+[>\]]? +(?:is|are|must|can|may|should|will|defaults) \w.*")
# `python3 -m kiln [-h] POT`: how another program starts it, which its own name does here.
_LAUNCHED = re.compile(r"\A(?:\S*/)?(?:python|pypy)[0-9.]*\s+-m\s+[\w.]+(?=\s|\Z)")
# `glaze [options] POT`, below `usage: kiln [options] POT`.
_ANOTHERS_WAY = re.compile(r"[a-z][\w-]+ (?:\[\w+\] )?\[(?:options?|OPTIONS?)\]")
# `pot [...]     The pots to fire`: an operand, and what it is.
# `    # fires all of them`, between ways to call.
_COMMENT = re.compile(r"\s+#\s+[A-Za-z]\w*\s")
_DESCRIBED = re.compile(r"<?\w[\w.-]*>?(?: \[?\.\.\.\]?)? {3,}[A-Z][a-z]+ [a-z].*")
# `hot|cold`, and nothing else: a program takes the one or the other.
_ONE_OF_TWO = re.compile(r"\A(?:\[options?\] )?([a-z]{2,20})\|([a-z]{2,20})\Z")
# `glaze (gl) POT`: the short name of a command, behind it.
_SHORT_NAME = re.compile(r"\A\([a-z][\w-]*(?:, ?[a-z][\w-]*){0,3}\)(?:\s+|\Z)")
_DEFINED = re.compile(r"\bOPTIONS\s*:=\s*([\[{])")
_SHORTENED = re.compile(r"(?<![\w-])(-[A-Za-z]{1,4})\[([a-z]{2,20})\]")
# "`kiln` or `npx kiln`": ways to call it, each in quotes of its own.
_ALL_QUOTED = re.compile(r"(?:`[^`\s][^`]*`(?:\s*(?:\|\||,|or)\s*)?)+")
_LONGEST_USAGE = 12_000
_MOST_VARIANTS = 60
_MOST_LINES = 200


def usage_texts(lines: Sequence[str], program: str = "", word: str = "") -> list[str]:
    """The usage variants of a help text, each on one line.

    Where nothing announces them, they begin with the program, or with the `word` of a subcommand.
    """
    found: list[list[str]] = []
    last = -2
    lines = [_POINTED.sub("", line) for line in lines if not _COMMENT.match(line)]
    lines = with_whole_ways(without_labels(lines, program), program)
    for at, line in enumerate(lines):
        first = announced(line, program)
        below = lines[at + 1 : at + 1 + _MOST_LINES] if first is not None else []
        below = without_titles(prompted(below, program), program) if first == "" else below
        texts = _variants(first, below, program) if first is not None else []
        if texts and found and last == at - 1 and _is_further_way(texts[0], found[-1][0]):
            found[-1] += texts  # one line after the other is announced
        elif texts:
            found.append(texts)
        last = at if texts else last
    # "usage: Note: …" is a notice; the line that begins with the program is what is meant.
    own = [texts for texts in found if is_program(texts[0].split()[0], program)]
    whole = f"{program} {word}" if word else ""
    ways = (_unlabelled(lines, name) for name in (program, whole, word))
    meant = own or found or [named_ways(lines, program) or next(filter(None, ways), [])]
    return [each for text in meant[0] for each in _ways(untitled(text, program), program)]


def _ways(text: str, program: str) -> list[str]:
    """`a [x] | a [y]` as two ways to call; of `<pots> | a [x]`, the first part is another's."""
    name = program.rpartition("/")[2]
    if _ALL_QUOTED.fullmatch(text):
        return [
            each for each in re.findall(r"`([^`]+)`", text) if is_program(each.split()[0], name)
        ]
    ways = re.split(rf"\s+\|\s+(?={re.escape(name)}(?:\s|$))", text) if name else [text]
    own = [way for way in ways if is_program(way.split()[0], name)] if len(ways) > 1 else []
    # What another program writes is read as a file is that a shell opens.
    piped = len(own) == 1 and len(own) < len(ways) and own[0] is ways[-1]
    return [f"{own[0].split(' | ')[0]} < stream"] if piped else own or ways


def _unlabelled(lines: Sequence[str], program: str) -> list[str]:
    """Usage lines that nothing announces: they begin with the program, and brackets follow."""
    if not program:
        return []
    # `kiln path/to/pot.clay` is one, too, and `use: kiln [POT]`.
    synopsis = re.compile(
        r"\s*(?:\$ +|(?:\W{1,5} )?(?!(?i:[^:]*example|try\b))[A-Za-z][\w ,'-]{1,40}: +)?"
        rf"(?:/\S*/)?{re.escape(program)} +(?:\([a-z][\w, -]*\) +)?"
        r"(?:(?:[\[<{]|[A-Z]{2}|.*(?:\[|\.\.\.)).*"
        r"|[a-z]+/[a-z/]+\.[a-z]+)"
    )
    options = next((at for at, line in enumerate(lines) if _OPTION_LINE.match(line)), 0)
    for at, line in enumerate(lines[: min(max(options, _FIRST_LINES), 3 * _FIRST_LINES)]):
        if synopsis.fullmatch(line):
            # `sponge [-a] <file>: soak up all input` says at once what it is for.
            way = untitled(_uncounted(line.strip()), program)
            called = re.split(r"(?<=[>\].]): (?=[a-z]+ )", way, maxsplit=1)
            if len(called) > 1:
                return called[:1]
            told = _EXPLAINED.split(way, maxsplit=1)
            # `kiln [pot]    Fires it`, in a list of commands that has this one as well.
            found = [told[0]] if len(told) > 1 else _variants(way, lines[at + 1 :])
            further = _scattered(lines[at + 1 :], program, indent_of(line))
            return found if len(found) > 1 else found + further
    return []


def _scattered(lines: Sequence[str], program: str, indent: int) -> list[str]:
    """Further ways to call it, each on a line of its own between sentences: `doxygen -x [FILE]`.

    They stand further in than the text around them, or where the first way does.
    """
    way = re.compile(rf"\s*{re.escape(program)} (?:-\w|\[-).*")
    found = [line.strip() for line in lines if way.fullmatch(line) and indent_of(line) >= indent]
    return [text for text in found if not _is_example(text)][:_MOST_VARIANTS]


def _is_example(text: str) -> bool:
    """Whether a line gives an option twice, as somebody types it: `kiln -J b -J a`."""
    flags = [word for word in text.split() if word.startswith("-")]
    return len(set(flags)) < len(flags) and not any(mark in text for mark in "[<|")


def fragments(lines: Iterable[str]) -> list[HelpOption]:
    """The options of text that is nothing but brackets: `[-S|--save] [--omit <dev|peer>]`."""
    text = " ".join(lines)[:_LONGEST_USAGE]
    items = parse(text)
    return [replace(option, required=False) for option in options_in(items, required=False)]


def defined_options(lines: Sequence[str]) -> list[HelpOption]:
    """The options that a usage names and defines below: `OPTIONS := { -V[ersion] | -j[son] }`."""
    text = " ".join(lines)[:_LONGEST_USAGE]
    match = _DEFINED.search(text)
    if match is None:
        return []
    opening, closing, depth = match[1], "]" if match[1] == "[" else "}", 0
    for at in range(match.start(1), len(text)):
        depth += (text[at] == opening) - (text[at] == closing)
        if depth == 0:
            return _abbreviated(text[match.end() : at])
    return []


def _abbreviated(text: str) -> list[HelpOption]:
    """Options between bars, where `-V[ersion]` may be spelt short."""
    short = {f"{each[1]}{each[2]}": each[1] for each in _SHORTENED.finditer(text)}
    found = fragments([_SHORTENED.sub(r"\1\2", text)])
    return [
        replace(each, flags=(*each.flags, short[each.main])) if each.main in short else each
        for each in found
    ]


def read_variant(text: str, path: Sequence[str], switches: Collection[str] = ()) -> Variant | None:
    """Read a usage line of the command `path` (its program first); None if it is another's.

    What follows one of `switches` is no value of it.
    """
    rest = _without_path(squeezed(text)[:_LONGEST_USAGE], path)
    if rest is None:
        return None
    if len(path) == 1:
        rest = _ONE_OF_TWO.sub(r"{\1,\2}", rest)
    rest = plain(as_notation(_SHORT_NAME.sub("", rest, count=1) if len(path) > 1 else rest))
    # `Usage: list [OPTION...] list`: the command itself is none of its operands.
    own = path[-1] if len(path) > 1 else None
    parsed = tuple(i for i in parse(rest, switches) if i.kind != "literal" or i.text != own)
    items = _from_options_on(parsed)
    chosen = _leading_choice(items)
    if chosen:
        behind = re.sub(r"^\s*[({][^(){}]*[)}]", "", rest).strip()
        return Variant(items, chosen, text=" ".join((*chosen, behind)))
    for number, item in enumerate(items):
        if is_noise(item):
            continue
        literal = _leading_literal(item)
        if literal is not None:
            return Variant(items, (literal,), bare=item.optional, late=number > 0, text=rest)
        if not (item.kind == "group" and item.optional):
            break
    return Variant(items, text=rest)


def _from_options_on(items: tuple[UsageItem, ...]) -> tuple[UsageItem, ...]:
    """The items without what may stand before the options, where a word is required behind them.

    Of `[FILE-TYPE] [OPTIONS] PATTERN`, one word is the pattern: what stands first is an option.
    """
    at = next((number for number, item in enumerate(items) if is_noise(item)), 0)
    before = list(operands_in(items[:at], required=True, literal=True))
    behind = operands_in(items[at:], required=True)
    named = any(operand.required or COMMAND_WORD.fullmatch(operand.name) for operand in before)
    flags = any(True for _ in options_in(items[:at], required=True))
    needed = any(operand.required for operand in behind)
    return items[at:] if before and needed and not named and not flags else items


def _goes_over(text: str) -> bool:
    """Whether a line ends inside of brackets, or before a value: the next one belongs to it."""
    text = _FROM_FILE.sub(r"\1", text)
    opened = any(text.count(a) > text.count(b) for a, b in ("[]", "<>", "()"))
    return opened or text.endswith(("=", "|"))


def _is_about_operands(text: str, block: bool, ways: Sequence[str]) -> bool:
    """Whether what stands below a usage tells of it, and is no part of it."""
    return _is_prose(text) or _ends_there(text) or _is_described(text, block, ways)


def _ends_there(text: str) -> bool:
    """Whether a usage has ended above a line, though its author left a bracket open."""
    return _HEADING.fullmatch(text) is not None or text.upper() in ("OPTIONS", "[OPTIONS]")


def _joined(text: str, more: str) -> str:
    return f"{text}{more}" if text.endswith(("=", "[", "|", "<")) else f"{text} {more}"


def _variants(first: str, lines: Sequence[str], program: str = "") -> list[str]:
    first = _uncounted(first)
    texts = [first] if first else []
    block, told = not first, False
    level: int | None = None
    for at, line in enumerate(lines[:_MOST_LINES]):
        text = _uncounted(line.strip())
        if not text:
            going_on = block and texts and _goes_on(lines[at + 1 :], texts[0].split()[0], level)
            if (texts or level is not None) and not going_on:
                break
            continue
        alternative = _OR.match(line)
        here = indent_of(line)
        if block and level is None:
            level = here
        told = told and here > (level or 0)
        text = text.removesuffix(" \\")
        if texts and _goes_over(texts[-1]) and not _ends_there(text):
            texts[-1] = _joined(texts[-1], text)
            continue
        if alternative is not None and texts:
            texts.append(line[alternative.end() :].strip())
        elif block and texts and here < (level or 0) and not text.startswith(("[", "(", "<", "{")):
            break  # what stands further out is about something else
        elif texts and not block and _is_anothers_way(text, texts[0]):
            continue
        elif block and here == level and not text.startswith(("[", "(", "-", "<")):
            if here == 0 and texts and text.split()[0] != texts[0].split()[0]:
                break
            texts.append(_EXPLAINED.split(text, maxsplit=1)[0])
        elif block and texts and here > (level or 0) and (told or _is_prose(text)):
            told = True  # what this way to call is for, below it
        elif texts and here and _is_prose(text) and _way_follows(lines[at + 1 :], texts[0]):
            continue  # what this way to call is for, and the next way below it
        elif texts and not block and any(_is_further_way(text, way) for way in (texts[0], program)):
            texts.append(text)
        elif _is_about_operands(text, block, texts) or _is_listed_option(text, here):
            break
        elif texts and text in texts[0].split() and indent_of("".join(lines[at + 1 :][:1])) > here:
            break  # `POT`, and what it is below it
        elif texts and (here > 0 or block):
            texts[-1] += " " + _BRACKET_TOLD.sub(r"\1", text)
        else:
            break
    return _untold(texts[:_MOST_VARIANTS])


def _untold(texts: list[str]) -> list[str]:
    """The ways to call without what each is for, where most have it behind a wide gap."""
    told = [_TOLD.search(text) for text in texts]
    if len(texts) < 2 or sum(map(bool, told)) * 2 <= len(texts):
        return texts
    return [text[: end.start()] if end else text for text, end in zip(texts, told, strict=True)]


def _goes_on(lines: Sequence[str], program: str, level: int | None) -> bool:
    """Whether the next line is a further way to call it, behind a blank line."""
    following = next((line for line in lines[:2] if line), "")
    return indent_of(following) == level and following.split()[:1] == [program]


def _way_follows(lines: Sequence[str], way: str) -> bool:
    """Whether the next line but for one begins with the same word as `way`, the program."""
    following = [(_OR.sub("", line, count=1), indent_of(line)) for line in lines[:2]]
    return any(line.split()[:1] == way.split()[:1] and indent for line, indent in following)


def _is_further_way(text: str, way: str) -> bool:
    """Whether a line begins with the program as `way` does, and is no sentence about it."""
    words = text.split()
    named = any(re.fullmatch(r"[A-Z][A-Z0-9_-]+", word) for word in words)
    return words[:1] == way.split()[:1] and (named or not _is_prose(text))


def _is_anothers_way(text: str, way: str) -> bool:
    """Whether a line begins with a program of another name, and has its own `[options]`.

    It may take the very same.
    """
    name, _, rest = text.partition(" ")
    if re.fullmatch(r"[a-z][\w-]+", name) and rest and rest == way.partition(" ")[2]:
        return "[" in rest
    match = _ANOTHERS_WAY.match(text)
    return match is not None and _ANOTHERS_WAY.match(way) is not None and text.split()[0] not in way


def _uncounted(text: str) -> str:
    """A way to call without its number, or the prompt of a shell."""
    match = _COUNTED.match(text) or _PROMPT.match(text)
    return text[match.end() :] if match is not None else text


def _is_described(text: str, block: bool, ways: Sequence[str] = ()) -> bool:
    """Whether a line right below the usage says what an operand is."""
    named = re.match(r"(<[\w-]+>|[a-z][\w-]+(?=  ))(?::| {2,}) *[A-Za-z]\S* [A-Za-z]", text)
    again = named is not None and any(named[1] in way.split() for way in ways)
    return again or (not block and _DESCRIBED.fullmatch(text) is not None)


def _is_listed_option(text: str, indent: int) -> bool:
    """Whether the options begin here, right below the usage."""
    if not text.startswith("-"):
        return False
    return indent <= 4 or bool(_EXPLAINED.search(text) or _SENTENCE.search(text))


def _is_prose(text: str) -> bool:
    """Whether a heading or a sentence begins here, and nothing of what a synopsis is made of."""
    if _WHOLE_SENTENCE.fullmatch(text) or _HEADING.fullmatch(text) or _WHERE.match(text):
        return True
    if _SENTENCE_BEGINS.match(text):
        return True
    if _REMARK.match(text) or _SAID.fullmatch(text) or _VERB_FIRST.fullmatch(text):
        return True
    return len(text.split()) >= 4 and not any(mark in text for mark in ("[", "<", "...", "|", " -"))


def _without_path(text: str, path: Sequence[str]) -> str | None:
    """What follows the command's own words; None where the line begins with other ones."""
    program = path[0].rpartition("/")[2]
    text = _LAUNCHED.sub(lambda _: program, text, count=1)
    # `kiln fire POT` is how a program calls `kiln-fire`, which it finds by that name.
    apart = f"{program.replace('-', ' ', 1)} "
    words = (f"{program} {text[len(apart) :]}" if text.startswith(apart) else text).split(" ")
    at = next((i for i, word in enumerate(words[:4]) if is_program(word, program)), None)
    if at is None and len(path) > 1 and words[0] == path[-1]:
        return " ".join(words[1:])
    at = 0 if at is None else at + 1
    if at == 0 and words and not words[0].startswith(("[", "<", "-", "{", "(")):
        at = 1
    for word in path[1:]:
        # `git stash [push [-k] …]`: the word may be left out, but here it is not.
        spellings = (word, f"[{word}", f"[{word}]")
        while at < len(words) and words[at] not in spellings and _is_placeholder(words[at]):
            at = _behind_bracket(words, at) if words[at][0] == "[" else at + 1
        # `{fire | cool} [-f] POT`: it is one of those.
        chosen = _behind_choice(words, at, word)
        if chosen:
            at = chosen
            continue
        # `nest new|n [name]`: other names of the same command.
        if at >= len(words) or not {words[at], *words[at].split("|")} & set(spellings):
            return None
        at += 1
    return " ".join(words[at:])


def _is_placeholder(word: str) -> bool:
    """Whether a word stands for others, before the command is named: `[options]`, `<command>`."""
    return word.startswith("[") or re.fullmatch(r"<[\w-]+>", word) is not None


def _behind_choice(words: Sequence[str], at: int, word: str) -> int:
    """The place behind a choice in braces that has the word in it; 0 if there is none."""
    if at >= len(words) or words[at][:1] not in ("{", "("):
        return 0
    until = next((i for i in range(at, len(words)) if words[i][-1:] in ("}", ")")), at)
    named = re.findall(r"[\w.-]+", " ".join(words[at : until + 1]))
    return until + 1 if word in named and len(named) > 1 else 0


def _behind_bracket(words: Sequence[str], at: int) -> int:
    """The place behind `[global options]`."""
    while at < len(words) and not words[at].endswith("]"):
        at += 1
    return at + 1


def _leading_choice(items: Sequence[UsageItem]) -> tuple[str, ...]:
    """The words of `{fire | cool} [-f] POT`: what stands before the options are commands."""
    first = items[0] if items and items[0].kind == "group" and not items[0].optional else None
    words = [each[0] for each in first.alternatives if len(each) == 1] if first else []
    if first is None or len(words) != len(first.alternatives) or len(words) < 2:
        return ()
    plain = all(word.kind == "literal" and not word.repeats for word in words)
    return tuple(word.text for word in words) if plain and any(map(has_options, items[1:])) else ()


def _leading_literal(item: UsageItem) -> str | None:
    """The word that an item begins with, where it is one: `push`, or `[push [-k]]`."""
    if item.kind == "literal":
        return item.text
    if item.kind == "group" and len(item.alternatives) == 1 and len(item.alternatives[0]) > 1:
        first = item.alternatives[0][0]
        return first.text if first.kind == "literal" else None
    return None
