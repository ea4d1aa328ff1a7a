"""The many notations of usage lines, rewritten in the one that `synopsis` reads.

People write `file1 file2 ...`, `[...file]`, `<-q>` or `c(reate)`. Each rule here says what such
a text means in brackets, bars and dots.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from toolcrib.packs.climax.importer.help_text.usage.words import names_operand, names_thing

# `file1 file2 ...`, `file1 [ file2 ] [ ... ]`: one name, as often as it is wanted.
_NUMBERED = re.compile(
    r"<?(?P<name>[A-Za-z_-]{2,40}?)[01]?(?P<end>\.\w+)?>?"
    r"(?:,?\s*(?:\[\s*,?\s*)?<?(?P=name)[0-9](?:\.\w+)?>?(?:\s*\])?){1,20}"
    r",?\s*(?:\[\s*,?\s*(?:(?P=name))?\s*\.\.\.?\s*\]|\.\.\.?)\]{0,3}(?:\s*<?(?P=name)[nN]\b>?(?:\.\w+)?\]?)?",
    re.I,
)
# `<pot> <pot2> <potN>`: the last has a letter for its number, and the dots are left to the reader.
_TO_THE_NTH = re.compile(
    r"(?<![\w<-])(?P<may>\[)?\s?<?(?P<name>[A-Za-z][A-Za-z_-]{1,40}?)[-_]?[01]?>?\s?\]?"
    r"(?:,?\s+\[?\s?<?(?P=name)[-_]?[0-9]>?\s?\]?){1,8},?\s+\[?\s?<?(?P=name)[-_]?[nN]>?(?![\w>-])"
    r"\s?\]{0,8}"
)
# `?plate?`, `?-heat n?`, `?arg ...?`: what may be left out, as Tcl writes it.
_QUESTIONED = re.compile(r"(?<!\S)\?(-?[A-Za-z][^?\n]{0,80}?)\?(?=\s|\Z)")
# `<POT|--all>`: a name or an option, of which one has to be there.
_NAME_OR_OPTION = re.compile(
    r"<((?:[^<>|\s]|<[^<>]{1,60}>|\s(?=<)){1,80}(?:\|(?:[^<>|\s]|<[^<>]{1,60}>|\s(?=<)){1,80})+)>"
)
# `root1 root2`: no two commands are called so.
_PAIR = re.compile(r"(?<![\w<-])(?P<name>[a-z]{2,20})1 (?P=name)2(?![\w>])")
# `resource [...resource]`: dots before what they repeat.
_DOTS_FIRST = re.compile(r"\[\.\.\.\s?(<?[\w-]{1,40}>?)\]")
# `[-q] [--name NAME] [...]`: words of any kind, which nobody has a name for.
_UNNAMED = re.compile(r"(?<=\])\s+\[\.\.\.\]\Z")
_OPTION_LAST = re.compile(r"\[-[^\[\]]*(?:\[[^\[\]]*\])?\]\s+\[\.\.\.\]\Z")
# `-[eE] NAME`: two options that take the same.
_EITHER_LETTER = re.compile(r"(?<=[\s\[])-\[(?!no\])([A-Za-z]{2,6})\](?=[\s\]])")
# `-[0-8] PATTERN`: as many options, which take the same.
_RANGE = re.compile(r"(?<=[\s\[])-\[([0-9])-([0-9])\](?=[\s\]])")
# `(-f LIST)|(POT)`: one of them.
_EITHER_GROUP = re.compile(r"(?<=[\s\[])\(([^()|]{1,80})\)\|\(([^()|]{1,80})\)(?!\|)")
# `<source0> [... <sourceN>]`, `<pot-1>..<pot-n>`, `POT1 ... POTn`: from the first to the last.
_FIRST_TO_LAST = re.compile(
    r"(?<![\w<-])<?(?P<name>[A-Za-z][A-Za-z_]{1,20}(?:-[A-Za-z_]{1,20}){0,4}?)[-_]?[01]>?"
    r",?\s*(?P<may>\[)?\s*(?:\.\.\.?|…),?\s*<?(?P=name)[-_]?[nNkKmM]>?(?![\w>-])(?(may)\s*\])"
)
# `pot1...N`: the same in one word.
_FIRST_TO_NUMBER = re.compile(r"(?<![\w<-])([A-Za-z]{2,20})1\s?\.\.\.?\s?[nN](?![\w.])")
# `<-q>`: an option is never a name, so the brackets can only mean that it may be left out.
_ANGLED_OPTION = re.compile(r"<(-(?:[^<>]|<[^<>]{1,60}>){1,300})>")
# `c(reate)`: a command with its short form.
_ABBREVIATED = re.compile(r"(?<![^\s|({[])([a-z]{1,3})\(([a-z]{2,20})\)(?=[\s|)}\]]|$)")
# `init[db]`, first of all: a command whose beginning is enough.
_SHORTENED = re.compile(r"\A([a-z]{2,6})\[([a-z]{2,20})\](?=\s|\Z)")
# `[-opts]`, `[-options ...]`: with the dash that they begin with.
_DASHED_OPTIONS = re.compile(r"\[\s?-(?:opts|options|flags|switches)(?:\s?\.\.\.)?\s?\]")
# `["<words>"]`, `["glaze options"]`: in its quotes it is one word, however many it is made of.
_IN_QUOTES = re.compile(
    r"(?<=[\s\[])\"(?:<(?P<angled>[^<>\"]{1,60})>|(?P<bare>[A-Za-z][\w. -]{0,60}))\"(?=[\s\]]|\Z)"
)
# `[-]{dmpq}[abc]`: one word that is made of letters.
_LETTERS = re.compile(
    r"(?:\[-\]\{[A-Za-z]{3,40}\}(?:\[[A-Za-z]{1,60}\])*|\{[A-Za-z]{3,40}\}(?:\[[A-Za-z]{1,60}\])+)"
    r"(?=\s|$)"
)
# `[arg] [input] [output]`: what stands before the operands is options.
_ARGUMENTS_FIRST = re.compile(r"\[\s*(?:args?|arguments)\s*\](?:\s*\.\.\.)?\s+(?=[\[<A-Za-z])")
# `<option>... <pot>...`: dots that say "as often as is wanted" of both, and nothing of brackets.
_AS_OFTEN = re.compile(r"\A(?=<(?:options?|flags?)>\s?\.\.\.)(?:<[\w-]{1,40}>\s?\.\.\.\s*)+\Z")
# `hash|hashfile|capturefile`: one thing or the other, and one of them is a file.
_EITHER = re.compile(r"(?<!\S)[a-z][a-z-]*(?:\|[a-z][a-z-]*)*\|[a-z-]*(?:file|path|dir)(?!\S)")
# `Pot|Plate`: one thing or the other, each with its capital.
_EITHER_CAPITAL = re.compile(r"(?<!\S)[A-Z]+[a-z]\w*(?:\|[A-Z]\w*)+(?=\s|\Z)")
# `{GLAZE,SHAPE}=<value>`: one word, with its key before the sign.
_KEYED = re.compile(r"(?<!\S)\{[A-Za-z]\w*(?:[,|][A-Za-z]\w*)+\}=(<[^<>\s]{1,40}>|\w+)(?=\s|\Z)")
# `{pot ...}`: in braces, what repeats may be missing, as grammars have it.
_ANY_IN_BRACES = re.compile(r"(?<!\S)\{\s?(<?[A-Za-z][\w-]{1,40}>?)\s?\.\.\.\s?\}(?=\s|\Z)")
# `pot...| plate...`: as many as are wanted, of the one or the other.
_EITHER_SEVERAL = re.compile(
    r"(?<!\S)[A-Za-z-]{2,20}\.\.\.(?:\s?\|\s?[A-Za-z-]{2,20}\.\.\.)+(?=\s|\Z)"
)
# `kiln [OPTION...] NAME - Fire one pot`: what it is for, behind the operands.
_TOLD_BEHIND = re.compile(
    r"(?:\A|\s)-\s+(?=[A-Z]?[a-z]|.* [a-z])[A-Za-z]+(?: \(?[A-Za-z][\w,.'()/-]*)+\Z"
)
# `<pot> (where pot is a file (e.g. pot.clay))`: a sentence about the operands, up to the end.
_REMARK_BEHIND = re.compile(r"(?<=\S)\s+\((?:where|which|if|e\.g\.|i\.e\.)\s[^\[\]|<>]*\)\Z")
# `[ -<flag> [<val>] | --<name>[{=| }<val>] ]...`: any option at all.
_ANY_OPTION = re.compile(r"\[ ?-<\w+> \[<\w+>\] \| --<\w+>\[\{=\| \}<\w+>\] ?\](?:\.\.\.)?")
# `[> OUTPUT]`: what a shell does, if it is wanted.
_REDIRECTED = re.compile(r"\[\s*(?:<|>>?)\s*[\w.-]{1,40}\s*(?:\[\s*>>?\s*[\w.-]{1,40}\s*\]\s*)?\]")
# `[FILE*]`, `POT+`: as in a regular expression.
_STARRED = re.compile(r"(?<![\w*+.-])([A-Za-z][\w-]{1,40})\+(?=[\s\])]|$)")
_ANY_NUMBER = re.compile(r"(?<![\w*+.<-])(<[^<>]{1,40}>|[A-Za-z][\w-]{1,40})\*(?=[\s\])]|$)")
# `[POT1] [POT2] ...`: one name, as often as it is wanted, or not at all.
_NUMBERED_IN_BRACKETS = re.compile(
    r"\[<?([A-Za-z_-]{2,40}?)[-_]?1?>?\](?:\s*\[<?\1[-_]?[2-9]>?\]){1,8}\s*(?:\[\s?\.\.\.?\s?\]|\.\.\.?)"
)
# `MODE[,MODE]...`: one word, whatever is listed in it.
_COMMA_LIST = re.compile(
    r"(?<![\w<,-])(<[^<>,]{1,40}>|[A-Za-z][\w]{0,40})\[,(?!\s)<?[\w-]*>?(?:\.\.\.)?\](?:\s?\.\.\.|\*)?"
)
# `-{x|y|z}`: as many options.
_EITHER_OF_LETTERS = re.compile(
    r"(?<=[\s\[])-[{\[]([A-Za-z0-9](?:[|,][A-Za-z0-9])+)[}\]](?=[\s\]])"
)
# `<in >out`, `in >out`: what a shell does, without a blank.
_REDIRECTED_AT_END = re.compile(r"(?:(?:\A|\s)<\s?[\w.-]{1,40})?\s>>?\s?[\w.-]{1,40}\Z")
# `input.[jpg|png]`: a file of one of these kinds.
_EXTENSIONS = re.compile(
    r"(?<![\w<-])([A-Za-z][\w-]{0,40})\.[\[{(]\w{1,10}(?:\s?[|,]\s?\w{1,10}){1,20}[\]})](?=\s|\]|$)"
)
# `*.pot`: as many as a shell finds.
_GLOB = re.compile(r"(?<!\S)\*\.([a-z]\w{0,10})(?=\s|\]|$)")
# `FILES and/or DIRECTORIES...`: each of them may be either.
_AND_OR = re.compile(r"(?<!\S)([A-Z]{3,20}) (?:and/or|and|or|OR) ([A-Z]{3,20})(?=[\s.\]]|$)")
# `[pot shape file or glaze root directory]`: phrases on both sides of the word between them.
_EITHER_PHRASE = re.compile(
    r"\[\s?([a-z]{2,20}(?: (?!or\b)[a-z]{2,20}){1,4} or [a-z]{2,20}(?: [a-z]{2,20}){0,4})\s?\]"
)
# `[Clay Shape Name]`: a phrase, with a capital for each of its words.
_CAPITAL_PHRASE = re.compile(r"\[([A-Z][a-z]+(?: [A-Z][a-z]+){1,4})\]")
# `pot1[ pot2]`: the blank stands inside the bracket, and is one all the same.
_BLANK_INSIDE = re.compile(r"(?<=\w)\[ (?=\w)")
# `<pot (default: cup)>`: a remark within the brackets says that it may be left out.
_DEFAULT_WITHIN = re.compile(r"<([\w-]+) \((?:default|optional)[^<>()]{0,40}\)>", re.I)
# `[OPTION1] [OPTION2]...`: options, counted as operands are.
_COUNTED_OPTIONS = re.compile(r"\[(?:OPTION|option|FLAG|flag)s?\d\](?:\s?\.\.\.)?")
# `[flags and input files in any order]`
_OPTIONS_AND = re.compile(
    r"\[(?:options|flags|switches) and ((?:[a-z]{2,20} ){0,2}[a-z]{2,20})(?: in any order)?\]"
)
# `[options except -e]`, `[options go here]`: options, and a remark about them.
_OPTIONS_TOLD = re.compile(
    r"\[\s?((?:[a-z]+ )?(?:options|flags|switches)) (?:except|other|but|go|goes|from|as|here|below"
    r"|listed|see|described|may|are|for|if|which)\b[^\[\]|<>]{0,60}\]",
    re.I,
)
# `[clay or glaze style options]`: whatever kind of them.
_KINDS_OF_OPTIONS = re.compile(
    r"\[\s?(?:[A-Za-z]+ ){1,5}(?:or|and) (?:[A-Za-z]+ ){1,4}options\s?\]", re.I
)
# `-p <number>|<pattern>`: what an option takes is the one or the other.
_EITHER_VALUE = re.compile(
    r"(?<![\w-])(--?[A-Za-z][\w-]*[ =])<([\w-]+)>((?:\|<[\w-]+>)+)(?=[\s\]])"
)
# `<POT 1> [<POT 2> ...]`: a number behind a blank.
_NUMBER_APART = re.compile(r"<([A-Za-z]+) ([1-9nN])>")
# `[pot?]`, `<pot?>`: a sign that says once more that it may be left out.
_WITH_QUESTION = re.compile(r"[\[<]([A-Za-z][\w-]*)\?[\]>]")
# `[pot | +lid]`: a sign that belongs to what is given.
_PLUS = re.compile(r"\[([a-z][\w-]*) \| \+([a-z][\w-]*)\]")
# `at /usr/bin/kiln line 12.`: where a program of Perl gave up, behind its usage.
_GAVE_UP = re.compile(r"\s+at \S+ line \d+\.?\Z")
# `GLAZE [GLAZE-OPTION...]`: words that are passed on to what the operand before them names.
_OF_ANOTHER = re.compile(
    r"(?<!\S)(?!COMMAND|CMD)([A-Z]{3,20}) \[\1[-_](?:OPTION|ARG|FLAG)S?(?:\s?\.\.\.)?\]"
)
# `pot[.clay]`: an ending that may be left out.
_ENDING = re.compile(r"(?<=[a-z])\[\.[a-z]\w{0,5}\]")
# `'prog'`: what has to stand in quotes is given as one word.
_QUOTED = re.compile(r"(?<=[\s(|\[])'([a-z][a-z -]{1,30})'(?=[\s)|\]]|\Z)")
# `[POT] [PLATE] Fires pots`: what it is for, without a mark before it.
_SENTENCE_BEHIND = re.compile(
    r"(?<=[\]>]) [A-Z][a-z][A-Za-z]*(?:(?: [a-z]+)+|(?: [A-Za-z][a-z]+){2,})\.?\Z"
)
# `shelf | device`, last of all: one thing or the other.
_EITHER_LAST = re.compile(r"(?:(?<=\A)|(?<=[\]>] ))([a-z][a-z-]*) \| ([a-z][a-z-]*)\Z")
# `[--] command [args]`: what stands behind the dashes is an operand, whatever it is called.
_BEHIND_DASHES = re.compile(r"(?<!\S)\[--\] ([a-z][\w-]*)(?=\s|\Z)")
# `[GLAZE=]POT`: one word, of which the beginning may be left out.
_KEY_LEFT_OUT = re.compile(r"(?<![\w\]>-])\[([A-Z][A-Z_]*)=\](?=[A-Z])")
_URL = re.compile(r"(?<!\S)https?(?:\[s\])?://[\w./:-]{1,80}")
# `kiln POT PLATE   # fires both`, `kiln POT or`: what stands behind a way to call.
_BEHIND = re.compile(r"\s+#\s.*\Z|\s+(?:or|OR)\Z")
# `start|stop|status`: bare bars, first of all or behind `[options]`; two may be one and its alias.
_BARE_CHOICE = re.compile(
    r"\A((?:\[[A-Za-z-]{1,20}\]\s+)?)([a-z][\w-]{0,30}(?:\|[a-z][\w-]{0,30}){2,30})(?=\s|\Z)"
)
_FULL_STOP = re.compile(r"(?<=[\])>])\.\Z")
# `[-mode a|b|...]`: without blanks between them they are what the option takes.
_CHOICES = re.compile(
    r"(?<![\w-])(--?[A-Za-z][\w-]*[ =])"
    r"([\w`@][^\s\[\](){}<>|]*(?:\|[^\s\[\](){}<>|-][^\s\[\](){}<>|]*)+)"
)
_PASSED_ON = re.compile(r"\[\s*--\s+")
_ARGS = re.compile(r"(?:\b|_)(?:args?\d?|arguments?)\b", re.I)


def plain(text: str) -> str:
    """A usage behind its program, in brackets, bars and dots alone."""
    if _OPTION_LAST.search(text):
        text = _UNNAMED.sub(" [<words>...]", text)
    if _AS_OFTEN.match(text):
        text = re.sub(r"<([\w-]+)>\s?\.\.\.", r"[<\1>...]", text)
    text = _NAME_OR_OPTION.sub(_name_or_option, _QUESTIONED.sub(r"[\1]", text))
    text = _BARE_CHOICE.sub(_one_of, _unadorned(_BEHIND.sub("", text)))
    text = _CHOICES.sub(_choices, _FULL_STOP.sub("", text))
    text = _ANY_OPTION.sub("[options]", _TOLD_BEHIND.sub("", _without_passed_on(text)))
    text = _FIRST_TO_LAST.sub(lambda match: f"{match['name'].strip('_-').upper()}...", text)
    text = _TO_THE_NTH.sub(_as_many, _COMMA_LIST.sub(r"\1", text))
    text = _NUMBERED_IN_BRACKETS.sub(r"[<\1>...]", _ANY_IN_BRACES.sub(r"[\1...]", text))
    text = _FIRST_TO_NUMBER.sub(lambda match: f"{match[1].upper()}...", text)
    text = _NUMBERED.sub(_numbered, text)
    text = _EITHER_LETTER.sub(_any_letter, _DOTS_FIRST.sub(r"[\1...]", text))
    text = _EITHER_GROUP.sub(r"(\1|\2)", text)
    text = _EITHER_OF_LETTERS.sub(_each_letter, _RANGE.sub(_each_digit, text))
    text = _PAIR.sub(r"<\g<name>1> <\g<name>2>", text)
    text = _LETTERS.sub("OPERATION", text)
    text = _EITHER_SEVERAL.sub(_either_several, _KEYED.sub("<key=value>", text))
    text = _EITHER_CAPITAL.sub(lambda match: f"<{match[0].replace('|', ' or ')}>", text)
    text = _EITHER.sub(lambda match: f"<{match[0].replace('|', ' or ')}>", text)
    text = _ABBREVIATED.sub(r"\1\2", _ANGLED_OPTION.sub(_unangled, text))
    return (
        _ARGUMENTS_FIRST.sub("[options] ", text, count=1) if _ARGUMENTS_FIRST.match(text) else text
    )


def without_listed(text: str, lists: Collection[str]) -> str:
    """A usage with one word behind an option that takes several: `--pots cup plate`."""
    for flag in lists:
        first = rf"(?<!\S)({re.escape(flag)} [a-z][\w.-]*)"
        text = re.sub(rf"{first}(?: [a-z][\w.-]*)+(?=\s|\Z)", r"\1", text)
    return text


def _unadorned(text: str) -> str:
    """Files, addresses and options by their plain names."""
    text = _REDIRECTED_AT_END.sub(" > stream", text)
    text = _COUNTED_OPTIONS.sub("", _REDIRECTED.sub("", _REMARK_BEHIND.sub("", text)))
    text = _DASHED_OPTIONS.sub("[options]", _SHORTENED.sub(r"\1\2", text))
    text = _IN_QUOTES.sub(lambda match: f'<"{match["angled"] or match["bare"]}">', text)
    text = _KINDS_OF_OPTIONS.sub("[options]", _BLANK_INSIDE.sub(" [", text))
    text = _DEFAULT_WITHIN.sub(r"[<\1>]", _CAPITAL_PHRASE.sub(r"[<\1>]", text))
    text = _OPTIONS_TOLD.sub(r"[options]", _OPTIONS_AND.sub(r"[options] [<\1>...]", text))
    text = _PLUS.sub(r"[<\1 or \2>]", text)
    text = _EITHER_LAST.sub(_one_or_the_other, text)
    text = _WITH_QUESTION.sub(r"[<\1>]", _NUMBER_APART.sub(r"<\1\2>", text))
    text = _OF_ANOTHER.sub(r"\1 [\1_WORD...]", _GAVE_UP.sub("", text))
    text = _ENDING.sub("", _SENTENCE_BEHIND.sub("", _QUOTED.sub(r"<\1>", text)))
    text = _BEHIND_DASHES.sub(r"[--] <\1>", text)
    text = _KEY_LEFT_OUT.sub(r"\1=", text)
    text = _EITHER_VALUE.sub(_either_value, text)
    text = _URL.sub("<url>", _GLOB.sub(r"<\1...>", _EXTENSIONS.sub(r"<\1>", text)))
    text = _EITHER_PHRASE.sub(r"[<\1>]", _AND_OR.sub(r"<\1 or \2>", text))
    return _STARRED.sub(r"\1...", _ANY_NUMBER.sub(r"[\1...]", text))


def _either_value(match: re.Match[str]) -> str:
    """`-p <number>|<pattern>` as `-p <number_or_pattern>`."""
    names = [match[2], *re.findall(r"[\w-]+", match[3])]
    return f"{match[1]}<{'_or_'.join(names)}>"


def _either_several(match: re.Match[str]) -> str:
    """`pot...| plate...` as `<pot or plate>...`."""
    names = re.findall(r"[A-Za-z-]+", match[0])
    return f"<{' or '.join(names)}>..."


def _as_many(match: re.Match[str]) -> str:
    """The name with dots behind it; in brackets, if the first was."""
    name = f"{match['name'].strip('_-').upper()}..."
    return f"[{name}]" if match["may"] else name


def _name_or_option(match: re.Match[str]) -> str:
    """`<POT|--all>` as `(<POT>|--all)`; `<cup|pot>` is left as it is."""
    parts = re.split(r"\|(?![^<]*>)", match[1])
    flags = [part.startswith("-") for part in parts]
    if not any(flags) or all(flags):
        return match[0]
    each = (part if flag else f"<{part}>" for part, flag in zip(parts, flags, strict=True))
    return f"({'|'.join(each)})"


def _one_of(match: re.Match[str]) -> str:
    """`start|stop|status` in braces; `file|device|name` as one operand of either kind."""
    words = match[2].split("|")
    stands_for = any(names_operand(word, inside=True, alone=True, dots=False) for word in words)
    return f"{match[1]}<{' or '.join(words)}>" if stands_for else f"{match[1]}{{{match[2]}}}"


def _choices(match: re.Match[str]) -> str:
    """`-mode a|b` with what the option takes in one; `-s text|file...` has files in its place."""
    last = match[2].rpartition("|")[2]
    several = last.endswith("...") and names_thing(last.rstrip("."))
    return match[0] if several else f"{match[1]}<{match[2]}>"


def _without_passed_on(text: str) -> str:
    """A usage without `[-- ARGS...]`: words for another program, which none of its own are."""
    opened = _PASSED_ON.search(text)
    if opened is None:
        return text
    depth = 0
    for at in range(opened.start(), len(text)):
        depth += (text[at] == "[") - (text[at] == "]")
        if depth == 0:
            inside = text[opened.end() : at]
            # Behind `FILE...`, nothing but the dashes tells where the others begin.
            apart = _ARGS.search(inside) or text[: opened.start()].rstrip().endswith(("...", "…"))
            return f"{text[: opened.start()]}{text[at + 1 :]}" if apart else text
    return text


def _each_digit(match: re.Match[str]) -> str:
    """`-[0-2]` as `(-0|-1|-2)`."""
    digits = range(int(match[1]), int(match[2]) + 1)
    return f"({'|'.join(f'-{digit}' for digit in digits)})"


def _numbered(match: re.Match[str]) -> str:
    """The name with dots, and the bracket that was opened before it."""
    closed = "]" * (match[0].count("]") - match[0].count("["))
    return f"{match['name'].strip('_-').upper()}...{closed}"


def _one_or_the_other(match: re.Match[str]) -> str:
    """`shelf | device` as one operand; `start | stop` as it is."""
    things = any(map(names_thing, match.groups()))
    return f"<{match[1]} or {match[2]}>" if things else match[0]


def _any_letter(match: re.Match[str]) -> str:
    """`-[eE]` as `-e|-E`."""
    return "|".join(f"-{letter}" for letter in match[1])


def _each_letter(match: re.Match[str]) -> str:
    """`-{x|y}` as `(-x|-y)`."""
    return f"({'|'.join(f'-{letter}' for letter in re.split('[|,]', match[1]))})"


def _unangled(match: re.Match[str]) -> str:
    """`<-q>` as `[-q]`; `<--all|--name <NAME>>` as a choice of which one has to be there."""
    return f"({match[1]})" if "|" in match[1] else f"[{match[1]}]"
