"""JSON-RPC messages: strict about what comes in, exact about what goes out."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolcrib.wire.messages import (
    INVALID_REQUEST,
    PARSE_ERROR,
    Malformed,
    Prepared,
    RpcError,
    decode,
    encode_call,
    encode_error,
    encode_result,
)


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (b"{", PARSE_ERROR),
        (b"\xff", PARSE_ERROR),
        (b"{} x", PARSE_ERROR),
        (b'{"a":1,"a":2}', PARSE_ERROR),
        (b'{"a":NaN}', PARSE_ERROR),
        (b'{"a":1e999}', PARSE_ERROR),
        (b"[" * 100_000, PARSE_ERROR),
        (b"[]", INVALID_REQUEST),
        (b"3", INVALID_REQUEST),
        (b'{"jsonrpc":"1.0","id":1,"method":"x"}', INVALID_REQUEST),
        (b'{"jsonrpc":"2.0","id":null,"method":"x"}', INVALID_REQUEST),
        (b'{"jsonrpc":"2.0","id":1.5,"method":"x"}', INVALID_REQUEST),
        (b'{"jsonrpc":"2.0","id":true,"method":"x"}', INVALID_REQUEST),
        (b'{"jsonrpc":"2.0","id":1,"method":3}', INVALID_REQUEST),
        (b'{"jsonrpc":"2.0","id":1,"method":"x","params":[]}', INVALID_REQUEST),
        (b'{"jsonrpc":"2.0","id":1}', INVALID_REQUEST),
        (b'{"jsonrpc":"2.0","id":1,"method":"\\ud800"}', INVALID_REQUEST),
    ],
)
def test_what_is_no_message_is_refused_with_its_code(raw: bytes, code: int) -> None:
    """S-1: malformed messages get an answer, each its own."""
    with pytest.raises(Malformed) as told:
        decode(raw)
    assert told.value.code == code


def test_a_refusal_names_the_request_where_its_id_could_be_read() -> None:
    """S-1: the sender can tell which one was wrong."""
    with pytest.raises(Malformed) as told:
        decode(b'{"jsonrpc":"2.0","id":"a","method":3}')
    assert told.value.id == "a"
    assert json.loads(encode_error("a", told.value))["id"] == "a"


@given(
    st.integers(-(2**53), 2**53) | st.text(st.characters(exclude_categories=["Cs"])),
    st.dictionaries(st.text('ab\n"ä'), st.integers() | st.text("x\u2028\x00ü")),
)
def test_what_is_written_is_read_as_the_same(id: Any, params: dict[str, Any]) -> None:
    """S-1: one line, whatever is in it."""
    text = encode_call("m", params, id)
    assert "\n" not in text
    assert decode(text.encode()) == {
        "jsonrpc": "2.0", "method": "m", "id": id, **({"params": params} if params else {}),
    }  # fmt: skip
    assert json.loads(encode_result(id, params)) == {"jsonrpc": "2.0", "id": id, "result": params}


def test_a_result_that_is_asked_for_often_is_written_once() -> None:
    """HOUSE: a list of a thousand tools."""
    prepared = Prepared({"tools": [1]})
    assert prepared.text is prepared.text
    assert json.loads(encode_result(1, prepared))["result"] == {"tools": [1]}


def test_an_error_carries_its_data_where_it_has_some() -> None:
    """S-1: code, message, data."""
    assert RpcError(-1, "no").to_wire() == {"code": -1, "message": "no"}
    assert json.loads(encode_error(None, RpcError(-1, "no", {"a": 1})))["error"]["data"] == {"a": 1}
