"""Why a call of a server's tool did not succeed, in words and as data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from toolcrib.core.errors import CallError
from toolcrib.core.tool import JSON, ToolOutput

DEADLINE: Final = "deadline"
NEVER_BACKS_OFF: Final = frozenset(("unset_reference", "login_needed", "untrusted", "disabled"))
_BROKEN = frozenset(("died", "protocol"))
"""What counts for the breaker of a tool as a deadline does."""
_REFUSED_BY = {"untrusted": "trust", "changed": "held", "disabled": "policy", "denied": "policy"}


class ServerFault(CallError):
    """A server could not be asked, or its answer could not be used; `reason` is one word."""

    code = "server_fault"

    def __init__(self, server: str, reason: str, message: str, **data: Any) -> None:
        super().__init__(message, data={"server": server, "reason": reason, **data})
        self.server = server
        self.reason = reason
        self.refused_by = _REFUSED_BY.get(reason)

    def noting(self, notes: Sequence[str]) -> ServerFault:
        """The same fault with notes at the end of its text."""
        if not notes:
            return self
        return self.saying("\n\n".join([str(self), *(f"[note: {note}]" for note in notes)]))

    def saying(self, text: str) -> ServerFault:
        """The same fault in other words."""
        data = {
            key: value
            for key, value in (self.data or {}).items()
            if key not in ("server", "reason")
        }
        return ServerFault(self.server, self.reason, text, **data)

    def output(self) -> ToolOutput:
        """The fault as a result that a model can read, the same in every era."""
        number = -32003 if self.reason == DEADLINE else -32002
        structured: JSON = {"error": {"code": number, "message": str(self), "data": self.data}}
        if self.reason == "untrusted":
            structured["error_type"] = "untrusted"
        return ToolOutput(
            [{"type": "text", "text": str(self)}],
            structured,
            True,
            timed_out=self.reason == DEADLINE,
            refused_by=self.refused_by,
            broken=self.reason in _BROKEN,
        )
