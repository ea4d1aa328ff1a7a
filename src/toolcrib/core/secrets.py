"""What must never reach a log, an audit file or an error text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from toolcrib.core.result import without_paths

MASK = "***"
LONGEST = 100

# Compiled when the first of them is needed, and then kept by `re`: most servers log nothing.
_KEYS = (
    r"(?i)pass(word|wd|phrase)?$|secret|token|api[_-]?key|private[_-]?key|credential|authori[sz]ation"
    r"|cookie|session[_-]?id$|bearer"
)
_TEXTS = (
    r"(?i)(?P<key>\b[\w-]*(?:password|passwd|secret|token|api[_-]?key|authorization)[\w-]*\s*[=:]\s*)"
    r"(?P<scheme>(?:bearer|basic)\s+)?(?P<value>\"[^\"]*\"|'[^']*'|[^\s,;&]+)"
    r"|(?P<bearer>\bbearer\s+)[\w.~+/=-]+"
    r"|\b(?:sk|ghp|gho|ghs|github_pat|glpat|xox[abp]|AKIA)[-_]?[A-Za-z0-9_-]{12,}"
    r"|(?P<url>\b[a-z][a-z0-9+.-]*://[^\s/:@]+:)[^\s/@]+(?=@)"
)


def masked(text: str) -> str:
    """Return `text` with everything that looks like a secret replaced by stars."""
    return re.sub(_TEXTS, _mask_match, text)


def presentable(error: BaseException) -> str:
    """An exception as one line for a stranger: no secret, no absolute path, no traceback."""
    text = " ".join(str(error).split())
    name = type(error).__name__
    return masked(without_paths(f"{name}: {text}" if text else name))[:500]


def sanitized(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments fit for a log: long strings cut, the values of secret-looking keys masked."""
    return {key: _value(key, value) for key, value in arguments.items()}


def _value(key: str, value: Any) -> Any:
    if re.search(_KEYS, key):
        return MASK
    if isinstance(value, str):
        shown = masked(value)
        return f"{shown[:LONGEST]}... [{len(value)} chars]" if len(value) > LONGEST else shown
    if isinstance(value, Mapping):
        return {str(k): _value(str(k), v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_value("", item) for item in value]
    return value


def _mask_match(match: re.Match[str]) -> str:
    kept = match.group("key") or match.group("bearer") or match.group("url") or ""
    return kept + (match.group("scheme") or "") + MASK
