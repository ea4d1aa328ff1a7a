"""The options that a record considered, and which of them it chose."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from toolcrib.packs.architecture.alignment.parts import Part, plain_text, unmarked, with_role
from toolcrib.packs.architecture.alignment.wording.clauses import read_clauses, states
from toolcrib.packs.architecture.alignment.wording.naming import Named, mentioned, named
from toolcrib.packs.architecture.alignment.wording.words import Phrase, phrase, share

_MOST = 40
_FIRST = 3
_MOST_SIBLINGS, _SHORT = 10, 4
_LONGEST = 200
_CLEARLY = 0.6
_PARTLY = 0.3
_SAME = 0.66
_LIKE = 0.5
_SURELY = 0.75
_WHOLE = 0.95
_ITEM = re.compile(r"^(?P<indent>[ \t]*)(?:[-*+•]|\d+[.)]|[a-zA-Z][.)])[ \t]+(?P<text>\S.*)$", re.M)
_LABEL = re.compile(
    r"^\W*(?:(?:considered )?(?:option|alternative|approach|proposal|solution|candidate|choice"
    r"|variant|possibility)"
    r"(?:\s+#?|\s*#))(?P<label>\d{1,2}|[A-Za-z](?![A-Za-z]))\b\s*(?:[-:–—.)\]]+\s*)?",
    re.I,
)
_NUMBER = re.compile(r"^\W*(?P<label>\d{1,2}|[A-Z])\s*[.):]\s+")
_REFERRED = re.compile(
    r"\b(?:option|alternative|approach|proposal|solution|candidate|choice|variant)s?\s+#?"
    r"(?P<label>\d{1,2}|(?-i:[A-H]))\b(?!['’])",
    re.I,
)
BRACKETS = re.compile(r"\([^()]*\)")
_PLACEHOLDER = re.compile(
    r"\\?\[option|\{(?:title|option)|\bjustification\b|^\W*(?:tbd|todo|option \d\W*\])$", re.I
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
_ALONE = re.compile(r"^\W*(?P<label>\d{1,2}|[A-Za-z])(?:\W|$)(?!\w*[+-])")
_USED = re.compile(
    r"^\W*(?:use|using|adopt|adopting|choose|select|introduce|switch to|migrate to)\b", re.I
)
# Where the name of an option ends and its explanation begins.
_EXPLAINED = re.compile(
    r"(?:\s+[-–—]+\s+|:\s|:$|\.\s|;|\s+\((?=[a-z])|,\s+(?:because|since|as|which|but|so|where"
    r"|with)\b"
    r"|\s+(?:because|since)\b|\s\|)"
)
_NOT_AN_OPTION = re.compile(
    r"^\W*(?:good|bad|neutral|pros?|cons?|advantages?|disadvantages?|positive|negative|summary"
    r"|comparison|conclusion|decision|details?|example|overview|note|see|description|links?|tl;?dr"
    r"|pros and cons|pros/cons|pros & cons|benefits|drawbacks|why|how|evaluation|results?|risks?"
    r"|other considerations|chosen|consequences|none|n/a|tbd|background|discussion|references?"
    r"|option|alternative|rationale|requirements|research)s?\b(?:\W*$|:|,| because)",
    re.I,
)
_SIGNED = re.compile(r"^\W*`?[+±-]`?(?:\s|$)|^[✅❌👍👎➕➖]")
_TURNED_DOWN = re.compile(
    r"\((?:[^)]*\b)?(?:rejected|discarded|not chosen|dismissed)\b[^)]*\)|❌|\brejected\b\s*$", re.I
)
_TAKEN = re.compile(
    r"\((?:[^)]*\b)?(?<!not )(?:chosen|selected|accepted|recommended|preferred|decided)\b[^)]*\)"
    r"|✅|⭐|\b(?:(?-i:RECOMMENDED|CHOSEN|SELECTED))\b"
    r"|[-–—:]\s*(?:the |our )?(?:chosen|selected|preferred|recommended|accepted)(?: \w+)?\W*$",
    re.I,
)
_CHOSEN = re.compile(
    r"(?:\b(?:chosen|selected|preferred|recommended|accepted|winning)\s*"
    r"(?:options?|alternatives?|solutions?|approach(?:es)?|choices?|outcome|technology|tool)?"
    r"|^\W*decision(?: outcome)?)\b"
    r"(?P<what>[^:\n.]{0,60}?)\s*:[ \t*_]*(?P<rest>[^\n]*)",
    re.I | re.M,
)
_CHOSEN_HEADING = re.compile(
    r"^(?:decision outcome|decision|chosen(?: \w+)?|outcome|selected(?: \w+)?"
    r"|solution)\s*(?:[:–—]|\s-)\s*(?P<rest>\S.*)$",
    re.I,
)
# The quotation ends where the sentence goes on: the name may have quotation marks of its own.
_QUOTED = re.compile(
    r"^[^\w\"“«]*[\"“«](?P<name>.{2,160}?)[\"”»]+(?=\W*$|\s*[,.;(–—-]|\s+(?:because|since|as)\b)"
    r"|^[^\w']*'(?P<single>[^']{2,160})'(?=\W|$)"
)
_QUOTED_LAST = re.compile(r":\s*[\"“«](?P<name>[^\"”»]{2,160})[\"”»]\W*$")
_BECAUSE = re.compile(
    r",?\s+\b(?:because|since|due to|for the following|as it|as we|as this|as the|so that"
    r"|given)\b|[.;](?:\s|$)|\s+[-–—]\s+|,\s+(?=(?:which|it|this|we|but)\b)",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Option:
    """An option in the record's words; `chosen` is None where the record does not say."""

    name: str
    label: str = ""
    chosen: bool | None = None
    alternative: bool = False

    @property
    def phrase(self) -> Phrase:
        """What it names; what stands in brackets behind it only explains."""
        return phrase(BRACKETS.sub("", self.name)) or phrase(self.name)

    @property
    def named(self) -> Named:
        """Its words in their order; what stands in brackets behind it only explains."""
        return named(BRACKETS.sub("", self.name))

    @property
    def wanted(self) -> bool:
        """Whether it says yes to what it names: "do not test scripts" does not."""
        clauses = read_clauses(self.name)
        return clauses[0].wanted if clauses else True


