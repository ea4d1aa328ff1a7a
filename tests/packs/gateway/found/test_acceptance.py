"""Which tools of a stranger can be served at all."""

from __future__ import annotations

from typing import Any

import pytest

from toolcrib.packs.gateway.found.acceptance import acceptable


@pytest.mark.parametrize(
    ("name", "good"),
    [("t", True), ("a.b/c-d", True), ("größe", True), ("x" * 128, True), ("x" * 129, False),
     ("", False), ("two words", False), ("nul\0", False), ("rtl\u202e", False), (7, False),
     ("tab\t", False)],
)  # fmt: skip
def test_a_name_is_1_to_128_printable_characters_without_spaces(name: Any, good: bool) -> None:
    """X-8: everything else is refused one by one."""
    assert acceptable({"name": name, "inputSchema": {}}) is good


def test_a_definition_that_is_too_large_or_too_deep_is_refused() -> None:
    """X-8: above 256 KiB, or nested deeper than 64."""
    deep: Any = {}
    for _ in range(70):
        deep = {"a": deep}
    assert not acceptable({"name": "t", "inputSchema": deep})
    assert not acceptable({"name": "t", "description": "x" * 262_144})
    assert acceptable({"name": "t", "description": "x" * 200_000})
    assert not acceptable({"name": "t", "description": "ü" * 131_072})


def test_a_definition_that_has_much_beside_each_other_is_not_deep() -> None:
    """X-8: nested deeper than 64; a hundred arguments, or brackets in a text, are no depth."""
    wide = {f"a{number}": {"enum": [{}]} for number in range(100)}
    assert acceptable({"name": "t", "inputSchema": {"properties": wide}, "description": "[{" * 99})
    deep: Any = []
    for _ in range(62):
        deep = [deep]
    assert acceptable({"name": "t", "inputSchema": deep})
    assert not acceptable({"name": "t", "inputSchema": [[deep]]})
