"""A finished call, as passed to the record of calls."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Sequence
from typing import Any, Final, Literal

from toolcrib.core.support.records import bare
from toolcrib.core.tool import CallContext

Outcome = Literal[
    "ok", "failed", "timeout", "refused", "invalid", "cancelled", "denied", "asked"
]  # fmt: skip

DENIED: Final = frozenset({"policy", "trust", "approval", "held", "flow"})
"""Refusals that somebody's rule decided; the others (breaker, limit, busy) are the server's own."""


@bare
class FinishedCall:
    """One call of a tool, one read of a resource, one prompt, or one custom method.

    `answer` holds the texts that the caller got; `parent` is the id of the call that made this
    one. `place` is the rule that refused it, as `file:line:column`.
    """

    id: str
    parent: str | None
    name: str
    arguments: dict[str, Any]
    context: CallContext
    outcome: Outcome
    milliseconds: float
    answer: Sequence[str] = ()
    error: str | None = None
    refused_by: str | None = None
    place: str | None = None


Audit = Callable[[FinishedCall], None]

_prefix = ""
_numbers = itertools.count(1)


def new_id() -> str:
    """A unique id for a call, across processes."""
    global _prefix
    if not _prefix:
        _prefix = os.urandom(6).hex()
    return f"{_prefix}{next(_numbers):x}"


def _begin_anew() -> None:
    global _prefix
    _prefix = ""


if hasattr(os, "register_at_fork"):  # asking for the process at each call would be a system call
    os.register_at_fork(after_in_child=_begin_anew)
