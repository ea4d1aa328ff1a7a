"""The state that a client carries between two rounds of one request, sealed against tampering."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable

from toolcrib.core.tool import JSON
from toolcrib.server.mcp.protocol import Request
from toolcrib.wire.messages import INVALID_PARAMS, RpcError

_ROUNDS = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
_LIFETIME = 600.0


class Seal:
    """Signs `requestState` on its way out and checks it on its way in.

    A seal is good for ten minutes, for the same caller, method and name, and for this process:
    the key is made at start and kept nowhere.
    """

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._key = os.urandom(32)
        self._clock = clock

    def open(self, request: Request) -> None:
        """Replace the sealed state of a request by what was sealed, or refuse the request."""
        sealed = request.params.get("requestState")
        if sealed is None or request.method not in _ROUNDS:
            return
        state = self._checked(sealed, request) if isinstance(sealed, str) else None
        if state is None:
            raise RpcError(INVALID_PARAMS, "Invalid or expired requestState")
        request.params = {**request.params, "requestState": state}

    def close(self, result: JSON, request: Request) -> None:
        """Seal the state of a result that asks for more input."""
        state = result.get("requestState")
        if result.get("resultType") == "input_required" and isinstance(state, str):
            import base64

            body = json.dumps([self._clock() + _LIFETIME, state]).encode()
            sealed = self._signature(body, request) + body
            result["requestState"] = base64.urlsafe_b64encode(sealed).decode("ascii")

    def _checked(self, sealed: str, request: Request) -> str | None:
        import base64
        import hmac

        try:
            raw = base64.b64decode(sealed, altchars=b"-_", validate=True)
            if not hmac.compare_digest(raw[:32], self._signature(raw[32:], request)):
                return None
            expires, state = json.loads(raw[32:])
        except ValueError:
            return None
        return state if self._clock() <= expires and isinstance(state, str) else None

    def _signature(self, body: bytes, request: Request) -> bytes:
        import hmac

        target = request.params.get(_ROUNDS.get(request.method, ""))
        bound = json.dumps([request.peer.caller, request.method, target]).encode()
        return hmac.digest(self._key, bound + b"\0" + body, "sha256")
