"""The prefix before the names of tools."""

from __future__ import annotations

import pytest

from toolcrib.core.declare.prefix import prefixed
from toolcrib.core.errors import InvalidToolSchema


@pytest.mark.parametrize(
    ("prefix", "name"),
    [
        ("guide", "guide_get"),
        ("guide_", "guide_get"),
        (" g__ ", "g_get"),
        ("", "get"),
        ("_", "get"),
    ],
)
def test_there_is_exactly_one_underscore_between(prefix: str, name: str) -> None:
    """K-9: MCP_TOOL_PREFIX, however it is written; none leaves the name alone."""
    assert prefixed("get", prefix) == name


def test_a_name_that_begins_with_an_underscore_gets_no_second_one() -> None:
    """K-9: exactly one."""
    assert prefixed("_get", "g") == "g_get"


@pytest.mark.parametrize("prefix", ["a b", "ä", "a/b"])
def test_a_prefix_that_no_client_takes_is_refused(prefix: str) -> None:
    """K-9: told with the variable to change."""
    with pytest.raises(InvalidToolSchema, match="letters, digits") as told:
        prefixed("get", prefix)
    assert "MCP_TOOL_PREFIX" in str(told.value.next)
