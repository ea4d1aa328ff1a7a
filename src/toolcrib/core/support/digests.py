"""Digests as hexadecimal text, without the cost of loading OpenSSL at every start."""

from __future__ import annotations

from typing import Any

try:
    from _sha2 import sha256 as _sha256  # type: ignore[import-not-found,unused-ignore]
except ImportError:
    try:  # Python 3.11
        from _sha256 import sha256 as _sha256  # type: ignore[import-not-found,unused-ignore,no-redef]
    except ImportError:
        from hashlib import sha256 as _sha256  # type: ignore[assignment,unused-ignore]

try:
    from _blake2 import blake2b as _blake2b
except ImportError:
    from hashlib import blake2b as _blake2b

_make: Any = _sha256
_make_keyed: Any = _blake2b
_left = 1 << 20
"""Bytes after which OpenSSL, which is five times as fast, is worth its loading."""


def sha256(data: bytes) -> str:
    """The digest of `data`, 64 hexadecimal digits."""
    global _left, _make
    if _left > 0:
        _left -= len(data)
        if _left <= 0:
            from hashlib import sha256 as faster

            _make = faster
    found: str = _make(data).hexdigest()
    return found


def keyed(key: bytes, *parts: bytes) -> str:
    """A keyed digest (MAC) of several parts; where one part ends makes a difference."""
    seal = _make_keyed(key=key, digest_size=32)
    for part in parts:
        seal.update(len(part).to_bytes(8, "big"))
        seal.update(part)
    found: str = seal.hexdigest()
    return found


def swift_digest(data: bytes) -> str:
    """A strong digest, 64 hexadecimal digits, fast on large data and without OpenSSL."""
    found: str = _make_keyed(data, digest_size=32).hexdigest()
    return found


def hasher() -> Any:
    """An incremental digest: call `update`, then `hexdigest` (32 digits)."""
    return _make_keyed(digest_size=16)


def short_digest(data: bytes) -> str:
    """A digest of `data` as a name for it, 32 hexadecimal digits."""
    making = hasher()
    making.update(data)
    found: str = making.hexdigest()
    return found
