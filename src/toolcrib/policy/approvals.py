"""Approval: a person is asked before a tool runs that changes or destroys something.

If the client supports forms (elicitation, in both eras), it asks. Otherwise the call is refused
with a number by which a person approves it: `toolcrib approve 7f3a`.
"""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from toolcrib.core.errors import MethodFailed
from toolcrib.core.expiring import ExpiringEntries, MemoryEntries
from toolcrib.core.support.digests import sha256
from toolcrib.core.support.redact import masked, sanitized
from toolcrib.core.support.workers import STORE, in_thread
from toolcrib.core.tool import JSON, CallContext, Tool, ToolOutput
from toolcrib.policy.approval_store import ApprovalStore, PendingApproval
from toolcrib.policy.remembered import fingerprint

T = TypeVar("T")

META_TOOLS = ("climax_search", "climax_call")
"""What these reach is asked for by its own name."""
_LIFETIME = 300.0
_SKEW = 60.0
"""Seconds by which the clocks of two replicas may differ."""
"""Seconds that a question in the stateless era stays open."""
_MARK = "approval:"
_REQUEST = "approval"
_NONCE = "approval-nonce"
_CODE = -32002
_INVALID = -32602
_ANYWHERE = ""


def risk_of(tool: Tool) -> str:
    """What a tool may do: `reads`, `changes` or `destroys`; in doubt, it changes something."""
    said = tool.annotations
    if said.destructive or "destructive" in tool.tags:
        return "destroys"
    return "reads" if said.read_only else "changes"


def is_asked_for(tool: Tool, level: str) -> bool:
    """Whether a person is asked before this tool runs."""
    if tool.asks:
        return True
    if level == "never" or tool.name in META_TOOLS:
        return False
    risk = risk_of(tool)
    return level == "always" or risk == "destroys" or (level == "changes" and risk == "changes")


