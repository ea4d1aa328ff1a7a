"""Tool names for model APIs that allow nothing but letters, digits, `_` and `-`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

_ALLOWED = r"[a-zA-Z0-9_-]{1,64}"
_OTHER = r"[^a-zA-Z0-9_-]"


def safe_names(names: Iterable[str]) -> dict[str, str]:
    """Map each name to one of `^[a-zA-Z0-9_-]{1,64}$`, no two to the same.

    A name that is fine keeps itself. Others get `_` for what is not allowed, and a short
    fingerprint where that is too long or would meet another name; so the spelling depends on
    the set of names alone, never on their order.
    """
    known = sorted(set(names))
    plain = {name: re.sub(_OTHER, "_", name) for name in known}
    uses = Counter(plain.values())
    return {
        name: name if re.fullmatch(_ALLOWED, name) else _spelling(name, short, uses[short])
        for name, short in plain.items()
    }


def _spelling(name: str, short: str, uses: int) -> str:
    if uses == 1 and 0 < len(short) <= 64:
        return short
    import hashlib  # few catalogs have such a name, and every server starts

    return f"{short[:55]}_{hashlib.sha256(name.encode()).hexdigest()[:8]}"
