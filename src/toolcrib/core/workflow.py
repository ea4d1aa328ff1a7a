"""`WorkflowContext`: what a guided prompt began, carried from call to call by a handle.

The protocol has no sessions: the prompt mints a handle and names it in its text, and the
agent passes it on as the ordinary argument `workflow`. Any client may carry on with it.
"""

from __future__ import annotations

import os
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any

from toolcrib.core.errors import InvalidParams
from toolcrib.core.support.jsonable import dumps, plain
from toolcrib.core.support.records import bare

ARGUMENT = "workflow"
SCHEMA = {
    "type": "string",
    "description": "Handle of a guided workflow, as its prompt names it (optional)",
    "maxLength": 64,
}


@bare
class WorkflowContext:
    """One walk through a guided workflow: the prompt's arguments and the results so far."""

    session_id: str
    prompt_name: str
    prompt_args: Mapping[str, Any]
    tool_results: dict[str, Any] = field(default_factory=dict)
    created_at: float = field(default_factory=time.time)


class WorkflowStore:
    """Keeps contexts in memory, bounded in number, size and age."""

    def __init__(
        self,
        *,
        most: int = 256,
        largest: int = 1_000_000,
        longest: float = 3600.0,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._most = most
        self._largest = largest
        self._longest = longest
        self._clock = clock
        self._lock = threading.Lock()
        self._contexts: OrderedDict[str, WorkflowContext] = OrderedDict()

    def mint(self, prompt_name: str, prompt_args: Mapping[str, Any]) -> WorkflowContext:
        """Begin a workflow; its `session_id` is the handle."""
        given = plain(dict(prompt_args))
        if len(dumps(given)) > self._largest:
            raise InvalidParams(
                f"The arguments of a workflow are limited to {self._largest} characters"
            )
        context = WorkflowContext(f"wf_{os.urandom(16).hex()}", prompt_name, given)
        context.created_at = self._clock()
        with self._lock:
            self._contexts[context.session_id] = context
            self._make_room()
        return context

    def get(self, handle: str) -> WorkflowContext:
        """Find a workflow by its handle; an unknown or expired one is a clear error."""
        with self._lock:
            context = self._contexts.get(handle)
            if context is not None and not self._is_over(context):
                return context
            self._contexts.pop(handle, None)
        raise InvalidParams(
            f"Unknown or expired workflow: {handle[:64]}",
            why=f"handles live for {self._longest / 60:.0f} minutes, in memory",
            next="Get the prompt again for a new handle, or leave the argument out.",
            data={"reason": "workflow_not_found", "workflow": handle[:64]},
        )

    def remember(self, context: WorkflowContext, tool: str, result: Any) -> None:
        """Keep a tool's latest result, the oldest giving way when there is too much."""
        kept = plain(result)
        with self._lock:
            results = {name: known for name, known in context.tool_results.items() if name != tool}
            results[tool] = kept
            while len(results) > 1 and len(dumps(results)) > self._largest:
                results.pop(next(iter(results)))
            if len(dumps(results)) > self._largest:
                results[tool] = "(too large to keep)"
            # Swapped as a whole: a tool of the same workflow may be reading them right now.
            context.tool_results = results

    def _make_room(self) -> None:
        """Let go of the oldest: of those that are too many, and of those that are too old."""
        for handle, context in list(self._contexts.items()):
            if len(self._contexts) <= self._most and not self._is_over(context):
                break
            del self._contexts[handle]

    def _is_over(self, context: WorkflowContext) -> bool:
        return self._clock() - context.created_at > self._longest