def option_name(text: str) -> tuple[str, str]:
    """The name of an option and its label, from a heading or the line of a list."""
    text = unmarked(text).strip(' \t"“”#.:')
    label = ""
    found = _LABEL.match(text) or _NUMBER.match(text)
    if found:
        label = found["label"].casefold()
        text = text[found.end() :]
    text = _TURNED_DOWN.sub("", _TAKEN.sub("", text))
    cut = _EXPLAINED.search(text, 3)
    if cut and phrase(text[: cut.start()]):
        text = text[: cut.start()]
    return text.strip(" \t\"“”'.:,[]"), label


def read_options(body: str, found: Sequence[Part]) -> list[Option]:
    """All options that the record lists, each once, in its order."""
    options: list[Option] = []
    for part, inside in with_role(list(found), "options", "rejected"):
        earlier = len(options)
        for option in _options_in(body, part, inside):
            at = _same(options, earlier, option)
            if at is None:
                options.append(option)
                continue
            known = options[at]
            label = known.label or option.label
            chosen = option.chosen if known.chosen is None else known.chosen
            options[at] = replace(known, label=label, chosen=chosen)
    return options[:_MOST]


def siblings(body: str, found: Sequence[Part], chosen: Sequence[str]) -> list[Option]:
    """The things that stand in one list with the chosen one, outside of a list of options."""
    wanted = [phrase(name).core for name in chosen if phrase(name)]
    for part in found:
        if part.role in ("options", "rejected", "aside", "consequences"):
            continue
        items = [
            option_name(plain_text(each))[0]
            for each in _items(body[part.body_start : part.own_end])
        ]
        names = [phrase(each) for each in items]
        if not 2 <= len(items) <= _MOST_SIBLINGS or any(len(each.core) > _SHORT for each in names):
            continue
        hit = [any(core and core == each.core for core in wanted) for each in names]
        if sum(hit) == 1:
            return [
                Option(name, chosen=taken)
                for name, taken, words in zip(items, hit, names, strict=True)
                if words
            ]
    return []


def _same(options: Sequence[Option], earlier: int, option: Option) -> int | None:
    """Which of the options is the same once more: described again in a later part, say."""
    own = phrase(option.name)
    for at, known in enumerate(options):
        if phrase(known.name) == own:
            return at
    scores = [_evenly_alike(phrase(known.name), own) for known in options[:earlier]]
    best = max(scores, default=0.0)
    return scores.index(best) if best >= _SAME else None


def _evenly_alike(one: Phrase, two: Phrase) -> float:
    return _mean(share(one.core, two, _evenly), share(two.core, one, _evenly))


def _evenly(_: str) -> float:
    return 1.0


def _mean(one: float, two: float) -> float:
    """The harmonic mean: high only where both are."""
    return 2 * one * two / (one + two) if one + two else 0.0


def _options_in(body: str, part: Part, inside: Sequence[Part]) -> Iterator[Option]:
    alternative = (
        "alternative" in part.title.casefold() and "considered alt" not in part.title.casefold()
    )
    rejected = part.role == "rejected"
    own = plain_text(body[part.body_start : part.own_end])
    for number, text in enumerate(_items(own), 1):
        yield from _option(text, rejected, alternative, str(number))
    outer = min((each.level for each in inside), default=0)
    for each in inside:
        own_role = each.role in ("other", "decision", "options", "context")
        labelled = each.level == outer + 1 and _LABEL.match(unmarked(each.title))
        if (each.level == outer and own_role) or labelled:
            yield from _option(each.title, rejected, alternative)


def _option(text: str, rejected: bool, alternative: bool, place: str = "") -> Iterator[Option]:
    text = plain_text(text)
    if (
        _NOT_AN_OPTION.match(unmarked(text))
        or _SIGNED.match(text)
        or text.rstrip(" *_").endswith("?")
    ):
        return
    name, label = option_name(text)
    if not phrase(name) or len(name) > _LONGEST or _NOT_AN_OPTION.match(name):
        return
    chosen = (
        False if rejected or _TURNED_DOWN.search(text) else True if _TAKEN.search(text) else None
    )
    yield Option(name, label or place, chosen, alternative)


