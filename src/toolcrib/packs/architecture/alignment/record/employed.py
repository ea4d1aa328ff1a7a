"""What a record puts to work without a word of choice, and what it says its choices are for.

"We preserve the files in X" chooses X as "we use X" does; "X as our CI platform" chose a thing of
that kind, also where nobody has heard of X.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from toolcrib.packs.architecture.alignment.record.stances import Stance
from toolcrib.packs.architecture.alignment.things.languages import is_setting
from toolcrib.packs.architecture.alignment.things.roles import kinds_named
from toolcrib.packs.architecture.alignment.things.technologies import (
    family,
    often_several,
    spellings,
    technologies_in,
)
from toolcrib.packs.architecture.alignment.things.uses import also
from toolcrib.packs.architecture.alignment.wording.clauses import read_clauses
from toolcrib.packs.architecture.alignment.wording.stating import (
    complains,
    tells_the_present,
    weighs,
)
from toolcrib.packs.architecture.alignment.wording.verbs.employing import employs
from toolcrib.packs.architecture.alignment.wording.words import phrase

# Behind these a sentence says what a thing is for.
_FOR = re.compile(r"\b(?:as|for|to)\s+(?P<what>[^.;:]{2,160})", re.I)
_IS = re.compile(
    r"^\W*(?:the|our) (?:[\w-]+ ){1,3}(?:is|will be|stays|remains) (?:an? |the |in |written in )?"
    r"(?P<thing>\S+)(?=\W*$| (?:app|application|service|server|site|library|component)\b)",
    re.I,
)
# What a project makes itself it buys from nobody: "store the activity in-app".
_OWN = re.compile(
    r"\b(?:in-house|in-app|in (?:(?:the|our) )?(?:own )?app(?:lication)?|home-?grown|home-?made"
    r"|hand-?rolled|hand-?written|hand-?coded|self-(?:made|written)|bespoke|custom|our own"
    r"|(?:build|built|write|written|make|made|implement|implemented|do|done) "
    r"(?:it |this |them |that )?ourselves)\b",
    re.I,
)
_BY = re.compile(r"\b(?:using|via|through|by means of)\s+(?P<thing>.{2,60})$", re.I)
_FIRST_SAID = 2
_FEW = 3
_ONE_OF = re.compile(r"^\W*(?:an?|the|this|that|these|our)\s", re.I)


def put_to_work(sentences: Iterable[str], title: str, known: frozenset[str]) -> list[Stance]:
    """The technologies that sentences put to work, each once, but for those known already."""
    titled = frozenset(technologies_in(title))
    found: dict[str, Stance] = {}
    for sentence in sentences:
        if not technologies_in(sentence) or _says_nothing(sentence):
            continue
        for name, stance in _employed(sentence, titled):
            if name not in known:
                found.setdefault(name, stance)
    return list(found.values())


def _employed(sentence: str, titled: frozenset[str]) -> Iterator[tuple[str, Stance]]:
    """Each technology that a sentence puts to work, or that it and the title speak of."""
    for clause in read_clauses(sentence):
        named = technologies_in(clause.text) if clause.wanted else {}
        for name, kind in named.items():
            if is_setting(name, clause.text):
                continue
            words = spellings(name, clause.text)
            about = name in titled and not often_several(kind)  # "a tool for X code"
            if about or employs(clause.text, words) or _is_told_to_be(clause.text, words):
                stance = Stance(
                    "used", True, phrase(" ".join(sorted(words))), clause.purpose, sentence,
                    clause.words, text=name.replace("-", " "), things=frozenset((name,)),
                )  # fmt: skip
                yield name, stance


def _is_told_to_be(text: str, words: Collection[str]) -> bool:
    """Whether a clause says what a part of the system is: "the frontend is X"."""
    found = _IS.match(text)
    return found is not None and found["thing"].strip(".`*[]").casefold() in words


def roles_of(stances: Iterable[Stance], title: str, decided: Sequence[str]) -> dict[str, Stance]:
    """The kinds of which a thing was chosen, by what the record says the thing is for.

    Of a known thing only kinds of which it may be: "X for CI" makes no CI of a language. What is
    chosen from options, or made by the project itself, takes the place of all that the title
    speaks of.
    """
    found: dict[str, Stance] = {}
    wanted = [each for each in stances if each.wanted]
    for stance in wanted:
        own = technologies_in(stance.text)
        home_made = _OWN.search(stance.text) is not None
        if not own and not home_made and not _is_a_name(stance):
            continue
        firm = stance.kind in ("title", "chosen")
        if not firm and stance.sentence not in decided[:_FIRST_SAID]:
            continue
        kinds = kinds_named(title) | kinds_named(_what_for(stance.sentence))
        if own and not home_made:
            kinds &= frozenset(kind for name in own for kind in also(name))
        for kind in kinds:
            found.setdefault(family(kind), stance)
    _add_chosen(found, wanted, title)
    _add_titled(found, title, decided)
    return found


def _add_titled(found: dict[str, Stance], title: str, decided: Sequence[str]) -> None:
    """Adds the kinds of the things by which a title says that something is done: "P using X"."""
    means = _BY.search(title)
    if means is None or not decided:
        return
    for name, kind in technologies_in(means["thing"]).items():
        words = phrase(name.replace("-", " "))
        stance = Stance("title", True, words, phrase(title), decided[0], words, text=name,
                        things=frozenset((name,)))  # fmt: skip
        found.setdefault(family(kind), stance)


def _add_chosen(found: dict[str, Stance], wanted: Sequence[Stance], title: str) -> None:
    """Adds the kinds of which a title speaks, and for which something else was chosen."""
    things = [(each, technologies_in(each.text)) for each in wanted]
    chosen = next((each for each, own in things if own and each.kind == "chosen"), None)
    if chosen is None:
        return
    had = {family(kind) for _, own in things for kind in own.values()}
    for kind in sorted({*map(family, kinds_named(title))} - had):
        found.setdefault(kind, chosen)


def _what_for(sentence: str) -> str:
    """What a sentence says something is for: "as our CI platform"."""
    found = _FOR.search(sentence)
    return found["what"] if found else ""


def _is_a_name(stance: Stance) -> bool:
    """Whether what is chosen is told by a name, and by little else."""
    return bool(stance.names) and len(stance.focus.core) <= _FEW and not _ONE_OF.match(stance.text)


def _says_nothing(sentence: str) -> bool:
    """Whether a sentence complains, weighs, or only tells how things are."""
    return complains(sentence) or weighs(sentence) or tells_the_present(sentence)
