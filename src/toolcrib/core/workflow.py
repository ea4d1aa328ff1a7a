"""`WorkflowContext`: the state of a guided prompt, passed from call to call by a handle.

The protocol has no sessions: the prompt creates a handle and puts it in its text, and the agent
passes it as the ordinary argument `workflow`. Any client of the same caller may use it.
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
from toolcrib.core.expiring import ExpiringEntries
from toolcrib.core.support.jsonable import dumps, plain
from toolcrib.core.support.records import bare

ARGUMENT = "workflow"
SCHEMA = {
    "type": "string",
    "description": "Handle of a guided workflow, as its prompt names it (optional)",
    "maxLength": 64,
}
LOCAL = "local"
"""The caller where nobody has to say who they are."""
_KIND = "workflow"


@bare
class WorkflowContext:
    """One run of a guided workflow: the prompt's arguments and the results so far."""

    session_id: str
    prompt_name: str
    prompt_args: Mapping[str, Any]
    tool_results: dict[str, Any] = field(default_factory=dict)
    created_at: float = field(default_factory=time.time)
    caller: str = LOCAL


class WorkflowStore:
    """Stores contexts, limited in number, size and age; each belongs to the caller who created it.

    They are kept in memory, or in `entries` if these are shared by all replicas; then each method
    may wait for a database and fail with a `ToolcribError`.
    """

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
        self.entries: ExpiringEntries | None = None

    def mint(
        self, prompt_name: str, prompt_args: Mapping[str, Any], caller: str = LOCAL
    ) -> WorkflowContext:
        """Create a workflow; its `session_id` is the handle."""
        given = plain(dict(prompt_args))
        if len(dumps(given)) > self._largest:
            raise InvalidParams(
                f"The arguments of a workflow are limited to {self._largest} characters"
            )
        context = WorkflowContext(f"wf_{os.urandom(16).hex()}", prompt_name, given)
        context.created_at = self._clock()
        context.caller = caller
        if self.entries is not None:
            self._share(self.entries, context)
            return context
        with self._lock:
            self._contexts[context.session_id] = context
            self._make_room()
        return context

    def get(self, handle: str, caller: str = LOCAL) -> WorkflowContext:
        """Return a workflow; raises an error if it is unknown, expired or another caller's."""
        context = self._found(handle, caller)
        if context is not None:
            return context
        where = "in the store" if self.entries else "in memory of the process that made them"
        raise InvalidParams(
            f"Unknown or expired workflow: {handle[:64]}",
            why=f"handles live for {self._longest / 60:.0f} minutes, {where}",
            next="Get the prompt again for a new handle, or leave the argument out.",
            data={"reason": "workflow_not_found", "workflow": handle[:64]},
        )

    def in_memory(self) -> int:
        """The number of workflows kept only in this process."""
        oldest = self._clock() - self._longest
        with self._lock:
            return sum(context.created_at > oldest for context in self._contexts.values())

    def remember(self, context: WorkflowContext, tool: str, result: Any) -> None:
        """Store a tool's latest result; above the size limit, the oldest results are dropped."""
        kept = plain(result)
        if self.entries is not None:
            self.entries.change(
                _KIND,
                context.session_id,
                context.caller,
                lambda value: {
                    **value,
                    "tool_results": self._with(value["tool_results"], tool, kept),
                },
            )
            return
        with self._lock:
            # Swapped as a whole: a tool of the same workflow may be reading them right now.
            context.tool_results = self._with(context.tool_results, tool, kept)

    def _with(self, known: Mapping[str, Any], tool: str, kept: Any) -> dict[str, Any]:
        results = {name: result for name, result in known.items() if name != tool}
        results[tool] = kept
        while len(results) > 1 and len(dumps(results)) > self._largest:
            results.pop(next(iter(results)))
        if len(dumps(results)) > self._largest:
            results[tool] = "(too large to keep)"
        return results

    def _share(self, entries: ExpiringEntries, context: WorkflowContext) -> None:
        value = {
            "prompt_name": context.prompt_name,
            "prompt_args": context.prompt_args,
            "tool_results": {},
            "created_at": context.created_at,
        }
        entries.add(
            _KIND,
            context.session_id,
            value,
            owner=context.caller,
            seconds=self._longest,
            most=self._most,
        )

    def _found(self, handle: str, caller: str) -> WorkflowContext | None:
        if self.entries is not None:
            value = self.entries.get(_KIND, handle, caller)
            return WorkflowContext(session_id=handle, caller=caller, **value) if value else None
        with self._lock:
            context = self._contexts.get(handle)
            if context is not None and self._is_over(context):
                del self._contexts[handle]
                context = None
        return context if context is not None and context.caller == caller else None

    def _make_room(self) -> None:
        """Drop expired workflows, and the oldest above the limit."""
        for handle, context in list(self._contexts.items()):
            if len(self._contexts) <= self._most and not self._is_over(context):
                break
            del self._contexts[handle]

    def _is_over(self, context: WorkflowContext) -> bool:
        return self._clock() - context.created_at > self._longest
