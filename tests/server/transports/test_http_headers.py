"""Headers that repeat the body."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolcrib.server.transports.http_headers import (
    check_mirrored,
    mirrored_arguments,
)
from toolcrib.wire.messages import RpcError


def schema(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def mirrored(header: Any, kind: Any = "string") -> dict[str, Any]:
    return {"type": kind, "x-mcp-header": header}


def agrees(shape: dict[str, Any], arguments: dict[str, Any], **headers: str) -> bool:
    pairs = [
        (f"mcp-param-{name.lower()}".encode(), text.encode()) for name, text in headers.items()
    ]
    try:
        check_mirrored(mirrored_arguments(shape), pairs, arguments)
    except RpcError as error:
        assert error.code == -32020
        return False
    return True


def test_only_sound_annotations_count_and_one_that_is_not_ends_all() -> None:
    """PROTOCOL: `x-mcp-header` on string, integer and boolean properties, reached by properties."""
    nested = schema(inner=schema(deep=mirrored("Deep")), top=mirrored("Top", "integer"))
    assert {each.path for each in mirrored_arguments(nested)} == {("inner", "deep"), ("top",)}
    for bad in (
        schema(a=mirrored("A"), b=mirrored("a")),
        schema(a=mirrored("A"), b=mirrored("B", "number")),
        schema(a=mirrored("A"), b=mirrored("no token")),
        schema(a=mirrored("A"), b={"type": "array", "items": mirrored("B")}),
        {**schema(a=mirrored("A")), "x-mcp-header": "Root"},
    ):
        assert mirrored_arguments(bad) == ()
    data = schema(a={**mirrored("A"), "default": {"x-mcp-header": "no"}})
    assert len(mirrored_arguments(data)) == 1, "what is data is no annotation"
    named = {"type": "object", "properties": {"x-mcp-header": {"type": "string"}}}
    assert mirrored_arguments(named) == ()


@pytest.mark.parametrize(
    ("kind", "value", "header", "fits"),
    [
        ("integer", 42, "42", True),
        ("integer", 42, "42.0", True),
        ("integer", 42.0, "42", True),
        ("integer", 42, "4.2e1", False),
        ("integer", 2**70, str(2**70), True),
        ("boolean", True, "true", True),
        ("boolean", True, "True", False),
        ("string", "", "", True),
        ("string", None, "", False),
        ("string", ["x"], "x", False),
    ],
)
def test_values_are_compared_as_clients_write_them(
    kind: str, value: Any, header: str, fits: bool
) -> None:
    """PROTOCOL: both there and equal, or both absent; null counts as absent."""
    assert agrees(schema(a=mirrored("A", kind)), {"a": value}, A=header) is fits
    assert agrees(schema(a=mirrored("A", kind)), {"a": None})


@given(st.text(max_size=50))
def test_any_text_fits_when_it_is_sent_as_base64(text: str) -> None:
    """PROTOCOL: `=?base64?…?=`."""
    encoded = base64.b64encode(text.encode("utf-8", "replace")).decode()
    value = text.encode("utf-8", "replace").decode()
    assert agrees(schema(a=mirrored("A")), {"a": value}, A=f"=?base64?{encoded}?=")
    assert not agrees(schema(a=mirrored("A")), {"a": value + "!"}, A=f"=?base64?{encoded}?=")
