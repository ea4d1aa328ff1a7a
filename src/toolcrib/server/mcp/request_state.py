"""The state that a client carries between two rounds of one request, sealed against tampering."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Final

from toolcrib.core.tool import JSON
from toolcrib.server.mcp.protocol import Request
from toolcrib.server.mcp.seal import Seal
from toolcrib.wire.messages import INVALID_PARAMS, RpcError

LIFETIME: Final = 600.0
"""Seconds for which a sealed state is good; a shorter time is for its maker to write into it."""
_ROUNDS = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
_PURPOSE: Final = "requestState"


class RequestStates:
    """Seals `requestState` on its way out and opens it on its way in.

    It is valid for ten minutes, for the same caller, project, method, name and arguments, in this
    process or at every replica that shares the secret.
    """

    def __init__(
        self, seal: Seal, project: str = "", clock: Callable[[], float] = time.time
    ) -> None:
        self._seal = seal
        self._project = project
        self._clock = clock

    def open(self, request: Request) -> None:
        """Replace the sealed state of a request by what was sealed, or refuse the request."""
        sealed = request.params.get("requestState")
        if sealed is None or request.method not in _ROUNDS:
            return
        state = self._opened(sealed, request) if isinstance(sealed, str) else None
        if state is None:
            raise RpcError(INVALID_PARAMS, "Invalid or expired requestState")
        request.params = {**request.params, "requestState": state}

    def close(self, result: JSON, request: Request) -> None:
        """Seal the state of a result that asks for more input."""
        state = result.get("requestState")
        if result.get("resultType") == "input_required" and isinstance(state, str):
            body = json.dumps([self._clock() + LIFETIME, state]).encode()
            result["requestState"] = self._seal.close(_PURPOSE, body, self._bound(request))

    def _opened(self, sealed: str, request: Request) -> str | None:
        body = self._seal.open(_PURPOSE, sealed, self._bound(request))
        if body is None:
            return None
        expires, state = json.loads(body)
        return str(state) if self._clock() <= expires else None

    def _bound(self, request: Request) -> bytes:
        params = request.params
        target = params.get(_ROUNDS.get(request.method, ""))
        about = [self._project, request.peer.caller, request.method, target]
        return json.dumps([*about, params.get("arguments") or {}], sort_keys=True).encode()
