"""Any Python value as plain JSON, without surprises and without a `TypeError`."""

from __future__ import annotations

import dataclasses
import enum
import json
import math
from collections.abc import Iterable, Mapping
from typing import Any

# Deep enough for real data; a value that contains itself ends here instead of in a crash.
_DEEPEST = 100


def plain(value: Any, depth: int = 0) -> Any:
    """Return `value` made of dict, list, str, int, float, bool and None alone.

    NaN and the infinities become None, sets become sorted lists, bytes become text where they
    are UTF-8 and base64 where they are not, and what nobody knows becomes its `str()`.
    """
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, enum.Enum):
        return plain(value.value, depth + 1)
    if isinstance(value, str):
        return str(value).encode("utf-8", "replace").decode() if _torn(value) else str(value)
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if depth >= _DEEPEST:
        return "…"
    return _plain_container(value, depth)


def dumps(value: Any) -> str:
    """Return `value` as compact JSON text, in the same spelling everywhere."""
    return json.dumps(plain(value), ensure_ascii=False, separators=(",", ":"))


def _plain_container(value: Any, depth: int) -> Any:
    if isinstance(value, Mapping):
        return {_key(key): plain(item, depth + 1) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item, depth + 1) for item in value]
    if isinstance(value, (set, frozenset)):
        return sorted((plain(item, depth + 1) for item in value), key=lambda item: dumps(item))
    if isinstance(value, (bytes, bytearray, memoryview)):
        return _text_of(bytes(value))
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        named = {f.name: getattr(value, f.name, None) for f in dataclasses.fields(value)}
        return plain(named, depth + 1)
    if hasattr(value, "model_dump") and not isinstance(value, type):
        return plain(value.model_dump(mode="python"), depth + 1)
    # Dates and times, without loading their module for everybody who has none.
    if callable(getattr(value, "isoformat", None)):
        return plain(value.isoformat(), depth + 1)
    if isinstance(value, BaseException):
        return f"{type(value).__name__}: {value}"
    if isinstance(value, Iterable) and not isinstance(value, type):
        return [plain(item, depth + 1) for item in value]
    return _shown(value)


def _shown(value: Any) -> str:
    try:
        return str(value)
    except Exception:  # noqa: BLE001 - a stranger's __str__ may raise anything
        return f"<{type(value).__name__}>"


def _key(key: Any) -> str:
    shown = plain(key)
    return shown if isinstance(shown, str) else dumps(shown)


def _text_of(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        import base64

        return base64.b64encode(data).decode("ascii")


def _torn(text: str) -> bool:
    """Lone surrogates cannot be written as UTF-8."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False
