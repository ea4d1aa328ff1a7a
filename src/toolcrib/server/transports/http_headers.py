"""Checks that the headers of a request agree with its body.

In the stateless era a proxy may route by headers, so a header that contradicts the body is
refused: `MCP-Protocol-Version`, `Mcp-Method`, `Mcp-Name`, and `Mcp-Param-X` for each argument
whose schema has `x-mcp-header: X`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from toolcrib.core.support.records import record
from toolcrib.core.tool import JSON
from toolcrib.server.mcp.protocol import check_envelope
from toolcrib.wire.eras import CAPABILITIES_KEY, VERSION_KEY
from toolcrib.wire.messages import HEADER_MISMATCH, RpcError
from toolcrib.wire.versions import MODERN_VERSIONS

VERSION: Final = b"mcp-protocol-version"
METHOD: Final = b"mcp-method"
NAME: Final = b"mcp-name"
PARAM: Final = b"mcp-param-"

Headers = Mapping[bytes, bytes]
Pairs = Sequence[tuple[bytes, bytes]]

_NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
_ENCODED = re.compile(r"=\?base64\?(.*)\?=")
_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_DECIMAL = re.compile(r"-?[0-9]+(?:\.0+)?")
_KINDS = ("string", "integer", "boolean")
# Keywords whose values are data, not schemas: nothing in them is an annotation.
_DATA = ("default", "examples", "const", "enum")


@record
class Mirrored:
    """An argument that a client repeats in a header."""

    path: tuple[str, ...]
    header: str
    kind: str


def check_agreement(headers: Headers, pairs: Pairs, method: str, params: JSON) -> None:
    """Raise unless envelope and headers of a stateless request say the same, and are served."""
    if len(headers) != len(pairs):
        _check_single(pairs)
    meta = params.get("_meta")
    version = meta.get(VERSION_KEY) if isinstance(meta, dict) and CAPABILITIES_KEY in meta else None
    if version is None:
        check_envelope(params)
    if version is None or _decoded(headers, VERSION) != version:
        raise _mismatch("MCP-Protocol-Version", f"params._meta[{VERSION_KEY!r}]")
    if _decoded(headers, METHOD) != method:
        raise _mismatch("Mcp-Method", "the method")
    key = _NAMED.get(method)
    if key is not None:
        target = params.get(key)
        if target is not None and _plain(_decoded(headers, NAME)) != target:
            raise _mismatch("Mcp-Name", f"params.{key}")
    check_envelope(params)


def check_notification(headers: Headers) -> None:
    """Raise unless a notification comes in a version that is served; its other headers are free."""
    version = _decoded(headers, VERSION) or ""
    if version not in MODERN_VERSIONS:
        check_envelope({"_meta": {VERSION_KEY: version, CAPABILITIES_KEY: {}}})


def mirrored_arguments(schema: Any) -> tuple[Mirrored, ...]:
    """The arguments with `x-mcp-header`; none at all where one of the annotations is invalid."""
    found = tuple(_reachable(schema, ()))
    names = [each.header.lower() for each in found]
    sound = all(each.kind in _KINDS and _TOKEN.fullmatch(each.header) for each in found)
    if not sound or len(set(names)) != len(names) or _annotations(schema) != len(found):
        return ()
    return found


def check_mirrored(
    mirrored: Sequence[Mirrored], pairs: Pairs, arguments: Mapping[str, Any]
) -> None:
    """Raise unless each mirrored argument and its header are both there and equal, or both not."""
    given: dict[str, list[str]] = {}
    for name, value in pairs:
        if name.startswith(PARAM):
            key = name[len(PARAM) :].decode("latin-1")
            given.setdefault(key, []).append(value.decode("latin-1"))
    for each in mirrored:
        values = given.get(each.header.lower(), [])
        argument = _value(arguments, each.path)
        text = _header_text(argument)
        what = f"the argument {'.'.join(each.path)!r}"
        if len(values) > 1:
            raise RpcError(HEADER_MISMATCH, f"Mcp-Param-{each.header} is there more than once")
        if bool(values) != (text is not None):
            raise _mismatch(f"Mcp-Param-{each.header}", what)
        if values and not _equal(each.kind, argument, text, _plain(values[0])):
            raise _mismatch(f"Mcp-Param-{each.header}", what)


def _check_single(pairs: Pairs) -> None:
    for name in (VERSION, METHOD, NAME):
        if sum(key == name for key, _ in pairs) > 1:
            raise RpcError(HEADER_MISMATCH, f"{name.decode()} is there more than once")


def _mismatch(header: str, what: str) -> RpcError:
    return RpcError(HEADER_MISMATCH, f"The header {header} does not match {what}")


def _decoded(headers: Headers, name: bytes) -> str | None:
    value = headers.get(name)
    return None if value is None else value.decode("latin-1")


def _plain(text: str | None) -> str | None:
    """The text that a header carries; None where it is marked as base64 and is not."""
    if text is None or not text.startswith("=?base64?"):
        return text
    match = _ENCODED.fullmatch(text)
    if match is None:
        return text
    import base64

    try:
        data = base64.b64decode(match[1], validate=True)
        # The decoder passes over stray bits at the end; one value has one spelling here.
        return data.decode() if base64.b64encode(data).decode() == match[1] else None
    except ValueError:
        return None


def _reachable(schema: Any, path: tuple[str, ...]) -> Iterator[Mirrored]:
    """Annotated properties below `schema`, through `properties` alone."""
    properties = schema.get("properties") if isinstance(schema, dict) else None
    if not isinstance(properties, dict):
        return
    for name, inner in properties.items():
        here = (*path, name)
        if isinstance(inner, dict) and "x-mcp-header" in inner:
            yield Mirrored(here, str(inner["x-mcp-header"]), str(inner.get("type")))
        yield from _reachable(inner, here)


def _annotations(schema: Any, named: bool = False) -> int:
    """How many annotations stand anywhere in a schema; with `named` its keys are no keywords."""
    if isinstance(schema, list):
        return sum(_annotations(each) for each in schema)
    if not isinstance(schema, dict):
        return 0
    own = 0 if named else int("x-mcp-header" in schema)
    return own + sum(
        _annotations(inner, not named and key in ("properties", "$defs", "patternProperties"))
        for key, inner in schema.items()
        if named or key not in _DATA
    )


def _value(arguments: Any, path: tuple[str, ...]) -> Any:
    for key in path:
        arguments = arguments.get(key) if isinstance(arguments, dict) else None
    return arguments


def _header_text(value: Any) -> str | None:
    """A value as clients write it into a header; None for nothing, and for what no header holds."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, (str, int, float)) else None


def _equal(kind: str, value: Any, text: str | None, given: str | None) -> bool:
    if given is None:
        return False
    if kind == "integer" and not isinstance(value, (bool, str)) and _DECIMAL.fullmatch(given):
        return len(given) < 4000 and value == int(given.partition(".")[0])
    return given == text
