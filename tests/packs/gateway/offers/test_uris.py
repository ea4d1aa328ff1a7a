"""Uris of servers as they are known here."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolcrib.packs.gateway.offers.uris import our_uri, rewritten, their_uri, ui_meta


@given(st.from_regex(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,20}", fullmatch=True), st.text(min_size=1))
def test_a_uri_comes_back_unchanged(server, uri) -> None:
    """X-25: nothing is encoded anew; two servers with one uri never meet."""
    assert their_uri(our_uri(server, uri)) == (server, uri)


@pytest.mark.parametrize("uri", ["", "mcp://", "mcp://github", "mcp://github/", "file:///x"])
def test_what_is_no_uri_of_a_server_is_refused(uri) -> None:
    """X-25: it names a server and something of it."""
    with pytest.raises(ValueError):
        their_uri(uri)


def test_uris_in_results_are_rewritten_and_nothing_else() -> None:
    """X-25: links, whole resources, and the page of a result; text stays text."""
    result = {
        "content": [
            {"type": "resource_link", "uri": "repo://o/n", "name": "n", "_meta": {"a": 1}},
            {"type": "resource", "resource": {"uri": "repo://x", "blob": "AA"}},
            {"type": "text", "text": "repo://x"},
            {"type": "odd", "uri": "repo://x"},
        ],
        "structuredContent": {"uri": "repo://x"},
        "_meta": {"ui": {"resourceUri": "ui://p", "k": 1}, "b": 2},
    }
    found = rewritten("github", result)
    assert [item.get("uri") for item in found["content"]] == [
        "mcp://github/repo://o/n", None, None, "repo://x",
    ]  # fmt: skip
    assert found["content"][1]["resource"] == {"uri": "mcp://github/repo://x", "blob": "AA"}
    assert found["content"][2:] == result["content"][2:]
    assert found["structuredContent"] == {"uri": "repo://x"}
    assert found["_meta"] == {"ui": {"resourceUri": "mcp://github/ui://p", "k": 1}, "b": 2}
    assert result["content"][0]["uri"] == "repo://o/n"
    assert ui_meta("s", {"ui": 3}) == {"ui": 3}
