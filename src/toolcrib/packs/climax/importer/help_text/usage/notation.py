"""The many notations of usage lines, rewritten in the one that `synopsis` reads.

People write `file1 file2 ...`, `[...file]`, `<-q>` or `c(reate)`. Each rule here says what such
a text means in brackets, bars and dots.
"""

from __future__ import annotations

import re

# `file1 file2 ...`, `file1 [ file2 ] [ ... ]`: one name, as often as it is wanted.
_NUMBERED = re.compile(
    r"(?P<name>[A-Za-z_-]{2,40}?)1?(?P<end>\.\w+)?"
    r"(?:,?\s*(?:\[\s*)?(?P=name)[0-9](?:\.\w+)?(?:\s*\])?){1,20}"
    r",?\s*(?:\[\s*(?:(?P=name))?\s*\.\.\.?\s*\]|\.\.\.?)\]{0,3}(?:\s*(?P=name)[nN]\b(?:\.\w+)?\]?)?",
    re.I,
)
# `root1 root2`: no two commands are called so.
_PAIR = re.compile(r"(?<![\w<-])(?P<name>[a-z]{2,20})1 (?P=name)2(?![\w>])")
# `resource [...resource]`: dots before what they repeat.
_DOTS_FIRST = re.compile(r"\[\.\.\.\s?(<?[\w-]{1,40}>?)\]")
# `-[eE] NAME`: two options that take the same.
_EITHER_LETTER = re.compile(r"(?<=[\s\[])-\[([A-Za-z])([A-Za-z])\](?=[\s\]])")
# `-[0-8] PATTERN`: as many options, which take the same.
_RANGE = re.compile(r"(?<=[\s\[])-\[([0-9])-([0-9])\](?=[\s\]])")
# `(-f LIST)|(POT)`: one of them.
_EITHER_GROUP = re.compile(r"(?<=[\s\[])\(([^()|]{1,80})\)\|\(([^()|]{1,80})\)(?!\|)")
# `<source0> [... <sourceN>]`, `<pot-1>..<pot-n>`, `POT1 ... POTn`: from the first to the last.
_FIRST_TO_LAST = re.compile(
    r"(?<![\w<-])<?(?P<name>[A-Za-z][A-Za-z_]{1,20}(?:-[A-Za-z_]{1,20}){0,4}?)[-_]?[01]>?"
    r",?\s*(?P<may>\[)?\s*(?:\.\.\.?|…),?\s*<?(?P=name)[-_]?[nNkKmM]>?(?![\w>-])(?(may)\s*\])"
)
# `<-q>`: an option is never a name, so the brackets can only mean that it may be left out.
_ANGLED_OPTION = re.compile(r"<(-(?:[^<>]|<[^<>]{1,60}>){1,300})>")
# `c(reate)`: a command with its short form.
_ABBREVIATED = re.compile(r"(?<![^\s|({[])([a-z]{1,3})\(([a-z]{2,20})\)(?=[\s|)}\]]|$)")
# `[-]{dmpq}[abc]`: one word that is made of letters.
_LETTERS = re.compile(
    r"(?:\[-\])?\{(?!(?i:options?|flags?|args|arguments)\})[A-Za-z]{3,40}\}(?:\[[A-Za-z]{1,60}\])*(?=\s|$)"
)
# `[arg] [input] [output]`: what stands before the operands is options.
_ARGUMENTS_FIRST = re.compile(r"\[\s*(?:args?|arguments)\s*\](?:\s*\.\.\.)?\s+(?=[\[<A-Za-z])")
# `hash|hashfile|capturefile`: one thing or the other, and one of them is a file.
_EITHER = re.compile(r"(?<!\S)[a-z][a-z-]*(?:\|[a-z][a-z-]*)*\|[a-z-]*(?:file|path|dir)(?!\S)")
# `kiln [OPTION...] NAME - Fire one pot`: what it is for, behind the operands.
_TOLD_BEHIND = re.compile(r"(?:\A|\s)-\s+(?:[A-Z][a-z]+|[a-z]+)(?: \(?[A-Za-z][\w,.'()/-]*)+\Z")
# `[ -<flag> [<val>] | --<name>[{=| }<val>] ]...`: any option at all.
_ANY_OPTION = re.compile(r"\[ ?-<\w+> \[<\w+>\] \| --<\w+>\[\{=\| \}<\w+>\] ?\](?:\.\.\.)?")
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
    text = _CHOICES.sub(r"\1<\2>", _FULL_STOP.sub("", text))
    text = _ANY_OPTION.sub("[options]", _TOLD_BEHIND.sub("", _without_passed_on(text)))
    text = _FIRST_TO_LAST.sub(lambda match: f"{match['name'].upper()}...", text)
    text = _NUMBERED.sub(lambda match: f"{match['name'].upper()}...", text)
    text = _EITHER_LETTER.sub(r"-\1|-\2", _DOTS_FIRST.sub(r"[\1...]", text))
    text = _EITHER_GROUP.sub(r"(\1|\2)", text)
    text = _RANGE.sub(_each_digit, text)
    text = _PAIR.sub(r"<\g<name>1> <\g<name>2>", text)
    text = _LETTERS.sub("OPERATION", text)
    text = _EITHER.sub(lambda match: f"<{match[0].replace('|', ' or ')}>", text)
    text = _ABBREVIATED.sub(r"\1\2", _ANGLED_OPTION.sub(_unangled, text))
    return _ARGUMENTS_FIRST.sub("", text, count=1) if _ARGUMENTS_FIRST.match(text) else text


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


def _unangled(match: re.Match[str]) -> str:
    """`<-q>` as `[-q]`; `<--all|--name <NAME>>` as a choice of which one has to be there."""
    return f"({match[1]})" if "|" in match[1] else f"[{match[1]}]"