def _items(text: str) -> list[str]:
    """The items of the outermost list of a text; of an item that only heads others, those."""
    items = list(_ITEM.finditer(text))
    if not items:
        return []
    depths = [len(each["indent"].expandtabs(4)) for each in items]
    least = min(depths)
    found: list[str] = []
    heads = False
    for at, each in enumerate(items):
        if depths[at] <= least + 1:
            inner = at + 1 < len(items) and depths[at + 1] > least + 1
            heads = inner and _is_head(each["text"])
            if heads:
                continue
        elif not heads or (depths[at] > depths[at - 1] and not _is_head(items[at - 1]["text"])):
            continue
        found.append(each["text"])
    return found


def _is_head(text: str) -> bool:
    """Whether an item only heads those below it: "Search provider:"."""
    return unmarked(text).rstrip().endswith(":")


def chosen_names(body: str, found: Sequence[Part]) -> list[str]:
    """What the record says outright that it chose, in its words."""
    names: list[str] = []
    for part in found:
        heading = _CHOSEN_HEADING.match(unmarked(plain_text(part.title)))
        if heading:
            names.append(option_name(heading["rest"])[0])
    for part, inside in with_role(list(found), "decision"):
        labelled = [each.title for each in inside if _LABEL.match(unmarked(each.title))]
        if len(labelled) == 1:  # "### Option 2: …", the one that is told of
            names.append(option_name(labelled[0])[0])
        text = plain_text(body[part.body_start : _before_consequences(part, inside)])
        for each in _CHOSEN.finditer(text):
            if "reason" not in each["what"].casefold():
                names.extend(_named(each["rest"], text[each.end() :]))
    return [name for name in dict.fromkeys(names) if not _PLACEHOLDER.search(name)]


def _before_consequences(part: Part, inside: Sequence[Part]) -> int:
    return next((each.body_start for each in inside if each.role == "consequences"), part.end)


def _named(rest: str, below: str) -> Iterator[str]:
    rest = unmarked(rest).strip()
    if rest:
        quoted = _QUOTED.match(rest)
        if quoted:
            yield quoted["name"] or quoted["single"]
            return
        cut = _BECAUSE.search(rest, 2)
        yield option_name(rest[: cut.start()] if cut else rest)[0]
        return
    for text in _items(below.split("\n\n")[0] or below[:600].strip().split("\n\n")[0]):
        quoted = _QUOTED_LAST.search(unmarked(text))  # - for what: "the option"
        if quoted:
            yield quoted["name"]
            continue
        cut = _BECAUSE.search(text, 2)
        yield option_name(text[: cut.start()] if cut else text)[0]


def decide(
    options: Sequence[Option], names: Sequence[str], title: str, decided: Sequence[str]
) -> list[Option]:
    """Say of each option whether it was chosen: as the record says outright, or elsewhere."""
    told = [phrase(name) for name in names]
    taken: set[int] = set()
    for name in names:
        taken |= _outright(options, name)
    first = [each for each in decided[:_FIRST] if not _PLACEHOLDER.search(each)]
    taken = taken or _labelled(options, first) or _titled(options, title)
    titled = _USED.match(title) is not None
    if not taken:
        taken = _spoken_for(options, first)
    if not taken:
        texts = [title] if titled else [*first, title]
        taken = _implied(options, texts) or (_containing(options, title) if titled else set())
    known = bool(taken or told or titled or any(option.chosen for option in options))
    result = []
    for at, option in enumerate(options):
        if option.chosen is None:
            if at in taken:
                option = replace(option, chosen=True)
            elif known or option.alternative:
                vague = not taken and any(
                    _likeness(options, option.phrase, each) > _PARTLY for each in told
                )
                option = option if vague else replace(option, chosen=False)
        result.append(option)
    return result


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


def _spoken_for(options: Sequence[Option], sentences: Sequence[str]) -> set[int]:
    """The options that the first sentences of the decision name word for word and speak for."""
    names = [option.named for option in options]
    for sentence in sentences:
        if _DECIDES.search(sentence):
            cut = _BECAUSE.search(sentence, 2)
            found = mentioned(names, sentence[: cut.start()] if cut else sentence)
            if len(found) == 1:
                return found
    return set()


def _titled(options: Sequence[Option], title: str) -> set[int]:
    """The options that the title states once more."""
    if not states(title):
        return set()
    whole = phrase(title)
    sign = Option(title).wanted
    scores = [
        _evenly_alike(option.phrase, whole) if option.wanted == sign else 0.0 for option in options
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
    return _mean(forth, back)


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
    return next(filter(None, (_with_labels(options, each) for each in sentences[:2])), set())


def _with_labels(options: Sequence[Option], text: str) -> set[int]:
    labels = {each["label"].casefold() for each in _REFERRED.finditer(text)}
    alone = _ALONE.match(text)
    if alone:
        labels.add(alone["label"].casefold())
    return {at for at, option in enumerate(options) if option.label and option.label in labels}
