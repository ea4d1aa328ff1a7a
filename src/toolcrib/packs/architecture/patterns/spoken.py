"""The languages a document is about: what it says in its front matter, its title and its sentences.

A language counts only where it stands for the code that is asked for: before the noun of which a
sentence demands something ("a TypeScript store must …"), behind it ("handlers in Go must …"), or as
what something is written in. One that is merely mentioned ("TypeScript clients use it") does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from toolcrib.files.markdown.fences import fenced_blocks
from toolcrib.packs.architecture.patterns.languages import (
    DATA,
    all_names,
    find_language,
    language_of_path,
)
from toolcrib.packs.architecture.patterns.rules import is_for_machines
from toolcrib.packs.architecture.patterns.statements import statements

if TYPE_CHECKING:
    from toolcrib.files.markdown.document import Document

# Languages that nothing here can read. What is said of them is said of no other.
_UNREAD = frozenset(
    {"perl", "julia", "clojure", "erlang", "f#", "groovy", "powershell", "ocaml", "fortran"}
    | {"cobol", "r", "objective-c"}
)
# Words of English, or single letters: a language only with a capital letter.
_ENGLISH = frozenset({"go", "rust", "c", "swift", "dart", "r", "julia"})
# Short for a language where they are written in capitals.
_SHORT = frozenset({"js", "ts"})
# Other names that are something else in a sentence: a node of a tree, a shell around a thing.
_NO_WORD = frozenset({"node", "shell", "py", "ex", "cs", "hs", "tf", "sol", "md", "cc"})

_NAMES = sorted({*all_names(), *_UNREAD, "node.js"} - _NO_WORD, key=len, reverse=True)
_NAME = rf"(?P<language>\b(?:{'|'.join(map(re.escape, _NAMES))}))"
_LANGUAGE = rf"{_NAME}(?:-(?:based|only))?(?![\w+#-])"
_ARTICLE = r"(?:an?|the|every|each|all|any|our|your|no|new|one)"
_DUTY = (
    r"(?:must|shall|should|may|can(?:not)?|can['’]t|ought|has to|have to|needs? to|always|never"
    r"|do(?:es)? not|don['’]t|doesn['’]t|(?:is|are) (?:required|not allowed|forbidden)|avoids?)\b"
)
_CODE_NOUN = (
    r"(?:store|module|class|function|method|code|service|file|handler|package|program|script"
    r"|repositor(?:y|ie)|client|server|type|struct|interface|librar(?:y|ie)|component|controller"
    r"|worker|app|application|project|test|command|tool|job|crate|adapter|gateway|model|plugin)"
    r"(?:s|es)?"
)
# "A small TypeScript store must", "Go handlers must", "Stores in Go must", "In Go, a store must".
_SUBJECTS = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        rf"(?P<before>(?:{_ARTICLE} )?(?:[\w-]+ ){{0,2}}?){_LANGUAGE} (?P<noun>[\w`-]+)"
        rf"(?: [\w`-]+){{0,4}}? (?={_DUTY})(?P<duty>[^.]{{0,40}})",
        rf"(?P<before>)(?:{_ARTICLE} )?(?:[\w-]+ ){{1,4}}?in {_LANGUAGE} (?={_DUTY})",
        rf"(?P<before>)(?:in|for) {_LANGUAGE}(?: (?:code|services|projects|modules))?,",
    )
)
_WRITE_IN = re.compile(rf"(?:write|implement|code|program)\b[^.]{{1,60}} in {_LANGUAGE}", re.I)
# "Handlers are written in Go", but not "must never be written in Go", nor "clients written in Go".
_WRITTEN_IN = re.compile(
    rf"(?P<before>[^.\n]{{0,80}})\b(?:written|implemented|coded|programmed) in {_LANGUAGE}",
    re.I,
)
_DENIED = re.compile(r"\b(?:not|never|no)\b|n['’]t\b", re.I)
_OTHERS = re.compile(r"\b(?:by|from|with|to|for)\b(?!.*\b(?:is|are|be|was|were)\b)[^,]*$", re.I)
# "Go handlers", "Handlers in Go", "Repository (TypeScript)", "TypeScript: repositories".
_TITLES = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        rf"(?P<before>){_LANGUAGE}(?: (?P<noun>[\w-]+)){{1,4}}$",
        rf"(?P<before>){_LANGUAGE}(?:$|:)",
        rf"(?P<before>)(?:[\w-]+ ){{1,5}}in {_LANGUAGE}$",
        rf"(?P<before>)[^()]+\({_LANGUAGE}\)$",
    )
)
# "This pattern is for Go", "Applies to: Go", "All our services are Go", "A store is a Go class".
_LISTED = r"(?=\s*(?:[.,;:/&]|and\b|or\b|only\b|$))"
_ABOUT = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        r"(?:this|these|the) (?:pattern|document|page|guide|rule|convention|standard)s?"
        rf" (?:is|are|applies|apply|holds?|counts?)(?: only| meant)* (?:for|to|in) {_LANGUAGE}",
        rf"(?:applies to|applicable to|languages?|scope|stack)\s*:?\s*{_LANGUAGE}"
        rf"(?: {_CODE_NOUN})?{_LISTED}",
        rf"(?:only )?for {_LANGUAGE}(?: {_CODE_NOUN})?\W?$",
        r"(?:all|every|each|our|these|an?)(?: [\w-]+){1,4}? (?:is|are)(?: (?:an?|all|always))?"
        rf" {_LANGUAGE}(?: {_CODE_NOUN})?{_LISTED}",
    )
)
_ALSO = re.compile(rf"(?:\s*(?:,|/|&|\band\b|\bor\b))+\s*{_LANGUAGE}", re.I)
# "## TypeScript", "## For Go services": what is demanded below it is demanded of that.
_HEADING = re.compile(
    rf"(?:[\d.]+ )?(?:(?:in|for) )?{_LANGUAGE}(?: (?:rules|conventions|{_CODE_NOUN}))?{_LISTED}",
    re.I,
)
_FILE = re.compile(rf"{_NAME}(?:[-_](?:[^\W_]+[-_])?{_CODE_NOUN})?$", re.I)
_ENDING = re.compile(r"`([^`\n]*[*/][^`\n]*\.\w+|\.\w+)`")
# "A store that Java services call must …" is a store in whatever language.
_CLAUSE = re.compile(r"\b(?:that|which|whose|for|of|by|with|to|from|in|and|or|via|behind)$")
_MARKS = re.compile(r"[*_]{1,2}(?=\w)|(?<=[\w:])[*_]{1,2}")
_KEY = re.compile(r"(?:programming[ _-])?languages?", re.I)
_TAGS = re.compile(r"tags?|keywords|topics|labels|stack|applies[ _-]to", re.I)


def languages_meant(document: Document) -> frozenset[str]:
    """The languages that the document as a whole says it is for; empty where it says none."""
    said = {*_in_front_matter(document.front_matter), *_in_title(document.title)}
    said |= _in_name(PurePosixPath(document.path).stem)
    for statement in statements(document.body, document.body_line):
        said |= _in_a_remark(statement.text)
        if asked := _WRITE_IN.match(statement.text):
            said |= _known(asked["language"])
        for written in _WRITTEN_IN.finditer(statement.text):
            before = written["before"]
            if not _DENIED.search(before) and not _OTHERS.search(before):
                said |= _known(written["language"])
    return frozenset(said)


def languages_shown(document: Document) -> frozenset[str]:
    """The languages in which the document shows code; its rules for machines are none of it."""
    blocks = fenced_blocks(document.body, document.body_line)
    names = [block.language for block in blocks if block.language and not is_for_machines(block)]
    return frozenset(each for name in names for each in _known(name))


def languages_of_sentence(text: str) -> frozenset[str]:
    """The language of the code of which a sentence demands something, where it says so."""
    plain = _MARKS.sub("", text)
    for subject in _SUBJECTS:
        if (found := subject.match(plain)) and _stands_as_language(found):
            return _known(found["language"])
    named = (language_of_path(each) for each in _ENDING.findall(text))
    return frozenset(each.name for each in named if each) - DATA


def languages_of_headings(headings: Sequence[str]) -> frozenset[str]:
    """The language of which the innermost section speaks that says so in its heading."""
    for heading in reversed(headings):
        found = _HEADING.match(_MARKS.sub("", heading))
        if found and _stands_as_language(found):
            return _with_others(found) - DATA
    return frozenset()


def _in_front_matter(front_matter: Mapping[str, object]) -> Iterable[str]:
    for key, value in front_matter.items():
        is_tag = _TAGS.fullmatch(str(key))
        if is_tag or _KEY.fullmatch(str(key)):
            values = value if isinstance(value, list) else str(value).split(",")
            for each in values:
                yield from _known(str(each)) - (DATA if is_tag else frozenset())


def _in_name(stem: str) -> frozenset[str]:
    """The language of a file's name: `typescript-store`."""
    found = _FILE.match(stem)
    if found is None or found["language"].casefold() in _ENGLISH | _SHORT:
        return frozenset()
    return _known(found["language"]) - DATA


