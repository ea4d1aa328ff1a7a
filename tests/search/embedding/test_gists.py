"""Meaning without the extra: gists of documents, and their likeness to a query (C-4, C-14)."""

import math

from hypothesis import given
from hypothesis import strategies as st

from toolcrib.discovery.tool_fields import tool_index, tool_item
from toolcrib.search.embedding.gists import SMALL, Gists, gist, unpacked
from toolcrib.search.embedding.pieces import NUMBERS

_WORDS = ("rain", "tool", "file", "cook", "sleep", "kubeconfig", "42", "weather", "\u00e9")
_TEXTS = (
    "weather forecast for a place",
    "delete a file from the disk",
    "cooking recipes by ingredient",
    "book a hotel room",
)


def _cosine(one: str, other: str) -> float:
    first, second = gist(one), gist(other)
    pairs = zip(unpacked(first.numbers), unpacked(second.numbers), strict=True)
    product = sum((left - first.zero) * (right - second.zero) for left, right in pairs)
    return product / (first.length * second.length or 1.0)


@given(st.lists(st.sampled_from(_WORDS)))
def test_a_likeness_added_up_bit_by_bit_is_the_cosine(words):
    """C-4: the query is rounded to sixteen steps; no more is lost than half a step everywhere."""
    query = " ".join(words)
    found = gist(query)
    values = unpacked(found.numbers)
    half = (max(values) - min(values)) / 15 / 2
    most = half * math.sqrt(NUMBERS) / (found.length or 1.0) + 1e-9
    compared = Gists(_TEXTS.__getitem__).compare(query, range(len(_TEXTS)))
    for slot, text in enumerate(_TEXTS):
        assert math.isclose(compared.likeness(slot), _cosine(query, text), abs_tol=most)


def test_rounding_a_query_costs_next_to_nothing():
    """C-4: a likeness of whole sentences is right to three hundredths."""
    compared = [Gists(_TEXTS.__getitem__).compare(text, range(len(_TEXTS))) for text in _TEXTS]
    for text, each in zip(_TEXTS, compared, strict=True):
        for slot, other in enumerate(_TEXTS):
            assert math.isclose(each.likeness(slot), _cosine(text, other), abs_tol=0.03)


def test_the_most_similar_come_first_and_the_others_not_at_all():
    """C-14: what shares no meaning with a query is not in its answer."""
    compared = Gists(_TEXTS.__getitem__).compare("will it rain tomorrow", range(len(_TEXTS)))
    assert compared.best(10, 0.0) == [0]
    assert Gists(_TEXTS.__getitem__).compare("\u4f60", range(len(_TEXTS))).best(10, 0.0) == []


def test_of_many_documents_only_what_is_found_anyway_is_compared():
    """X-31: a large index is not gone through for each query."""
    asked = []
    gists = Gists(lambda slot: asked.append(slot) or "rain")
    compared = gists.compare("rain", range(SMALL + 1))
    assert compared.best(10, 0.0) == []
    assert asked == []
    assert compared.of([7, 8]) == [0.8, 0.8]
    assert asked == [7, 8]


def test_a_question_in_other_words_finds_its_tool_without_the_extra():
    """C-4: search knows words that mean nearly the same, without any library."""
    index = tool_index(semantic=False)
    index.add_all(
        tool_item(name, text, cli="home")
        for name, text in (
            ("forecast", "Weather for the coming days at a place"),
            ("recipe_finder", "Dishes to cook from given ingredients"),
            ("hotel_booking", "Reserve rooms for given nights"),
        )
    )
    asked = "we need somewhere to sleep in Prague, two beds for three people"
    assert index.search(asked).hits[0].key == "hotel_booking"


def test_a_document_that_changed_is_understood_anew():
    """C-4: the gist of a removed document is not that of its successor."""
    index = tool_index(semantic=False)
    asked = "accommodation in Prague with comfortable beds near the castle"
    index.add_all([tool_item("kitchen", "Dishes to cook from given ingredients", cli="home")])
    assert index.search(asked).total == 0
    index.add_all([tool_item("kitchen", "Reserve hotel rooms for given nights", cli="home")])
    assert [hit.key for hit in index.search(asked).hits] == ["kitchen"]
    index.remove("kitchen")
    assert index.search(asked).total == 0


def test_those_above_a_similarity_come_with_it() -> None:
    """A-7, S-10: the similarity itself, for who ranks by more than meaning."""
    compared = Gists(_TEXTS.__getitem__).compare(_TEXTS[0], range(len(_TEXTS)))
    found = compared.above(-1.0)
    assert set(found) == set(range(len(_TEXTS)))
    assert found == {slot: compared.likeness(slot) for slot in found}
    assert max(found, key=found.__getitem__) == 0
    assert set(compared.above(found[0])) == {0}
