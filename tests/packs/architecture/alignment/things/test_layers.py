from __future__ import annotations

from toolcrib.packs.architecture.alignment.things.layers import layers_of, other_layer
from toolcrib.search.stem import stem


def stems(text: str) -> frozenset[str]:
    return frozenset(map(stem, text.split()))


def test_words_of_two_layers_are_about_two_things() -> None:
    """A-7: the language of a script decides nothing about the language of the server."""
    assert other_layer(stems("release script"), stems("server language"))
    assert not other_layer(stems("endpoint for uploads"), stems("server language"))


def test_words_of_no_layer_are_about_no_other_one() -> None:
    """A-7: without a word of a layer nothing speaks against the same one."""
    assert not layers_of(stems("nothing telling"))
    assert not other_layer(stems("nothing telling"), stems("server language"))
