"""The position of a record: all that it says yes and no to, and in which sentences."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, reduce
from itertools import islice
from operator import or_

from toolcrib.packs.architecture.alignment.record.compounds import (
    Compound,
    compounds,
    read_compounds,
)
from toolcrib.packs.architecture.alignment.record.employed import put_to_work, roles_of
from toolcrib.packs.architecture.alignment.record.mentions import Mentions, Told, read_mentions
from toolcrib.packs.architecture.alignment.record.options import Option
from toolcrib.packs.architecture.alignment.record.parts import plain_text, with_role
from toolcrib.packs.architecture.alignment.record.practices import Practice, read_practices
from toolcrib.packs.architecture.alignment.record.reading import Reading
from toolcrib.packs.architecture.alignment.record.stances import (
    Kind,
    Stance,
    denies,
    has_name,
    only_in,
)
from toolcrib.packs.architecture.alignment.record.using import LISTED, refused_thing, things_used
from toolcrib.packs.architecture.alignment.things.languages import is_setting
from toolcrib.packs.architecture.alignment.things.prohibitions import things_of
from toolcrib.packs.architecture.alignment.things.roles import kinds_named
from toolcrib.packs.architecture.alignment.things.technologies import (
    family,
    is_known_thing,
    technologies_in,
)
from toolcrib.packs.architecture.alignment.wording.amounts import Amount, amounts
from toolcrib.packs.architecture.alignment.wording.clauses import (
    FRAME,
    USES,
    Clause,
    read_clauses,
)
from toolcrib.packs.architecture.alignment.wording.expanding import expand
from toolcrib.packs.architecture.alignment.wording.names import Names
from toolcrib.packs.architecture.alignment.wording.naming import (
    BRACKETS,
    Named,
    Words,
    named,
    spelt,
)
from toolcrib.packs.architecture.alignment.wording.negation import (
    negations,
    without_negation,
)
from toolcrib.packs.architecture.alignment.wording.stating import (
    complains,
    concedes,
    forbids,
    tells_the_present,
    weighs,
)
from toolcrib.packs.architecture.alignment.wording.words import (
    NOTHING,
    Phrase,
    phrase,
    raw_words,
    stems_in,
    terms,
)
from toolcrib.search.tokens import tokens

_FIRST_DECIDED = 6
_SHORT = 6
_INSTEAD = re.compile(r"\b(?:rather than|instead of)\b", re.I)
# What is not the thing itself that is used.
_ASIDE = re.compile(r"\W*(?:of|for|to|in|on|at|from)\s", re.I)
# That a sentence settles the matter, however late it comes.
_SETTLES = re.compile(
    r"\b(?:we|i|the team)\b[^.;,]{0,30}\b(?:settled (?:on|upon|for)|opted for|chose|have chosen"
    r"|decided (?:on|upon|for|to (?:use|adopt|go with)))\b"
    r"|\bseems to be (?:a|the) (?:better|best) (?:option|choice)\b",
    re.I,
)
# A name in a list says nothing of it.
_BARE = re.compile(r"^\W*[\w.+#-]+\W*$")


class Position(Reading):
    """What a record says yes and no to."""

    @cached_property
    def topic(self) -> Phrase:
        """What the record is about: its title without what it chooses."""
        if not self.states:
            return phrase(self.title)
        purposes = [clause.purpose for clause in self.title_clauses if clause.purpose]
        return purposes[0] if purposes else NOTHING

    @cached_property
    def _purpose(self) -> Phrase:
        """What the title says its choice is for: "X for Y" gives no Y up, but an own one."""
        clauses = self.title_clauses if self.states else ()
        return reduce(or_, (each.purpose for each in clauses), NOTHING)

    @cached_property
    def purpose(self) -> Phrase:
        """What its choice is for, as far as the title says it: the title without the choice."""
        named = (
            each.focus
            for each in self.choices
            if each.wanted and (each.kind == "chosen" or each.names)
        )
        return self.topic - reduce(or_, named, NOTHING)

    @cached_property
    def purposes(self) -> list[Phrase]:
        """That, and what the first sentences of the decision use a name for."""
        found = [self.purpose]
        for stance in self.choices:
            if stance.wanted and stance.kind == "used" and stance.names:
                clauses = (each for each in read_clauses(stance.sentence) if each.wanted)
                found += [each.purpose for each in clauses if stance.names & each.focus.raw]
        return [each for each in dict.fromkeys(found) if each]

    @cached_property
    def own_raw(self) -> frozenset[str]:
        """The words, in small letters, of its title, its options and the sentences it decided."""
        texts = [self.title, *(each.text for each in self.choices), *self.decided]
        return raw_words(" ".join(texts))

    @cached_property
    def own_stems(self) -> frozenset[str]:
        """The stems of those words."""
        return frozenset(each for word in self.own_raw for each in stems_in(word))

    @cached_property
    def kinds(self) -> frozenset[str]:
        """The kinds of the known things that it chose or turned down."""
        yes, no = self.things
        return frozenset(map(family, (*yes.values(), *no.values())))

    @cached_property
    def own_words(self) -> str:
        """The stems of its text in order, without the options and their arguments."""
        options = [
            part for part, _ in with_role(self.parts, "options", "rejected", "context", "aside")
        ]
        pieces, at = [], 0
        for part in options:
            pieces.append(self.body[at : part.body_start])
            at = part.end
        pieces.append(self.body[at:])
        return " ".join(tokens(plain_text(" ".join(pieces))))

    @cached_property
    def denied_title(self) -> tuple[Phrase, bool]:
        """What the title names, whether it says yes or no to it, and whether it says no."""
        title = expand(self.title)
        return phrase(without_negation(title)), bool(negations(title) % 2)

    @cached_property
    def spelt_title(self) -> Words:
        """The words of the title in their order."""
        return spelt(self.title)

    @cached_property
    def names(self) -> Names:
        """Which of its words are names."""
        return Names(self.body)

    @cached_property
    def things(self) -> tuple[dict[str, str], dict[str, str]]:
        """The known things that it chose, and those that it turned down, each with its kind."""
        yes: dict[str, str] = {}
        no: dict[str, str] = {}
        for stance in self.choices:
            (yes if stance.wanted else no).update(technologies_in(stance.text))
        return yes, {name: kind for name, kind in no.items() if name not in yes}

    @cached_property
    def title_kinds(self) -> frozenset[str]:
        """The kinds of things that its title names, or a thing of which it names."""
        named = (*technologies_in(self.title).values(), *kinds_named(self.title))
        return frozenset(map(family, named))

    @cached_property
    def told(self) -> list[Stance]:
        """The known things that its decision puts to work, if no choice is."""
        chosen, refused = self.things
        known = frozenset((*chosen, *refused))
        return put_to_work(self.decided[:_FIRST_DECIDED], self.title, known)

    @cached_property
    def roles(self) -> dict[str, Stance]:
        """The kinds of which it chose a thing, by what it says the thing is for."""
        return roles_of((*self.choices, *self.told), self.title, self.decided)

    @cached_property
    def choices(self) -> list[Stance]:
        """What it chose and what it turned down; from "A to A and B" takes both."""
        found = list(self._choices())
        used = [each.names for each in found if each.wanted and each.kind == "used"]
        return [
            each
            for each in found
            if each.wanted or each.kind != "used" or not each.names or each.names not in used
        ]

    @cached_property
    def said(self) -> list[Stance]:
        """What the sentences of its decision say yes and no to."""
        return [
            Stance(
                "said",
                clause.wanted,
                clause.focus,
                clause.purpose,
                sentence,
                clause.words,
                text=clause.text,
            )
            for sentence in (*self.decided, *self.ordered)
            if not tells_the_present(sentence) and not weighs(sentence)
            for clause in read_clauses(sentence)
            if not (clause.wanted and _BARE.match(clause.text))
        ]

    @cached_property
    def refused_ways(self) -> list[Stance]:
        """What the sentences of its decision weigh and say no to, in more than one word."""
        named = [(thing, item) for item in self.forbidden for thing in things_of(item)]
        listed = [
            Stance("said", False, phrase(one), NOTHING, item, phrase(item)) for one, item in named
        ]
        weighed = [each for each in self.said if not each.wanted and _INSTEAD.search(each.sentence)]
        return [each for each in (*weighed, *listed) if len(each.focus.core) > 1]

    @cached_property
    def prohibitions(self) -> list[Stance]:
        """What its title or a sentence of its decision tells everybody not to do."""
        titled = [each for each in self.choices if each.kind == "title" and not each.wanted]
        said = [each for each in self.said if not each.wanted and forbids(each.sentence)]
        return [each for each in (*titled, *said) if len(each.focus.core) > 1]

    @cached_property
    def amounts(self) -> list[tuple[Stance, Amount]]:
        """How many of a thing it says there are; what it says both ways tells nothing."""
        titled = [each for each in self.choices if each.kind == "title"]
        found = [
            (stance, amount if stance.wanted else amount.denied)
            for stance in (*titled, *self.said)
            for amount in amounts(stance.text)
        ]
        return [
            (stance, amount)
            for stance, amount in found
            if not any(other.one != amount.one and other.thing & amount.thing for _, other in found)
        ]

    @cached_property
    def stated_raw(self) -> frozenset[str]:
        """All words of its choices and its sayings, in small letters."""
        return frozenset().union(*(each.words.raw for each in (*self.choices, *self.said)))

    @cached_property
    def _places_said(self) -> dict[str, list[int]]:
        """For each stem the places in `said` that have it."""
        found: dict[str, list[int]] = {}
        for at, stance in enumerate(self.said):
            for stem in stance.words.core:
                found.setdefault(stem, []).append(at)
        return found

    def saying(self, words: Phrase, least: float) -> list[Stance]:
        """What is said with at least such a share of some words."""
        counts: Counter[int] = Counter()
        for stem in words.core:
            counts.update(self._places_said.get(stem, ()))
        enough = len(words.core) * least
        return [self.said[at] for at, count in counts.items() if count >= enough]

    @cached_property
    def practices(self) -> list[Practice]:
        """How the sentences of its decision say that something is done, where they use names."""
        refused = [each.focus for each in self.choices if not each.wanted]
        found = read_practices([*self.decided, *self.explained], self.names, refused)
        if self.states:
            return found
        # A title that states nothing is a subject, and what it names is no practice.
        names = frozenset(
            name for name in self.title_words.raw if not self.names.is_identifier(name)
        )
        return [each for each in (one.without(names) for one in found) if each.names]

    @cached_property
    def _places_practised(self) -> dict[str, list[int]]:
        """For each stem of a name the practices that have it."""
        found: dict[str, list[int]] = {}
        for at, practice in enumerate(self.practices):
            for stem in {each for name in practice.names for each in (name, *stems_in(name))}:
                found.setdefault(stem, []).append(at)
        return found

    def practised(self, words: Phrase) -> list[Practice]:
        """The practices of which a name may be among some words."""
        places = self._places_practised
        found = {at for word in words.all | words.raw for at in places.get(word, ())}
        return [self.practices[at] for at in sorted(found)]

    @cached_property
    def compounds(self) -> Mapping[Compound, str]:
        """The things of two words that its title, its choice and its decision say yes to."""
        chosen = [each.name for each in self.options if each.chosen]
        refused = [each.name for each in self.options if each.chosen is False]
        own = [self.title] if self.states else []
        found = read_compounds([*own, *chosen, *self.decided])
        against = frozenset(each for name in refused for each in compounds(name))
        return {each: sentence for each, sentence in found.items() if each not in against}

    @cached_property
    def mentions(self) -> Mentions:
        """The names in its text that no choice has, by what is said around them."""
        explained = frozenset(self.explained)
        weighed = self.sentences_in("options", "option", "rejected")
        told = Told(
            [*self.decided, *self.explained],
            [each for each in weighed if each not in explained],
            self.all_sentences, self.sentences_in("consequences"),
        )  # fmt: skip
        known = {name for each in self.choices for name in (*each.names, *each.focus.raw)}
        return read_mentions(told, self.names).without(known | self.title_words.raw)

    def former(self, text: str) -> Iterator[tuple[str, str]]:
        """The names in a text of which the record tells, but not its decision, with the sentence.

        Who goes back to such a thing goes back to what the decision left behind.
        """
        for name in sorted(self.names.within(text)):
            if self.names.is_sure(name) and name not in self.own_raw:
                told = (each for each in self.all_sentences if name in raw_words(each))
                yield from ((name, sentence) for sentence in islice(told, 1))

    @cached_property
    def quotable_stems(self) -> list[frozenset[str]]:
        """The stems of each sentence that may be quoted."""
        return [frozenset(terms(each)) for each in self.quotable]

    @cached_property
    def named_options(self) -> list[tuple[Named, Stance]]:
        """What it chose and what it turned down, by the words of each in their order."""
        return [
            (named(BRACKETS.sub("", stance.text)), stance)
            for stance in self.choices
            if stance.kind in ("chosen", "rejected")
        ]

    def get_ready(self) -> None:
        """Work out now what every comparison asks for."""
        _ = (
            self.title_words,
            self.denied_title,
            self.named_options,
            self._places_said,
            self._places_practised,
            self.refused_ways,
            self.prohibitions,
            self.amounts,
            self.own_words,
            self.stated_raw,
            self.kinds,
            self.roles,
            self.own_stems,
            self.purposes,
            self.quotable_stems,
            self.mentions,
        )

    def _choices(self) -> Iterator[Stance]:
        """What it chose and what it turned down, each by the words that tell it apart."""
        options = self.options
        taken = [each.name for each in options if each.chosen]
        turned_down = [each for each in options if each.chosen is False]
        for name in self.chosen_names:
            if phrase(name) and not any(phrase(name).core <= phrase(each).all for each in taken):
                taken.append(name)
        no = [each.phrase for each in turned_down if each.wanted]
        yes: list[Phrase] = []
        for name in taken:
            clauses = read_clauses(name)
            if len({clause.wanted for clause in clauses}) > 1:  # "remove A and take B"
                yes += [clause.focus for clause in clauses if clause.wanted]
                no += [clause.focus for clause in clauses if not clause.wanted]
            else:
                (yes if Option(name).wanted else no).append(phrase(name))
        if self.states:
            for clause in self.title_clauses:
                (yes if clause.wanted else no).append(clause.focus)
                against = [each for each in (no if clause.wanted else yes) if each != clause.focus]
                yield self._choice("title", clause, self.title, against)
        for name in taken:
            option = Option(name)
            clauses = read_clauses(name)
            if len({clause.wanted for clause in clauses}) == 1:
                clauses = (Clause(option.wanted, option.phrase, phrase(name), name),)
            for clause in clauses:  # two of them in "A instead of B", "A outside of B"
                split = len(clauses) > 1 and not clause.wanted
                against = no if clause.wanted else yes
                yield self._choice("rejected" if split else "chosen", clause, name, against)
        for option in turned_down:
            clause = Clause(not option.wanted, option.phrase, phrase(option.name), option.name)
            yield self._choice("rejected", clause, option.name, no if clause.wanted else yes)
        yield from self._used(yes, no)

    def _used(self, yes: Sequence[Phrase], no: Sequence[Phrase]) -> Iterator[Stance]:
        """The names that the first sentences of the decision say are used, or given up."""
        further = [
            each
            for each in self.decided[_FIRST_DECIDED:]
            if USES.match(FRAME.sub("", each)) or _SETTLES.search(each)
        ]
        for sentence in (*self.decided[:_FIRST_DECIDED], *further, *self.ordered):
            bare = FRAME.sub("", sentence)
            if complains(sentence) or tells_the_present(sentence) or concedes(sentence):
                continue
            for clause in read_clauses(sentence):
                things = things_used(clause)
                titled = sentence in self.bracketed
                turned = titled or forbids(sentence) or _INSTEAD.search(sentence)
                refused = not clause.wanted and turned
                if refused and not any(map(self.names.within, things)):
                    things = [refused_thing(clause.text)]
                for thing in things:
                    if _ASIDE.match(thing):
                        continue  # "the use of X is slow"
                    names = self.names.within(thing)
                    short = len(thing.split()) <= _SHORT
                    known = bool(names) or is_known_thing(thing)
                    if known or (short and sentence == self.decided[0] and USES.match(bare)):
                        focus = phrase(thing if short else " ".join(sorted(names)))
                        own = Clause(clause.wanted, focus, text=thing)
                        yield self._choice("used", own, sentence, no if own.wanted else yes)

    def _groups(self, kind: Kind, names: frozenset[str], text: str) -> tuple[frozenset[str], ...]:
        """All names, and those of each part of a list; a rejected mixture is one thing."""
        found = [names]
        if len(names) > 1 and kind != "rejected":
            found += [names & self.names.within(part) for part in LISTED.split(text)]
        return tuple(each for each in dict.fromkeys(found) if each)

    def _tells(
        self,
        name: str,
        kind: Kind,
        clause: Clause,
        against: Sequence[Phrase],
        apart: frozenset[str],
    ) -> bool:
        """Whether a name tells a choice from what stands on the other side."""
        if any(denies(each, name, clause) for each in against) or is_setting(name, clause.text):
            return False
        # What all options have in common is what they are about: "Run X on A", "Run X on B".
        if (
            against
            and apart.isdisjoint(stems_in(name))
            and all(has_name(each, name) for each in against)
        ):
            return not apart
        if kind == "title":
            return name in clause.focus.raw or name not in clause.purpose.raw
        if kind == "used" and not clause.wanted and name in self._purpose.raw:
            return False
        if self.states or kind == "used" or name not in self.title_words.raw:
            return True
        return kind == "chosen" and self.names.is_identifier(name)

    def _choice(
        self, kind: Kind, clause: Clause, sentence: str, against: Sequence[Phrase]
    ) -> Stance:
        apart = only_in(clause.focus, against)
        # Most titles that state nothing are a subject; one that is all in what is used is a choice.
        chosen = kind == "used" and self.title_words.core <= clause.focus.all
        if not self.states and not chosen and apart - self.title_words.all:
            apart -= self.title_words.all
        if kind == "used" and not clause.wanted and apart - self._purpose.core:
            apart -= self._purpose.core
        names, things = (
            frozenset(name for name in found if self._tells(name, kind, clause, against, apart))
            for found in (self.names.within(clause.text), technologies_in(clause.text))
        )
        short = self.names.initials_of(clause.focus.core)
        groups = (*self._groups(kind, names, clause.text), *(frozenset((each,)) for each in short))
        return Stance(
            kind, clause.wanted, clause.focus, clause.purpose, sentence, clause.words, apart,
            names | short, groups, clause.text, things,
        )  # fmt: skip
