"""What must never reach a log, an audit file or an error text."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from typing import Any

from toolcrib.core.result import without_paths
from toolcrib.core.support.jsonable import shown
from toolcrib.core.support.known_secrets import KNOWN

MASK = "***"
LONGEST = 100

_LONGEST_ERROR = 500
_DEEPEST = 20
# Far enough for a secret that begins in the part that is shown to be seen as one.
_LOOKED_AT = 2000

# Compiled when the first of them is needed: most servers log nothing.
_KEYS = (
    r"(?i)passw(or)?d|passphrase|pass$|secret|token|api[_-]?key|private[_-]?key|credential"
    r"|authori[sz]ation|cookie|session[_-]?id$|bearer"
)
# Each repetition is bounded: a stranger's text must not cost the square of its length.
_TEXTS = (
    r"(?i)(?P<key>(?:password|passwd|secret|token|api[_-]?key|authorization)"
    r"[\w-]{0,40}\s{0,5}[=:]\s{0,5})"
    r"(?P<scheme>(?:bearer|basic)\s+)?(?P<value>\"[^\"]*\"|'[^']*'|[^\s,;&]+)"
    r"|(?P<bearer>\bbearer\s+)[\w.~+/=-]+"
    r"|\b(?:sk|ghp|gho|ghs|github_pat|glpat|xox[abp]|AKIA)[-_]?[A-Za-z0-9_-]{12,}"
    r"|(?P<url>\b[a-z][a-z0-9+.-]{0,30}://[^\s/:@]{1,200}:)[^\s/@]{1,200}(?=@)"
)


_SHORTEST = 14
"""A single word with fewer letters is nothing that the pattern of texts finds."""
_COMMON = 64
"""Names of at most so many characters are looked at once; longer ones would fill the memory."""

_compiled = functools.cache(re.compile)


def masked(text: str) -> str:
    """Return `text` with everything that is, or looks like, a secret replaced by stars."""
    text = KNOWN.redactor().text(text)
    if len(text) < _SHORTEST and text.isidentifier():
        return text
    return _compiled(_TEXTS).sub(_mask_match, text)


def looks_secret(name: str) -> bool:
    """Whether the value of a key or variable of that name is likely to be a secret."""
    return _found_secret(name) if len(name) <= _COMMON else _found_secret.__wrapped__(name)


@functools.lru_cache(maxsize=512)
def _found_secret(name: str) -> bool:
    return _compiled(_KEYS).search(name) is not None


def presentable(error: BaseException) -> str:
    """An exception as one line for a stranger: no secret, no absolute path, no traceback."""
    text = " ".join(shown(error)[:_LOOKED_AT].split())
    name = type(error).__name__
    return masked(without_paths(f"{name}: {text}" if text else name))[:_LONGEST_ERROR]


def sanitized(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments fit for a log: long strings cut, the values of secret-looking keys masked."""
    return _members(arguments, 0)


def _members(value: Mapping[str, Any], depth: int) -> dict[str, Any]:
    return {_cut(key): _value(key, item, depth + 1) for key, item in value.items()}


def _value(key: str, value: Any, depth: int) -> Any:
    if looks_secret(key):
        return MASK
    if isinstance(value, str):
        return _cut(value)
    if not isinstance(value, (Mapping, list, tuple)):
        return value
    if depth > _DEEPEST:
        return "…"
    if isinstance(value, Mapping):
        return _members(value, depth)
    return [_value("", item, depth + 1) for item in value]


def _cut(text: str) -> str:
    begun = masked(text[:_LOOKED_AT])
    return f"{begun[:LONGEST]}... [{len(text)} chars]" if len(text) > LONGEST else begun


def _mask_match(match: re.Match[str]) -> str:
    kept = match.group("key") or match.group("bearer") or match.group("url") or ""
    return kept + (match.group("scheme") or "") + MASK
