"""JSON-RPC messages: strict about what comes in, exact about what goes out."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from toolcrib.core.support.jsonable import NotJson, as_it_is, dumps, quickly, unique
from toolcrib.core.tool import JSON

Id = str | int

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
UNSUPPORTED_VERSION = -32022
HEADER_MISMATCH = -32020


class RpcError(Exception):
    """An answer with `error` instead of `result`."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data

    def to_wire(self) -> JSON:
        """The `error` member."""
        wire: JSON = {"code": self.code, "message": self.message}
        if self.data is not None:
            wire["data"] = self.data
        return wire


class Prepared(dict[str, Any]):
    """A result that is asked for again and again, with its JSON text kept beside it."""

    __slots__ = ("_text",)
    _text: str

    @property
    def text(self) -> str:
        """The JSON text, written once."""
        try:
            return self._text
        except AttributeError:
            self._text = quickly(self)
            return self._text


class Malformed(Exception):
    """A message that cannot be served; `id` is known where it could be read."""

    def __init__(self, code: int, message: str, id: Id | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.id = id


def decode(raw: bytes) -> JSON:
    """Read one message; raises `Malformed` for whatever is not a JSON-RPC 2.0 object."""
    message = _parse(raw)
    if type(message) is not dict:
        what = "batches are not supported" if isinstance(message, list) else "not an object"
        raise Malformed(INVALID_REQUEST, f"Invalid request: {what}")
    id = message.get("id")
    known = id if type(id) is int or type(id) is str else None
    # An escape is the only way for half a character to get through strict UTF-8. (`in` would first
    # try to take the two bytes for a number, and word an error about it.)
    if raw.find(b"\\u") >= 0 and not _whole(message):
        raise Malformed(INVALID_REQUEST, "Invalid request: lone surrogate", _whole_id(known))
    if message.get("jsonrpc") != "2.0":
        raise Malformed(INVALID_REQUEST, 'Invalid request: jsonrpc must be "2.0"', known)
    if known is None and "id" in message:
        raise Malformed(INVALID_REQUEST, "Invalid request: id must be a string or an integer")
    if type(message.get("method")) is str:
        if type(message.get("params")) is not dict and "params" in message:
            raise Malformed(INVALID_REQUEST, "Invalid request: params must be an object", known)
    elif "method" in message:
        raise Malformed(INVALID_REQUEST, "Invalid request: method must be a string", known)
    elif known is None or not ("result" in message or "error" in message):
        raise Malformed(INVALID_REQUEST, "Invalid request: no method", known)
    return message


def encode_result(id: Id | None, result: JSON) -> str:
    """An answer as text."""
    body = result.text if type(result) is Prepared else as_it_is(result) or dumps(result)
    shown = id if type(id) is int else json.dumps(id)
    return f'{{"jsonrpc":"2.0","id":{shown},"result":{body}}}'


def encode_error(id: Id | None, error: RpcError | Malformed) -> str:
    """A refusal as text."""
    wire: JSON = {"code": error.code, "message": error.message}
    data = getattr(error, "data", None)
    if data is not None:
        wire["data"] = data
    return f'{{"jsonrpc":"2.0","id":{json.dumps(id)},"error":{quickly(wire)}}}'


def encode_call(method: str, params: Mapping[str, Any], id: Id | None = None) -> str:
    """A notification, or with an id a request, as text."""
    wire: JSON = {"jsonrpc": "2.0", "method": method}
    if id is not None:
        wire["id"] = id
    if params:
        wire["params"] = params
    return quickly(wire)


def _parse(raw: bytes) -> Any:
    try:
        text = raw.decode("utf-8").strip(_BLANKS)
        value, end = _SCAN(text, 0)
        if end != len(text):
            raise json.JSONDecodeError("Extra data", text, end)
        return value
    except StopIteration as error:
        raise Malformed(PARSE_ERROR, f"Parse error: Expecting value at {error.value}") from error
    except UnicodeDecodeError as error:
        raise Malformed(PARSE_ERROR, "Parse error: not UTF-8") from error
    except json.JSONDecodeError as error:
        raise Malformed(PARSE_ERROR, f"Parse error: {error.msg} at {error.pos}") from error
    except RecursionError as error:
        raise Malformed(PARSE_ERROR, "Parse error: nested too deeply") from error
    except NotJson as error:
        raise Malformed(PARSE_ERROR, f"Parse error: {error}") from error
    except ValueError as error:  # a number of thousands of digits
        raise Malformed(INVALID_REQUEST, "Invalid request: number out of range") from error


def _constant(name: str) -> Any:
    raise NotJson(f"{name} is not JSON")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise NotJson("number out of range")
    return number


def _whole(message: JSON) -> bool:
    try:
        json.dumps(message, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def _whole_id(id: Id | None) -> Id | None:
    return None if isinstance(id, str) and not id.isprintable() else id


# The half of the standard library's reader that is written in C, without the little work in Python
# around it: that would be a part of the time of a call.
_BLANKS = " \t\n\r"
_SCAN = json.JSONDecoder(
    object_pairs_hook=unique, parse_constant=_constant, parse_float=_finite
).scan_once  # type: ignore[attr-defined]
