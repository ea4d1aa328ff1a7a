"""Meaning counts where the extra is there, and nothing waits for it."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from threading import Event

import pytest

from support.unmeasured import unmeasured
from toolcrib.discovery.tool_fields import tool_index, tool_item
from toolcrib.search.embedding import model as semantic
from toolcrib.search.embedding import pieces, vectors
from toolcrib.search.embedding.gists import unpacked
from toolcrib.search.embedding.pieces import NUMBERS, ZERO, known_words
from toolcrib.search.index import Index

needs_extra = pytest.mark.skipif(not semantic.available(), reason="without toolcrib[semantic]")

TOOLS = [
    ("weather_report", "Tells whether it will rain tomorrow"),
    ("canine_facts", "Breeds of puppies and how to feed them"),
    ("engine_check", "Reads the fault codes of an automobile"),
    ("sky_map", "Shows constellations and planets"),
]


@pytest.fixture
def index() -> Index:
    index = tool_index()
    for name, description in TOOLS:
        index.add_all([tool_item(name, description)])
    return index


@needs_extra
def test_a_tool_is_found_without_a_word_in_common(index, keys):
    """C-4: meaning."""
    assert index.warm(60)
    assert keys(index, "my dog")[0] == "canine_facts"
    assert keys(index, "cars")[0] == "engine_check"
    assert keys(index, "stars")[0] == "sky_map"


@needs_extra
def test_a_new_document_has_meaning_at_once(index, keys):
    index.warm(60)
    index.add_all([tool_item("kitchen_helper", "Recipes for soup and bread")])
    assert keys(index, "cooking")[0] == "kitchen_helper"
    index.remove("kitchen_helper")
    assert "kitchen_helper" not in keys(index, "cooking")


@needs_extra
def test_changes_equal_an_index_built_afresh(index):
    index.warm(60)
    for name, description in reversed(TOOLS):
        index.add_all([tool_item(name, description + " again")])
    index.remove("sky_map")
    fresh = tool_index()
    for name, description in TOOLS[:3]:
        fresh.add_all([tool_item(name, description + " again")])
    fresh.warm(60)
    for query in ("puppy food", "car", "umbrella", "weather_report"):
        ours, theirs = index.search(query), fresh.search(query)
        assert [hit.key for hit in ours.hits] == [hit.key for hit in theirs.hits]
        assert [hit.score for hit in ours.hits] == pytest.approx([h.score for h in theirs.hits])


@needs_extra
def test_meaning_survives_the_closing_of_gaps(index, keys):
    index.warm(60)
    for number in range(1_300):
        index.add_all([tool_item("passing", f"Something about number {number}")])
    index.remove("passing")
    assert len(index._postings) < 1_300
    assert keys(index, "my dog")[0] == "canine_facts"


@needs_extra
def test_gibberish_means_nothing(index):
    """C-4: no match, an empty list."""
    index.warm(60)
    assert index.search("qzxv wvutq").hits == []


@needs_extra
def test_filters_hold_for_meaning_too(index, keys):
    index.warm(60)
    index.add_all([tool_item("vet", "Cares for sick puppies", categories=["health"])])
    assert keys(index, "my dog", where={"category": "health"}) == ["vet"]


def test_without_the_extra_search_is_lexical(index, keys, monkeypatch):
    """Everything works without the extra."""
    monkeypatch.setattr(semantic, "model", lambda: None)
    assert not index.warm(60)
    assert keys(index, "rain tomorrow")[0] == "weather_report"
    assert keys(index, "my dog") == []
    index.add_all([tool_item("later", "Added when it was known that there is no meaning")])
    assert keys(index, "later meaning")[0] == "later"


def test_vectors_that_cannot_be_read_are_no_meaning(tmp_path, monkeypatch, caplog):
    """FAULTS: one bad file never fails the rest."""
    file = tmp_path / "vectors.bin"
    file.write_bytes(b"\xff" * 64)
    monkeypatch.setattr(pieces, "FILE", file)
    assert semantic._load.__wrapped__() is None
    assert "cannot be read" in caplog.text


@needs_extra
def test_half_of_a_vector_is_the_small_one():
    """C-4: with and without the extra a word is understood alike."""
    model = semantic.model()
    assert model is not None
    for word in ("weather", "kubeconfig", "geocode", "itineraries", "sha256", "x"):
        ((*numbers,),) = model.words([word])[:, :NUMBERS].tolist()
        small = known_words()[word]
        zero = ZERO * small.pieces
        assert [round(127 * each) for each in numbers] == [
            each - zero for each in unpacked(small.numbers)
        ]


def test_a_huge_or_empty_text_has_a_vector_or_none():
    model = semantic.model()
    if model is None:
        pytest.skip("without toolcrib[semantic]")
    embedder = vectors.Embedder(model)
    found = embedder.embed([vectors.Texts(""), vectors.Texts("word " * 5_000, "\ud800\x00")])
    assert float(abs(found[0]).sum()) == 0.0
    assert float((found[1] ** 2).sum()) == pytest.approx(1.0, abs=1e-4)


@pytest.mark.parametrize(("queries", "waits"), [(0, 1), (2, 3), (99, 4)])
def test_the_model_is_loaded_in_a_pause_of_the_queries(queries, waits, monkeypatch):
    """X-31: searches that come at once are not slowed down by it; it is not put off for ever."""
    clock, waited = [100.0], []

    class Busy(Event):
        def wait(self, timeout=None):
            clock[0] += 1.25 * timeout
            waited.append(timeout)
            if len(waited) <= queries:
                meanings.compare("rain", 0)
            return False

    monkeypatch.setattr(vectors, "monotonic", lambda: clock[0])
    monkeypatch.setattr(vectors.background, "start", lambda work: work())
    monkeypatch.setattr(semantic, "model", lambda: None)
    meanings = vectors.Meanings(lambda name, texts: ("", ""))
    meanings._hurry = Busy()
    assert meanings.compare("rain", 0) is None
    assert len(waited) == waits


def test_importing_the_index_is_light():
    """U-1: a start does not pay for a search that nobody asks for."""
    code = """
        import sys
        import toolcrib.search.index, toolcrib.discovery.tool_fields
        heavy = {"numpy", "sqlite3", "tokenizers", "safetensors", "wordllama", "logging", "asyncio"}
        print(sorted(heavy & set(sys.modules)))
    """
    words = [sys.executable, "-c", textwrap.dedent(code)]
    found = subprocess.run(words, capture_output=True, text=True, check=True, env=unmeasured())
    assert found.stdout.strip() == "[]"


@needs_extra
def test_leaving_while_the_model_loads_is_clean():
    """A process that ends right after its first question ends with 0 and says nothing."""
    code = """
        from toolcrib.discovery.tool_fields import tool_index, tool_item
        index = tool_index()
        for number in range(300):
            index.add_all([tool_item(f"tool_{number}", "does things with files")])
        assert index.search("file things").total == 300
    """
    for _ in range(3):
        found = subprocess.run(
            [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True
        )
        assert (found.returncode, found.stderr) == (0, "")
