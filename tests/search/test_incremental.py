"""An index that was changed answers like one that was built afresh."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from toolcrib.search.index import Index, IndexItem
from toolcrib.search.ranking import DOCUMENTS

WORDS = ["list", "remove", "files", "image", "remote", "branch", "delete", "user", "log", "zebra"]
KEYS = ["k1", "k2", "k3", "k4", "k5", "k6"]

texts = st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join)
documents = st.tuples(texts, texts, st.sampled_from(["a", "B"]))
steps = st.lists(
    st.tuples(st.sampled_from(KEYS), st.one_of(st.none(), documents)), min_size=1, max_size=25
)


def new() -> Index:
    return Index({"name": 2.0, "text": 1.0, "more": 0.5}, semantic=False)


def put(index: Index, key: str, document: tuple[str, str, str]) -> None:
    name, text, group = document
    index.add(key, {"name": name, "text": text, "more": [text, name]}, {"group": group})


@given(steps, st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join))
@settings(max_examples=150)
def test_adding_replacing_and_removing_equals_building_afresh(changes, query):
    """Incremental equals rebuilt: keys, scores, totals and explanations."""
    changed = new()
    state = {}
    for key, document in changes:
        if document is None:
            changed.remove(key)
            state.pop(key, None)
        else:
            put(changed, key, document)
            state[key] = document
        changed.search(query)  # what is worked out meanwhile must not outlive the change
    fresh = new()
    for key in sorted(state):
        put(fresh, key, state[key])
    assert changed.search(query, explain=True) == fresh.search(query, explain=True)
    assert changed.search(query, where={"group": "b"}) == fresh.search(query, where={"group": "b"})
    assert sorted(changed.nearest(query, 9)) == sorted(fresh.nearest(query, 9))
    assert len(changed) == len(fresh)


def test_the_gaps_of_many_changes_are_closed():
    """A server that reloads for months keeps its index small."""
    index = new()
    for number in range(3_000):
        put(index, f"k{number % 10}", (f"name {number % 10}", "list files", "a"))
    assert len(index._postings) < 1_100 + 3 * len(index)
    fresh = new()
    for number in range(10):
        put(fresh, f"k{number}", (f"name {number}", "list files", "a"))
    assert index.search("list name", where={"group": "a"}) == fresh.search("list name")


def test_of_two_with_one_key_that_come_together_the_last_counts():
    """C-4: a key stands for one document, also where many are added at once."""
    together, alone = new(), new()
    put(together, "b", ("before", "gone words", "a"))
    items = [
        IndexItem(key, {"name": name, "text": text}, {"group": "a"})
        for key, name, text in (
            ("a", "first", "old words"),
            ("b", "other", "list files"),
            ("a", "second", "new words"),
        )
    ]
    together.add_all(items)
    alone.add_all(items[1:])
    assert len(together) == 2
    for query in ("words", "old", "gone", "first", "second", "list files", ""):
        assert together.search(query) == alone.search(query), query


def test_the_order_of_adding_does_not_matter():
    """Determinism: the same documents, the same answers."""
    names = [f"tool_{word}" for word in WORDS]
    one, other = (Index({"name": 1.0}, semantic=False, ranking=DOCUMENTS) for _ in range(2))
    for name in names:
        one.add(name, {"name": name})
    for name in reversed(names):
        other.add(name, {"name": name})
    for query in ("tool", "list tool", "file"):
        assert one.search(query) == other.search(query)
