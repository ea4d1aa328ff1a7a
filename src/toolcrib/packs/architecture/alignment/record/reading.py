"""A record as it is written: its parts, the sentences of its decision, its options."""

from __future__ import annotations

import re
from functools import cached_property

from toolcrib.packs.architecture.alignment.record.choosing import decide, decide_listed
from toolcrib.packs.architecture.alignment.record.options import (
    Option,
    chosen_names,
    introduced,
    read_options,
    siblings,
)
from toolcrib.packs.architecture.alignment.record.parts import (
    Part,
    Role,
    parts,
    plain_text,
    text_without,
    unmarked,
    with_role,
)
from toolcrib.packs.architecture.alignment.record.sentences import is_sentence, split_sentences
from toolcrib.packs.architecture.alignment.things.prohibitions import forbidden_items
from toolcrib.packs.architecture.alignment.wording.clauses import Clause, read_clauses
from toolcrib.packs.architecture.alignment.wording.stating import only_for, states
from toolcrib.packs.architecture.alignment.wording.words import Phrase, phrase, terms
from toolcrib.search.tokens import tokens

_LONGEST_READ = 80_000
_MOST_SENTENCES = 80
_FIRST = 20
_MOST_QUOTABLE, _FEWEST_WORDS = 20, 4
_REFUSED = re.compile(r"\(((?:no|not|without|never)\s[^()]{3,60})\)", re.I)
_ORDERS = re.compile(
    r"^\W*(?:use|always|never|avoid|prefer|do not|don['’]t|no)\s(?!case|of\b)(?!.*\?\W*$)", re.I
)
_ITEMS = re.compile(r"^[ \t]*[-*+•] .*(?:\n[ \t]+\S.*)*", re.M)


class Reading:
    """What stands in a record, before anything follows from it."""

    def __init__(self, title: str, body: str) -> None:
        self.title = title
        self.body = body[:_LONGEST_READ]

    @cached_property
    def parts(self) -> list[Part]:
        """The headings with their texts."""
        return parts(self.body)

    @cached_property
    def decided(self) -> list[str]:
        """The sentences of its decision; of its whole text when it has no such section."""
        texts = []
        for part, inside in with_role(self.parts, "decision"):
            skipped: tuple[Role, ...] = (
                "consequences", "options", "option", "rejected", "aside",
            )  # fmt: skip
            texts.append(text_without(self.body, part, inside, skipped))
        forbidden = frozenset(self.forbidden)
        found = [each for each in split_sentences("\n\n".join(texts)) if each not in forbidden]
        return found[:_MOST_SENTENCES] or self.all_sentences[:_FIRST]

    def cases_of(self, thing: str) -> frozenset[str]:
        """What the cases are for which alone its decision allows a thing."""
        told = (only_for(each, thing) for each in self.decided)
        return frozenset(stem for each in told if each for stem in terms(each))

    @cached_property
    def bracketed(self) -> list[str]:
        """What its title refuses in brackets, "(no X)"."""
        return _REFUSED.findall(self.title)

    @cached_property
    def ordered(self) -> list[str]:
        """The headings inside of its decision that tell what to do: "Do not use X".

        So does what its title has in brackets, "(no X)".
        """
        return [
            *self.bracketed,
            *(
                title
                for _, inside in with_role(self.parts, "decision")
                for part in inside
                if part.role == "other" and _ORDERS.match(title := unmarked(plain_text(part.title)))
            ),
        ]

    @cached_property
    def forbidden(self) -> list[str]:
        """What it forbids in lists."""
        return forbidden_items(self.body)

    @cached_property
    def quotable(self) -> list[str]:
        """Whole sentences of its decision: no title, no heading, no piece of a list."""
        found = [each for each in self.decided if is_sentence(each)]
        return [each for each in found if each.rstrip(".") != self.title][:_MOST_QUOTABLE]

    @cached_property
    def all_sentences(self) -> list[str]:
        """The sentences outside of change logs, options and the like."""
        pieces, at = [], 0
        for part, _ in with_role(
            self.parts, "aside", "options", "option", "rejected", "consequences"
        ):
            pieces.append(self.body[at : part.body_start])
            at = max(at, part.end)
        pieces.append(self.body[at:])
        return list(split_sentences(plain_text("\n\n".join(pieces))))

    @cached_property
    def chosen_names(self) -> list[str]:
        """What it says outright that it chose."""
        return chosen_names(self.body, self.parts)

    @cached_property
    def options(self) -> list[Option]:
        """The options that it considered, each chosen or not as far as it says."""
        options = read_options(self.body, self.parts)
        if not options:
            clauses = self.title_clauses if self.states else ()
            focus = [clause.text for clause in clauses if clause.wanted]
            named = [" ".join(sorted(clause.focus.core)) for clause in clauses if clause.wanted]
            named += [each for each in self.decided[:1] if len(each.split()) <= _FEWEST_WORDS]
            options = siblings(self.body, self.parts, [*self.chosen_names, *focus, *named])
        if not options:
            listed = introduced(self.body, self.parts)
            return decide_listed(listed, self.chosen_names, self.title, self.decided)
        return decide(options, self.chosen_names, self.title, self.decided)

    @cached_property
    def explained(self) -> list[str]:
        """The sentences below the heading of the option that it chose, without pros and cons."""
        chosen = [each.phrase.core for each in self.options if each.chosen]
        texts = [
            _ITEMS.sub("\n\n", self.body[part.body_start : part.own_end])
            for _, inside in with_role(self.parts, "options")
            for part in inside
            if any(core and core <= phrase(part.title).core for core in chosen)
        ]
        return list(split_sentences(plain_text("\n\n".join(texts))))

    @cached_property
    def states(self) -> bool:
        """Whether the title states a decision, and does not only name a subject."""
        return states(self.title)

    @cached_property
    def title_clauses(self) -> tuple[Clause, ...]:
        """What the title says yes and no to."""
        return read_clauses(self.title)

    @cached_property
    def title_words(self) -> Phrase:
        """All words of the title."""
        return phrase(self.title)

    @cached_property
    def all_words(self) -> str:
        """The stems of its whole text in order, however it is written, in capitals or not."""
        return " ".join(tokens(plain_text(self.body).casefold()))

    def sentences_in(self, *roles: Role) -> list[str]:
        """The sentences of all parts of some roles."""
        texts = [self.body[part.body_start : part.end] for part, _ in with_role(self.parts, *roles)]
        return list(split_sentences(plain_text("\n\n".join(texts))))
