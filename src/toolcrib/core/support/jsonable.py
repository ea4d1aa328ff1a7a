"""Any Python value as plain JSON, without surprises and without a `TypeError`."""

from __future__ import annotations

import dataclasses
import enum
import json
import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

# Deep enough for real data, and far from where Python's own recursion ends.
_DEEPEST = 100
# Python writes no longer number in digits; nobody else reads one.
_WIDEST_BITS = 14_000
# Made once: `json.dumps` makes a new one for each value that is not written in its own way.
_WRITER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def plain(value: Any) -> Any:
    """Return `value` made of dict, list, str, int, float, bool and None alone.

    NaN and the infinities become None, sets become sorted lists, bytes become text where they
    are UTF-8 and base64 where they are not, and unknown objects become their `str()`. Values
    nested too deeply, or in themselves, become "…".
    """
    return _plain(value, [])


def shown(value: Any) -> str:
    """Return `str(value)`, or the name of its type where that fails."""
    try:
        return _whole(str(value))
    except Exception:  # noqa: BLE001 - a stranger's __str__ may raise anything
        return f"<{type(value).__name__}>"


class NotJson(ValueError):
    """Something that Python's parser takes and JSON does not."""


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object for a parser of JSON; raises `NotJson` where a key is there twice."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise NotJson("duplicate key in an object")
    return found


def dumps(value: Any) -> str:
    """Return `value` as compact JSON text, in the same spelling everywhere."""
    return written(plain(value))


def written(value: Any) -> str:
    """The same for a value that `plain` has already converted."""
    return _WRITER.encode(value)


def quickly(value: Any) -> str:
    """`dumps` for a value that is probably plain: it is converted only if it is not."""
    text = as_it_is(value)
    return dumps(value) if text is None else text


def as_it_is(value: Any) -> str | None:
    """A value that is most likely plain as compact JSON text; None where it is not."""
    try:
        text = "".join(_encode(value, 0))
        if not text.isascii():
            text.encode()
    except (TypeError, ValueError, RecursionError):
        return None
    return text


def _plain(value: Any, around: list[int]) -> Any:
    """`around` are the ids of the values that contain this one."""
    if type(value) is str:  # most of them are
        return _whole(value)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, enum.Enum):
        return _plain(value.value, around)
    if isinstance(value, str):
        return _whole(str(value))
    if isinstance(value, int):
        return int(value) if value.bit_length() <= _WIDEST_BITS else hex(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if len(around) >= _DEEPEST or id(value) in around:
        return "…"
    around.append(id(value))
    try:
        return _contents(value, around)
    except Exception:  # noqa: BLE001 - a stranger's iterator or model may raise anything
        return shown(value)
    finally:
        around.pop()


def _contents(value: Any, around: list[int]) -> Any:
    if isinstance(value, Mapping):
        return {_key(key): _plain(item, around) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item, around) for item in value]
    if isinstance(value, (set, frozenset)):
        return sorted((_plain(item, around) for item in value), key=lambda item: dumps(item))
    if isinstance(value, (bytes, bytearray, memoryview)):
        return _text_of(bytes(value))
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        named = {f.name: getattr(value, f.name, None) for f in dataclasses.fields(value)}
        return _plain(named, around)
    if hasattr(value, "model_dump") and not isinstance(value, type):
        return _plain(value.model_dump(mode="python"), around)
    # Dates and times, without loading their module for everybody who has none.
    if callable(getattr(value, "isoformat", None)):
        return _plain(value.isoformat(), around)
    if isinstance(value, BaseException):
        return f"{type(value).__name__}: {shown(value)}"
    if isinstance(value, Iterable) and not isinstance(value, type):
        return [_plain(item, around) for item in value]
    return shown(value)


def _key(key: Any) -> str:
    if type(key) is str:
        return _whole(key)
    text = plain(key)
    return text if isinstance(text, str) else dumps(text)


def _text_of(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        import base64

        return base64.b64encode(data).decode("ascii")


def _whole(text: str) -> str:
    """The text with a question mark for each lone surrogate: those cannot be written as UTF-8."""
    if not text.isascii():
        try:
            text.encode("utf-8")
        except UnicodeEncodeError:
            return text.encode("utf-8", "replace").decode()
    return text


def _encoder() -> Callable[[Any, int], Iterable[str]]:
    """The standard library's encoder in C, in strict mode."""
    strict = json.JSONEncoder(
        ensure_ascii=False, allow_nan=False, check_circular=False, separators=(",", ":")
    )
    make = json.encoder.c_make_encoder  # type: ignore[attr-defined]
    if make is None:  # a Python without it
        return lambda value, level: [strict.encode(value)]
    text = json.encoder.encode_basestring
    made: Callable[[Any, int], Iterable[str]] = make(
        None, strict.default, text, None, ":", ",", False, False, False
    )
    return made


_encode = _encoder()