class Approver:
    """Asks a person before a call runs, in whatever way the caller supports."""

    def __init__(
        self,
        level: str,
        store: ApprovalStore,
        folder: str,
        remembering: Callable[[], bool] = lambda: True,
        *,
        entries: ExpiringEntries | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._level = level
        self._store = store
        self._folder = folder
        self._remembering = remembering
        self._clock = clock
        self._sessions: set[tuple[str, str]] = set()
        self._entries = entries or MemoryEntries(clock)
        # What was answered here is known nowhere else, unless replicas share what they know.
        self._asked_at = _ANYWHERE if self._entries.shared else secrets.token_hex(8)

    async def __call__(
        self, tool: Tool, arguments: JSON, context: CallContext
    ) -> ToolOutput | None:
        """None if the call may run; otherwise the answer to its caller."""
        if not is_asked_for(tool, self._level):
            return None
        pending = self._described(tool, arguments)
        how = await self._stored(lambda: self._known(tool, arguments, pending, context))
        if how is None:
            answer = await self._asked(tool, pending, context)
            if isinstance(answer, ToolOutput):
                return answer
            how = answer
        context.notes["approval"] = {"how": how, "by": context.caller}
        return None

    def _known(
        self, tool: Tool, arguments: JSON, pending: PendingApproval, context: CallContext
    ) -> str | None:
        """How the call has already been approved; None if it has not."""
        if (context.owner, tool.name) in self._sessions:
            return "session"
        if self._remembering() and self._store.remembers(tool, arguments):
            return "remembered"
        return "terminal" if self._store.spend(pending.key) else None

    async def _asked(
        self, tool: Tool, pending: PendingApproval, context: CallContext
    ) -> str | ToolOutput:
        """The person's decision; an output if there is none, or the answer was no."""
        if not _has_form(context.capabilities):
            return await self._refused(pending, "nobody could be asked")
        lasting = context.session is not None or context.caller == "stdio"
        if context.era == "modern":
            answer = await self._answer_in(pending, context)
            if answer is None:
                return self._question(pending, lasting)
        else:
            answer = await _elicited(pending, context, lasting)
        decision = _decision(answer)
        if decision == "session" and lasting:
            self._sessions.add((context.owner, tool.name))
            return "session"
        if decision == "once":
            return "once"
        return await self._refused(pending, "the answer was no")

    async def _answer_in(
        self, pending: PendingApproval, context: CallContext
    ) -> Mapping[str, Any] | None:
        """The answer that came with a request of the stateless era; None where none did.

        Raises `MethodFailed` for a state that belongs to another call, was used, or is too old.
        """
        state = context.request_state
        if state is None or not state.startswith(_MARK):
            return None
        nonce, key, asked, where = json.loads(state.removeprefix(_MARK))
        expired = not -_SKEW <= self._clock() - asked <= _LIFETIME
        if expired or key != pending.key or where != self._asked_at or not await self._spent(nonce):
            raise MethodFailed(_INVALID, "Invalid or expired requestState")
        answer = context.input_responses.get(_REQUEST)
        # The tool itself asked nothing: what answered us is none of its business.
        context.request_state, context.input_responses = None, {}
        return answer if isinstance(answer, Mapping) else {}

    async def _spent(self, nonce: str) -> bool:
        """Use up the nonce of a question; whether this is the first answer to it."""
        return await self._stored(lambda: self._entries.spend(_NONCE, nonce, _LIFETIME + _SKEW))

    async def _stored(self, work: Callable[[], T]) -> T:
        """Query the store, in a thread if it is a database."""
        if self._store.shared or self._entries.shared:
            return await in_thread(work, share=STORE)
        return work()

    def _question(self, pending: PendingApproval, lasting: bool) -> ToolOutput:
        state = json.dumps([secrets.token_hex(8), pending.key, self._clock(), self._asked_at])
        request = {"method": "elicitation/create", "params": _form(pending, lasting)}
        extra = {
            "resultType": "input_required",
            "inputRequests": {_REQUEST: request},
            "requestState": f"{_MARK}{state}",
        }
        return ToolOutput([], extra=extra)

    async def _refused(self, pending: PendingApproval, why: str) -> ToolOutput:
        number = await self._stored(lambda: self._store.wait(pending))
        text = f"{pending.tool} was not run: a person has to approve it, and {why}."
        if number is not None:
            text += f" A person can approve this call: toolcrib approve {number}"
        error = {"code": _CODE, "message": text}
        structured: JSON = {"error_type": "approval", "error": error, "id": number}
        content = [{"type": "text", "text": text}]
        return ToolOutput(content, structured, is_error=True, refused_by="approval")

    def _described(self, tool: Tool, arguments: JSON) -> PendingApproval:
        shown = tool.preview(arguments) if tool.preview is not None else {}
        command = [masked(str(word)) for word in shown.get("argv", ())]
        words = json.dumps(command or sanitized(arguments), ensure_ascii=False)
        key = sha256(json.dumps([tool.name, fingerprint(tool), arguments], default=repr).encode())
        folder = str(shown.get("folder") or self._folder)
        return PendingApproval(tool.name, words, folder, str(shown.get("network", "none")), key)


def _has_form(capabilities: Mapping[str, Any]) -> bool:
    """Whether the client can show a form; one that says nothing more than `{}` can."""
    declared = capabilities.get("elicitation")
    return isinstance(declared, Mapping) and (not declared or "form" in declared)


async def _elicited(
    pending: PendingApproval, context: CallContext, lasting: bool
) -> Mapping[str, Any]:
    """The answer of a client in an era where a server may ask."""
    if context.client is None:
        return {}
    try:
        return await context.client.request("elicitation/create", _form(pending, lasting))
    except Exception:  # noqa: BLE001 - whatever a client answers instead, it is not a yes
        return {}


def _form(pending: PendingApproval, lasting: bool) -> JSON:
    choices = ["once", "session", "no"] if lasting else ["once", "no"]
    message = (
        f"Run {pending.tool}?\n{pending.words}\nin {pending.folder}\nnetwork: {pending.network}"
    )
    decision = {"type": "string", "enum": choices, "description": "Run it once, always now, or not"}
    schema = {"type": "object", "properties": {"decision": decision}, "required": ["decision"]}
    return {"mode": "form", "message": message, "requestedSchema": schema}


def _decision(answer: Mapping[str, Any]) -> str:
    content = answer.get("content")
    if answer.get("action") != "accept" or not isinstance(content, Mapping):
        return "no"
    return str(content.get("decision", "no"))
