"""MCP basics used by the rest of `server/`: eras, versions, codes, envelopes."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import field
from typing import Any, Protocol

from toolcrib.core.errors import (
    CallError,
    InvalidParams,
    MethodFailed,
    ToolcribError,
    ToolNotFound,
)
from toolcrib.core.support.records import bare
from toolcrib.core.tool import JSON
from toolcrib.wire.eras import CAPABILITIES_KEY, CLIENT_KEY, LEGACY, MODERN, VERSION_KEY, Era
from toolcrib.wire.messages import INTERNAL_ERROR, INVALID_PARAMS, UNSUPPORTED_VERSION, RpcError
from toolcrib.wire.versions import HANDSHAKE_VERSIONS, MODERN_VERSIONS

LOG_LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")


@bare
class Session:
    """The state of one legacy connection; a modern request has none of its own."""

    initialized: bool = False
    version: str = HANDSHAKE_VERSIONS[-1]
    capabilities: JSON = field(default_factory=dict)
    client: JSON = field(default_factory=dict)
    id: str | None = None
    """What the record calls it; None where requests cannot be told to belong together."""
    log_level: str = "debug"
    subscriptions: set[str] = field(default_factory=set)


class Peer(Protocol):
    """The other end, while a request of its is being answered."""

    session: Session
    caller: str

    async def notify(self, method: str, params: JSON) -> None:
        """Send a notification that belongs to the request."""

    async def request(self, method: str, params: JSON) -> JSON:
        """Ask the client; only in the eras that allow it."""


@bare
class Request:
    """One request on its way through the surface."""

    method: str
    params: JSON
    era: Era
    peer: Peer
    id: str | int | None = None
    notes: JSON = field(default_factory=dict)
    """What the transport knows for the record: address, request id, …"""
    recorded: bool = True
    """Whether it leaves a line in the record; what draws a page does not."""
    cancelled: bool = False
    """Whether the client no longer wants the answer."""
    task: asyncio.Task[Any] | None = None
    """Who answers it over a pipe, once somebody has begun with it."""

    def cancel(self) -> None:
        """The client no longer wants the answer."""
        self.cancelled = True
        if self.task is not None:
            self.task.cancel()

    @property
    def meta(self) -> Mapping[str, Any]:
        """The `_meta` of the params."""
        meta = self.params.get("_meta")
        return meta if isinstance(meta, dict) else {}

    @property
    def client_info(self) -> Mapping[str, Any] | None:
        """Name and version of the client, as far as it has told them."""
        given = self.meta.get(CLIENT_KEY) if self.era == MODERN else self.peer.session.client
        return given if isinstance(given, dict) and given else None

    @property
    def client_capabilities(self) -> Mapping[str, Any]:
        """What the client can do, by its envelope or by its handshake."""
        if self.era == MODERN:
            given = self.meta.get(CAPABILITIES_KEY)
            return given if isinstance(given, dict) else {}
        return self.peer.session.capabilities


def era_of(method: str, params: Mapping[str, Any]) -> Era:
    """Modern where the envelope names a protocol version; the handshake has none."""
    return MODERN if method != "initialize" and has_envelope(params) else LEGACY


def has_envelope(params: Mapping[str, Any]) -> bool:
    """Whether the params name a protocol version, as every request of the new era does."""
    meta = params.get("_meta")
    return isinstance(meta, dict) and VERSION_KEY in meta


def check_envelope(params: Mapping[str, Any]) -> None:
    """Raise unless the request carries a whole envelope of a version that is served."""
    meta = params.get("_meta")
    if (
        type(meta) is dict
        and type(version := meta.get(VERSION_KEY)) is str
        and version in MODERN_VERSIONS
        and type(meta.get(CAPABILITIES_KEY)) is dict
    ):
        return  # as most do
    missing = [key for key in (VERSION_KEY, CAPABILITIES_KEY) if key not in (meta or {})]
    if missing or not isinstance(meta, dict):
        raise RpcError(
            INVALID_PARAMS,
            f"params._meta is missing {' and '.join(missing)}",
            {"missing": missing},
        )
    version = meta[VERSION_KEY]
    if not isinstance(version, str):
        raise RpcError(INVALID_PARAMS, f"params._meta[{VERSION_KEY!r}] must be a string")
    if not isinstance(meta[CAPABILITIES_KEY], dict):
        raise RpcError(INVALID_PARAMS, f"params._meta[{CAPABILITIES_KEY!r}] must be an object")
    if version not in MODERN_VERSIONS:
        raise RpcError(
            UNSUPPORTED_VERSION,
            f"Unsupported protocol version: {version}",
            {"supported": list(MODERN_VERSIONS), "requested": version},
        )


def negotiated(requested: object) -> str:
    """The handshake version to answer with: the client's own, or our newest."""
    return (
        requested
        if isinstance(requested, str) and requested in HANDSHAKE_VERSIONS
        else HANDSHAKE_VERSIONS[-1]
    )


def rpc_error(error: ToolcribError, era: Era) -> RpcError:
    """A refusal as the error code of its era."""
    if isinstance(error, MethodFailed):
        return RpcError(error.rpc_code, str(error), error.data)
    if isinstance(error, ToolNotFound):
        code = error.rpc_code if era == LEGACY else INVALID_PARAMS
        return RpcError(code, str(error), error.data)
    if isinstance(error, CallError):
        return RpcError(error.rpc_code, str(error), error.data)
    if isinstance(error, InvalidParams):
        return RpcError(INVALID_PARAMS, str(error), error.data)
    return RpcError(INTERNAL_ERROR, str(error))


def text_param(params: Mapping[str, Any], name: str) -> str:
    """A required member that must be a string."""
    value = params.get(name)
    if not isinstance(value, str):
        got = "nothing" if name not in params else type(value).__name__
        raise RpcError(
            INVALID_PARAMS, f"params.{name} must be a string, got {got}", {"field": name}
        )
    return value


def object_param(params: Mapping[str, Any], name: str) -> JSON:
    """An optional member that must be an object; absent and null are an empty one."""
    value = params.get(name)
    if value is None:
        return {}
    if not isinstance(value, dict):
        got = type(value).__name__
        raise RpcError(
            INVALID_PARAMS, f"params.{name} must be an object, got {got}", {"field": name}
        )
    return value


def plain_result(result: JSON) -> Any:
    """A result without what only the protocol needs, for people and scripts."""
    return {key: value for key, value in result.items() if key not in ("_meta", "resultType")}
