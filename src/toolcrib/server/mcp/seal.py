"""Signatures on what a client carries for us, so that it can be trusted when it comes back."""

from __future__ import annotations

import os
from typing import Final

_MAC: Final = 20
"""Bytes of a signature: 160 bits."""


class Seal:
    """Signs texts with one secret: `requestState`, session ids, cookies.

    With the operator's secret, a seal is valid at every replica and after a restart; without one,
    the key is generated and valid in this process only. Each purpose has its own key, so that a
    seal for one cannot be used for another.
    """

    def __init__(self, secret: bytes | None = None) -> None:
        self._secret = secret or os.urandom(32)
        self._keys: dict[str, bytes] = {}
        self.shared = secret is not None
        """Whether other processes with the same secret open what is sealed here."""

    def close(self, purpose: str, body: bytes, bound: bytes = b"") -> str:
        """`body` as text that only `open` with the same purpose and `bound` accepts."""
        return _as_text(self._signature(purpose, body, bound) + body)

    def open(self, purpose: str, text: str, bound: bytes = b"") -> bytes | None:
        """What was sealed; None where it was not, or was changed, or was bound to another thing."""
        import base64
        import hmac

        try:
            padded = text.encode("ascii") + b"=" * (-len(text) % 4)
            raw = base64.b64decode(padded, altchars=b"-_", validate=True)
        except ValueError:
            return None
        if _as_text(raw) != text:  # unused bits of the last character: a second spelling
            return None
        body = raw[_MAC:]
        known = hmac.compare_digest(raw[:_MAC], self._signature(purpose, body, bound))
        return body if known else None

    def _signature(self, purpose: str, body: bytes, bound: bytes) -> bytes:
        import hmac

        key = self._keys.get(purpose)
        if key is None:
            key = self._keys[purpose] = hmac.digest(self._secret, purpose.encode(), "sha256")
        length = len(bound).to_bytes(8, "big")
        return hmac.digest(key, length + bound + body, "sha256")[:_MAC]


def _as_text(raw: bytes) -> str:
    import base64

    return base64.urlsafe_b64encode(raw).decode("ascii").rstrip("=")
