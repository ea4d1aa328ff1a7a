"""Which of its options a record chose: as it says outright, or by its first sentences and title."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from toolcrib.packs.architecture.alignment.record.options import (
    BECAUSE,
    PLACEHOLDER,
    Introduced,
    Option,
    evenly_alike,
    mean,
)
from toolcrib.packs.architecture.alignment.record.parts import unmarked
from toolcrib.packs.architecture.alignment.wording.clauses import read_clauses
from toolcrib.packs.architecture.alignment.wording.naming import (
    BRACKETS,
    mentioned,
    named,
    spelt,
)
from toolcrib.packs.architecture.alignment.wording.stating import states, tells_the_present
from toolcrib.packs.architecture.alignment.wording.words import Phrase, phrase, share

_FIRST, _FEW = 3, 6
_CLEARLY = 0.6
_PARTLY = 0.3
_LIKE = 0.5
_SURELY = 0.75
_WHOLE = 0.95
_REFERRED = re.compile(
    r"\b(?:option|alternative|approach|proposal|solution|candidate|choice|variant)s?\s+[#(]*"
    r"(?P<label>\d{1,2}[a-z]?|(?-i:[A-H]))\b(?!['’])",
    re.I,
)
_CHOOSING = re.compile(
    r"\b(?:chos\w+|choos\w+|select\w*|(?:go|going|went|proceed\w*) with|decid\w+|adopt\w*"
    r"|us(?:e|ing)|pick\w*|implement\w*|opt(?:ed|ing)? for)\W+(?:\w+\W+){0,3}?$",
    re.I,
)
_DECIDES = re.compile(
    r"\b(?:we|will|chose\w*|choos\w+|select\w+|recommend\w*|decid\w+|prefer\w*|go(?:ing)? with"
    r"|us(?:e|ing)"
    r"|adopt\w*|opt(?:ed)? for|option|suggest\w*|utili[sz]\w*|approach)\b",
    re.I,
)
_USED = re.compile(
    r"^\W*(?:use|using|adopt|adopting|choose|select|introduce|switch to|migrate to)\b", re.I
)
# "We will use X for …", whatever else was said of it.
_WILL_USE = re.compile(
    r"^\W*(?:\w+:\s+)?(?:(?:we|the team|this project|it is decided that we)\s+"
    r"(?:(?:will|shall|are going to|have (?:chosen|decided) to|chose to|decided to)\s+)?"
    r"(?:use|adopt|go with|chose|have chosen|choose|picked|selected|implement)"
    r"|use|adopt|go with)\s+"
    r"(?P<what>\S.{1,120})",
    re.I,
)
_ALONE = re.compile(r"^\W*(?P<label>\d{1,2}|[A-Za-z])(?:\W|$)(?!\w*[+-])")


def decide(
    options: Sequence[Option], names: Sequence[str], title: str, decided: Sequence[str]
) -> list[Option]:
    """Say of each option whether it was chosen: as the record says outright, or elsewhere."""
    told = [phrase(name) for name in names]
    taken: set[int] = set()
    for name in names:
        taken |= _outright(options, name)
    first = [
        each
        for each in decided[:_FIRST]
        if not PLACEHOLDER.search(each) and not tells_the_present(each)
    ]
    taken = taken or _begun(options, first) or _labelled(options, first) or _titled(options, title)
    titled = _USED.match(title) is not None
    if not taken:
        taken = _spoken_for(options, first)
    taken |= _will_be_used(options, decided[:_FEW])
    if not taken:
        texts = [title] if titled else [*first, title]
        taken = _implied(options, texts) or (_containing(options, title) if titled else set())
    known = bool(taken or told or titled or any(option.chosen for option in options))
    # What the decision speaks for, if only for some cases, was not turned down.
    partly = set() if taken else _named_in(options, first)
    result = []
    for at, option in enumerate(options):
        if option.chosen is None:
            if at in taken:
                option = replace(option, chosen=True)
            elif known or option.alternative:
                vague = not taken and any(
                    _likeness(options, option.phrase, each) > _PARTLY for each in told
                )
                option = option if vague or at in partly else replace(option, chosen=False)
        result.append(option)
    return result


def decide_listed(
    listed: Introduced, names: Sequence[str], title: str, decided: Sequence[str]
) -> list[Option]:
    """The same for options that a sentence introduces; without a chosen one they may be anything.

    A decision that goes through its options tells of each: there only the title chooses.
    """
    if not listed.options:
        return []
    found = decide(listed.options, names, title, () if listed.in_decision else decided)
    if listed.tried and all(each.chosen is False for each in found):
        return found
    return found if any(each.chosen for each in found) else []


def _outright(options: Sequence[Option], name: str) -> set[int]:
    """The options that a record says outright it chose: by their words, their label, or nearly."""
    own = named(BRACKETS.sub("", name))
    names = [option.named for option in options]
    exact = {at for at, each in enumerate(names) if each == own}
    if exact:
        return exact
    label = _ALONE.match(name)
    if label is None or len(name.split()) > 1:
        begun = {at for at, each in enumerate(names) if each.words[: len(own.words)] == own.words}
        if len(begun) == 1 and own.words:
            return begun
        found = mentioned(names, name) or _containing(options, name)
        if found:
            return found
    return _with_labels(options, name) or _best(options, phrase(name), own.wanted)


def _begun(options: Sequence[Option], sentences: Sequence[str]) -> set[int]:
    """The one option that begins with the first sentence of the decision: "Remove X."."""
    own = spelt(sentences[0]) if sentences else ()
    begin = [spelt(BRACKETS.sub("", option.name))[: len(own)] == own for option in options]
    return {begin.index(True)} if len(own) > 1 and sum(begin) == 1 else set()


def _spoken_for(options: Sequence[Option], sentences: Sequence[str]) -> set[int]:
    """The options that the first sentences of the decision name word for word and speak for."""
    names = [option.named for option in options]
    for sentence in sentences:
        if _DECIDES.search(sentence):
            cut = BECAUSE.search(sentence, 2)
            found = mentioned(names, sentence[: cut.start()] if cut else sentence)
            if len(found) == 1:
                return found
    return set()


def _will_be_used(options: Sequence[Option], sentences: Sequence[str]) -> set[int]:
    """The options with a name of their own that some sentences say are going to be used."""
    names = [option.named for option in options]
    found: set[int] = set()
    for sentence in sentences:
        used = _WILL_USE.match(sentence)
        if used is not None:
            words = spelt(used["what"])
            found |= {
                at
                for at, own in enumerate(names)
                if own.words and own.wanted and words[: len(own.words)] == own.words
            }
    return found


def _named_in(options: Sequence[Option], sentences: Sequence[str]) -> set[int]:
    """All options that some sentences name word for word and speak for."""
    names = [option.named for option in options]
    found: set[int] = set()
    for sentence in sentences:
        cut = BECAUSE.search(sentence, 2)
        found |= mentioned(names, sentence[: cut.start()] if cut else sentence)
    return found


def _titled(options: Sequence[Option], title: str) -> set[int]:
    """The options that the title states once more."""
    if not states(title):
        return set()
    whole = phrase(title)
    sign = Option(title).wanted
    scores = [
        evenly_alike(option.phrase, whole) if option.wanted == sign else 0.0 for option in options
    ]
    best = max(scores, default=0.0)
    return {at for at, score in enumerate(scores) if score == best >= _SURELY}


def _containing(options: Sequence[Option], title: str) -> set[int]:
    """The one option that has what the title chooses in it."""
    focus = next((clause.focus.core for clause in read_clauses(title) if clause.wanted), None)
    found = {at for at, each in enumerate(options) if focus and focus <= each.phrase.all}
    return found if len(found) == 1 else set()


def _implied(options: Sequence[Option], texts: Sequence[str]) -> set[int]:
    """The option that the first sentences of the decision, or the title, speak for."""
    for text in texts:
        decides = _DECIDES.search(text)
        for clause in read_clauses(unmarked(text)):
            taken = {
                at
                for at in _contained(options, clause.focus)
                if options[at].wanted == clause.wanted
            }
            # A list of alternatives has as a rule only what was not taken.
            sure = {
                at
                for at in taken
                if (not options[at].alternative and (decides or _begins(text, options[at])))
                or _likeness(options, options[at].phrase, clause.focus) >= _SURELY
            }
            if sure:
                return sure
    return set()


def _begins(text: str, option: Option) -> bool:
    """Whether a sentence is about an option from its first word on: "Zoom stands out …"."""
    name = unmarked(BRACKETS.sub("", option.name)).strip().casefold()
    return unmarked(text).lstrip("\"“'").casefold().startswith(name)


def _weights(options: Sequence[Option]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for option in options:
        for stem in option.phrase.core:
            counts[stem] = counts.get(stem, 0) + 1
    return counts


def _likeness(options: Sequence[Option], one: Phrase, two: Phrase) -> float:
    """How alike two phrases are; what all options have in common counts little."""
    counts = _weights(options)

    def weigh(stem: str) -> float:
        return 1 / counts.get(stem, 1)

    forth, back = share(one.core, two, weigh), share(two.core, one, weigh)
    return mean(forth, back)


def _best(options: Sequence[Option], saying: Phrase, wanted: bool) -> set[int]:
    scores = [
        _likeness(options, option.phrase, saying) if option.wanted == wanted else 0.0
        for option in options
    ]
    best = max(scores, default=0.0)
    found = {at for at, score in enumerate(scores) if score >= max(_LIKE, best - 0.01)}
    return found or _contained(options, saying)


def _contained(options: Sequence[Option], saying: Phrase) -> set[int]:
    """The options whose words are all, or nearly all, said; parts of other words do not count."""
    saying = Phrase(saying.core, saying.core)
    counts = _weights(options)
    scores = [
        share(option.phrase.core, saying, lambda stem: 1 / counts.get(stem, 1))
        for option in options
    ]
    best = max(scores, default=0.0)
    if best < _CLEARLY:
        return set()
    whole = [number for number, score in enumerate(scores) if score >= _WHOLE]
    if len(whole) > 1:
        cores = [options[number].phrase.core for number in whole]
        return {
            number
            for number in whole
            if not any(options[number].phrase.core < other for other in cores)
        }
    at = [number for number, score in enumerate(scores) if score == best]
    return set(at) if len(at) == 1 else {max(at, key=lambda n: len(options[n].phrase.core))}


def _labelled(options: Sequence[Option], sentences: Sequence[str]) -> set[int]:
    """The options whose labels the first sentences choose; else those that they begin with."""
    for sentence in sentences:
        chosen = {
            each["label"].casefold()
            for each in _REFERRED.finditer(sentence)
            if _CHOOSING.search(sentence, 0, each.start())
        }
        found = {at for at, option in enumerate(options) if option.label and option.label in chosen}
        if found:
            return found
    told = [each for each in sentences if not each.strip(" .)").isdecimal()]
    if len(sentences) > len(told) + 1:
        sentences = told  # the numbers of what was decided, one below the other
    return next(filter(None, (_with_labels(options, each) for each in sentences[:2])), set())


def _with_labels(options: Sequence[Option], text: str) -> set[int]:
    labels = {each["label"].casefold() for each in _REFERRED.finditer(text)}
    alone = _ALONE.match(text)
    if alone:
        labels.add(alone["label"].casefold())
    return {at for at, option in enumerate(options) if option.label and option.label in labels}
