"""Small word vectors: the pieces of words, and sums of them (C-4)."""

import pytest

from toolcrib.search.embedding import model as semantic
from toolcrib.search.embedding.pieces import WORD, WordVectors, known_words


def test_a_word_of_the_vocabulary_is_one_piece_and_another_is_made_of_several():
    """C-4: a word that the vectors do not know as a whole is understood by its pieces."""
    words = known_words()
    assert words.parted("weather") == [f"{WORD}weather"]
    assert "".join(words.parted("kubeconfig")) == f"{WORD}kubeconfig"
    assert f"{WORD}weather" not in words.parted("kubeconfig")


def test_pieces_are_those_of_the_extra():
    """C-4: with and without the extra a word is taken apart in the same way."""
    model = semantic.model()
    if model is None:
        pytest.skip("the extra is not installed")
    words = known_words()
    for word in ("weather", "kubeconfig", "geocode", "itineraries", "sha256", "unfollow", "x"):
        assert words.parted(word) == model._tokenizer.encode(word, add_special_tokens=False).tokens


def test_letters_that_no_piece_has_add_nothing():
    """C-4: hostile or foreign text is no error; it has no meaning here."""
    words = known_words()
    assert words["\u4f60"].pieces <= 1  # the mark of a word at most
    assert words.total([]) == (0, 0)
    assert words[500 * "a"].pieces <= 25


def test_vectors_of_another_vocabulary_are_refused():
    """C-4: a damaged file is told, not used."""
    with pytest.raises(ValueError, match="vocabulary"):
        WordVectors(["a", "b"], bytes(16 + 64))
