"""`tools/call`: one call from its params to its result, in the form of its protocol era."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping
from types import MappingProxyType
from typing import Any

from toolcrib.core.errors import (
    Busy,
    CallError,
    InvalidArguments,
    InvalidParams,
    MethodFailed,
    ToolcribError,
)
from toolcrib.core.executor import ToolExecutor
from toolcrib.core.result import Result
from toolcrib.core.support.jsonable import dumps, plain
from toolcrib.core.tool import JSON, CallContext, Tool, ToolOutput
from toolcrib.server.mcp.protocol import LOG_LEVELS, Request, object_param, rpc_error
from toolcrib.wire.eras import LEGACY, LOG_LEVEL_KEY, MODERN, Era
from toolcrib.wire.messages import INVALID_PARAMS, INVALID_REQUEST, RpcError

_NOTHING: Mapping[str, Any] = MappingProxyType({})
_MODERN_ALONE = ("resultType", "inputRequests", "requestState", "structuredContent")
"""Further members of an output that earlier eras do not have, or have as an object alone."""
TICK = 1.0
"""Seconds between automatic progress notifications while a call runs."""


class CallClient:
    """The caller as a tool sees it: progress and log lines go where the request came from."""

    _token: Any = None
    _told = False
    _done = -1.0
    listens = False
    """Whether the caller asked for progress."""

    def __init__(self, request: Request) -> None:
        self._request = request
        if "_meta" in request.params:
            self._token = request.meta.get("progressToken")
            self.listens = isinstance(self._token, (str, int))

    async def progress(self, done: float, total: float | None, message: str | None) -> None:
        """Pass on the tool's own progress; from then on no automatic progress is sent."""
        self._told = True
        await self._send(done, total, message)

    async def log(self, level: str, data: Any, logger: str | None) -> None:
        """Pass on a log line that the caller wants to see."""
        if level not in LOG_LEVELS or not self._wants(level):
            return
        params: JSON = {"level": level, "data": plain(data)}
        if logger is not None:
            params["logger"] = logger
        await self._request.peer.notify("notifications/message", params)

    async def request(self, method: str, params: JSON) -> JSON:
        """Ask the client, where its era lets a server ask."""
        if self._request.era == MODERN:
            raise RpcError(INVALID_REQUEST, f"{method}: a server sends no requests in this era")
        return await self._request.peer.request(method, params)

    @contextlib.asynccontextmanager
    async def signs_of_life(self) -> AsyncIterator[None]:
        """While the body runs for more than a second, tell the caller that it does."""
        if not self.listens:
            yield
            return
        ticker = asyncio.create_task(self._tick())
        try:
            yield
        finally:
            ticker.cancel()

    async def _tick(self) -> None:
        seconds = 0.0
        while not self._told:
            await asyncio.sleep(TICK)
            seconds += TICK
            if not self._told:
                await self._send(seconds, None, f"running for {seconds:.0f} s")

    async def _send(self, done: float, total: float | None, message: str | None) -> None:
        # Progress may only grow; a tool that counts again from zero is not worth a broken client.
        if not self.listens or done <= self._done:
            return
        self._done = done
        params: JSON = {"progressToken": self._token, "progress": done}
        if total is not None:
            params["total"] = total
        if message is not None:
            params["message"] = message
        await self._request.peer.notify("notifications/progress", params)

    def _wants(self, level: str) -> bool:
        if self._request.era == LEGACY:
            least: Any = self._request.peer.session.log_level
        else:
            least = self._request.meta.get(LOG_LEVEL_KEY)
        return least in LOG_LEVELS and LOG_LEVELS.index(level) >= LOG_LEVELS.index(least)


async def call_tool(executor: ToolExecutor, tool: Tool, request: Request) -> JSON:
    """Run `tool` with the request's arguments, and format its result."""
    arguments = request.params.get("arguments")
    if type(arguments) is not dict:
        arguments = object_param(request.params, "arguments")
    client = CallClient(request)
    context = context_of(request, client)
    try:
        if client.listens:
            async with client.signs_of_life():
                output = await executor.run(tool, arguments, context)
        else:
            output = await executor.run(tool, arguments, context)
    except ToolcribError as error:
        output = _failure(error, tool, request.era)
    return _wire(output, request.era)


def context_of(request: Request, client: CallClient | None = None) -> CallContext:
    """What a tool or a prompt may know of the request."""
    params, peer, session = request.params, request.peer, request.peer.session
    info: Mapping[str, Any] | None = session.client or None
    capabilities: Mapping[str, Any] = session.capabilities
    meta = request.meta if "_meta" in params else _NOTHING
    if request.era == MODERN:  # else the handshake has said it
        info, capabilities = request.client_info, request.client_capabilities
    made = CallContext(
        "",
        client,
        peer.caller,
        request.era,
        request.method,
        session.id,
        info,
        capabilities,
        meta,
        _NOTHING,
        request.notes,
        request.recorded,
    )
    if "inputResponses" in params or "requestState" in params:
        state = params.get("requestState")
        made.input_responses = object_param(params, "inputResponses")
        made.request_state = state if isinstance(state, str) else None
    return made


def _failure(error: ToolcribError, tool: Tool, era: Era) -> ToolOutput:
    """A failed call as a result that a model can read, or raised as a protocol error."""
    if isinstance(error, Busy):
        told: JSON = {
            "success": False,
            "error_type": "busy",
            "retry_after_s": error.retry_after,
        }
        return ToolOutput.text(str(error), told, is_error=True)
    correctable = isinstance(error, (InvalidArguments, InvalidParams))
    if isinstance(error, MethodFailed) or (
        tool.failures == "protocol" and (correctable or era == LEGACY)
    ):
        raise rpc_error(error, era)
    if tool.failures == "envelope":
        return ToolOutput.of(_as_result(error))
    code = getattr(error, "rpc_code", INVALID_PARAMS)
    structured: JSON = {"error": {"code": code, "message": str(error)}}
    if isinstance(error, InvalidArguments) and error.ignored:
        structured["ignored"] = list(error.ignored)
    return ToolOutput.text(str(error), structured, is_error=True)


def _as_result(error: ToolcribError) -> Result[None]:
    return Result.failure(
        str(error),
        error_type=error.code.replace("-", "_"),
        error_data=error.data if isinstance(error, (CallError, InvalidParams)) else None,
    )


def _wire(output: ToolOutput, era: Era) -> JSON:
    wire: JSON = {"content": list(output.content), "isError": output.is_error}
    if output.structured is not None:
        wire["structuredContent"] = output.structured
    if output.extra:
        for name, value in output.extra.items():
            if era == MODERN or name not in _MODERN_ALONE:
                wire[name] = value
        if wire.get("resultType") == "input_required":
            del wire["content"], wire["isError"]
    return wire


def as_text(output: ToolOutput) -> str:
    """All text of an output, for a terminal."""
    texts = [item["text"] for item in output.content if item.get("type") == "text"]
    return "\n".join(texts) if texts else dumps(list(output.content))


def texts_of(result: JSON) -> list[str]:
    """All texts of an answer: of its content, its contents or its messages."""
    items = [*result.get("content", ()), *result.get("contents", ())]
    items += [message.get("content", {}) for message in result.get("messages", ())]
    return [item["text"] for item in items if isinstance(item.get("text"), str)]
