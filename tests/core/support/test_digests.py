"""Digests, whichever library makes them."""

from __future__ import annotations

import hashlib

from hypothesis import given
from hypothesis import strategies as st

from toolcrib.core.support import digests


@given(st.lists(st.binary(max_size=2000), max_size=5))
def test_a_digest_is_that_of_the_standard(pieces: list[bytes]) -> None:
    """HOUSE: the same before and after the faster library is loaded."""
    for piece in pieces:
        assert digests.sha256(piece) == hashlib.sha256(piece).hexdigest()


def test_many_bytes_are_worth_the_faster_library() -> None:
    """R-16: loaded where it saves time, and with the same digests."""
    data = b"x" * (digests._left + 2 if digests._left > 0 else 10)
    assert digests.sha256(data) == hashlib.sha256(data).hexdigest()
    assert digests._left <= 0 and digests.sha256(b"") == hashlib.sha256(b"").hexdigest()


def test_a_keyed_digest_tells_parts_and_keys_apart() -> None:
    """FAULTS, cache damaged: bytes that move from one part to another are another thing."""
    made = {
        digests.keyed(b"k", b"ab", b"c"),
        digests.keyed(b"k", b"a", b"bc"),
        digests.keyed(b"other", b"ab", b"c"),
    }
    assert len(made) == 3 and len(digests.short_digest(b"a")) == 32
