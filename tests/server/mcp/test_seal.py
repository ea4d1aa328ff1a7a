"""What is sealed, and who opens it."""

from __future__ import annotations

from string import ascii_letters, digits

from hypothesis import given
from hypothesis import strategies as st

from toolcrib.server.mcp.seal import Seal

SECRET = b"s" * 32
LETTERS = f"{ascii_letters}{digits}-_"


@given(st.binary(max_size=200), st.binary(max_size=50))
def test_what_was_sealed_comes_back_for_the_same_purpose_alone(body: bytes, bound: bytes) -> None:
    """R-1: the same secret opens it; another purpose, binding or secret does not."""
    sealed = Seal(SECRET).close("a", body, bound)
    assert sealed.isascii() and "=" not in sealed
    assert Seal(SECRET).open("a", sealed, bound) == body
    assert Seal(SECRET).open("b", sealed, bound) is None
    assert Seal(SECRET).open("a", sealed, bound + b"!") is None
    assert Seal(b"t" * 32).open("a", sealed, bound) is None
    assert Seal().open("a", sealed, bound) is None


@given(st.binary(min_size=1, max_size=60), st.data())
def test_a_changed_character_is_noticed(body: bytes, data: st.DataObject) -> None:
    """FAULTS: a forged state or session is refused; R-2: an id has one spelling, so that one that
    was ended cannot come back under another."""
    seal = Seal(SECRET)
    sealed = seal.close("a", body)
    place = data.draw(st.integers(0, len(sealed) - 1))
    other = data.draw(st.sampled_from(LETTERS.replace(sealed[place], "")))
    assert seal.open("a", sealed[:place] + other + sealed[place + 1 :]) is None
    assert seal.open("a", sealed + "=") is None


@given(st.text(max_size=100))
def test_anything_else_is_nothing(text: str) -> None:
    """FAULTS: whatever a stranger sends."""
    assert Seal(SECRET).open("a", text) is None


def test_a_binding_and_a_body_cannot_be_shifted_into_each_other() -> None:
    """R-1: bound to caller and project: the border between the two is part of the signature."""
    sealed = Seal(SECRET).close("a", b"yz", b"x")
    assert Seal(SECRET).open("a", sealed, b"xy") is None
