"""SHA-256 as hexadecimal text, without the cost of loading OpenSSL at every start."""

from __future__ import annotations

from typing import Any

try:
    from _sha2 import sha256 as _sha256  # type: ignore[import-not-found,unused-ignore]
except ImportError:
    try:  # Python 3.11
        from _sha256 import sha256 as _sha256  # type: ignore[import-not-found,unused-ignore,no-redef]
    except ImportError:
        from hashlib import sha256 as _sha256  # type: ignore[assignment,unused-ignore]

_make: Any = _sha256


def sha256(data: bytes) -> str:
    """The digest of `data`, 64 hexadecimal digits."""
    found: str = _make(data).hexdigest()
    return found
