"""Word vectors that come with the package: pieces of words, sums of them, damaged files (C-4)."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolcrib.search.embedding.pieces import (
    BYTES,
    FILE,
    INSIDE,
    LEVELS,
    Pieces,
    known_words,
    read,
    vector_file,
)


def _parted(word: str) -> list[str]:
    pieces = vector_file().pieces
    return [pieces.names[place] for place in pieces.of(word)]


def test_a_word_of_the_vocabulary_is_one_piece_and_another_is_made_of_several():
    """C-4: a word that the vectors do not know as a whole is understood by its pieces."""
    assert _parted("weather") == ["weather"]
    several = _parted("kubeconfigurator")
    assert len(several) > 1
    assert not several[0].startswith(INSIDE)
    assert all(piece.startswith(INSIDE) for piece in several[1:])
    assert "".join(piece.removeprefix(INSIDE) for piece in several) == "kubeconfigurator"


def test_the_longest_piece_is_taken_first():
    """C-4: `dockerfile` is docker and file, not its letters."""
    pieces = Pieces(["d", "dock", "docker", "##f", "##file", "##s"])
    assert [pieces.names[place] for place in pieces.of("dockerfiles")] == [
        "docker", "##file", "##s",
    ]  # fmt: skip


def test_a_letter_that_no_piece_has_is_left_out_and_the_others_stay():
    """C-4: one odd letter does not take the meaning of a word."""
    pieces = Pieces(["rain", "##s", "##e"])
    assert pieces.of("rain\u4f60s") == pieces.of("rains")
    assert pieces.of("\u4f60") == []


@given(st.text(max_size=40))
def test_any_word_is_parted_into_pieces_that_are_in_it_in_order(word):
    """C-4: hostile or foreign text is no error."""
    at = 0
    for piece in _parted(word):
        plain = piece.removeprefix(INSIDE)
        at = word.index(plain, at) + len(plain)


def test_text_without_a_known_piece_has_no_vector():
    """C-4: what has no meaning here adds nothing."""
    words = known_words()
    assert words["\u4f60"] == (0, 0)
    assert words.total([]) == (0, 0)
    assert words[500 * "a"].pieces <= 24


@pytest.mark.parametrize("change", [lambda data: data[:-1], lambda data: data + b"\0"])
def test_a_damaged_file_is_told(change, tmp_path: Path):
    """FAULTS: vectors of another vocabulary are refused, not used."""
    file = tmp_path / "vectors.bin"
    file.write_bytes(change(FILE.read_bytes()))
    with pytest.raises(ValueError, match="vocabulary"):
        read(file)


def test_each_half_of_the_file_has_a_vector_for_each_piece():
    """C-4: half a byte for each number, and sixteen levels for each half."""
    known = vector_file()
    assert len(known.first) == BYTES * len(known.pieces.names)
    assert [len(levels) for levels in known.levels] == [LEVELS, LEVELS]
    assert FILE.stat().st_size == known.rest + len(known.first)