def _in_a_remark(text: str) -> frozenset[str]:
    """The languages of a sentence that says for what the whole is."""
    plain = _MARKS.sub("", text)
    for about in _ABOUT:
        if (found := about.match(plain)) and _stands_as_language(found):
            return _with_others(found) - DATA
    return frozenset()


def _with_others(found: re.Match[str]) -> frozenset[str]:
    """The language that was found, and those that are listed with it."""
    said, at = set(_known(found["language"])), found.end()
    while also := _ALSO.match(found.string, at):
        said |= _known(also["language"])
        at = also.end()
    return frozenset(said)


def _in_title(title: str) -> frozenset[str]:
    for pattern in _TITLES:
        if (found := pattern.match(title)) and _stands_as_language(found):
            return _known(found["language"])
    return frozenset()


def _known(name: str) -> frozenset[str]:
    """The language that is called `name`, whether it can be read here or not."""
    folded = name.strip().casefold().replace(".", "")
    language = find_language(folded)
    if language is not None:
        return frozenset({language.name})
    return frozenset({folded} & _UNREAD)


def _stands_as_language(found: re.Match[str]) -> bool:
    """Whether the word is a language there, and not a word of English or a kind of data."""
    word, parts = found["language"], found.groupdict()
    folded, noun = word.casefold(), parts.get("noun")
    before = (parts.get("before") or "").strip().casefold()
    if _CLAUSE.search(before):
        return False
    if _known(word) <= DATA:
        # "YAML files must be loaded with …" speaks of the code that loads them.
        return not re.search(r"\bbe\b", parts.get("duty") or "")
    if folded in _SHORT:
        return word.isupper()
    if folded not in _ENGLISH:
        return True
    # "Swift answers must …": only a noun of code tells that a language is meant.
    alone = not before or bool(re.fullmatch(_ARTICLE, before))
    is_code = noun is None or bool(re.fullmatch(_CODE_NOUN, noun, re.I))
    return word[0].isupper() and alone and (is_code or bool(before))
