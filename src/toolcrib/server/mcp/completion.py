"""`completion/complete`: values for an argument of a prompt or a variable of a template."""

from __future__ import annotations

from typing import Final

from toolcrib.core.tool import JSON
from toolcrib.server.mcp.prompts import PromptCatalog
from toolcrib.server.mcp.protocol import Request, object_param, text_param
from toolcrib.server.mcp.resources import ResourceCatalog
from toolcrib.wire.messages import INVALID_PARAMS, RpcError

_MOST: Final = 100
"""Values in one answer, by the specification."""


async def completion(request: Request, prompts: PromptCatalog, resources: ResourceCatalog) -> JSON:
    """Answer the request from the prompt or the template that it names."""
    ref = object_param(request.params, "ref")
    argument = object_param(request.params, "argument")
    given = object_param(object_param(request.params, "context"), "arguments")
    kind = ref.get("type")
    if kind not in ("ref/prompt", "ref/resource"):
        raise RpcError(INVALID_PARAMS, "params.ref.type must be ref/prompt or ref/resource")
    name, value = text_param(argument, "name"), text_param(argument, "value")
    if kind == "ref/prompt":
        found = prompts.complete(text_param(ref, "name"), name, value, given)
    else:
        found = resources.complete(text_param(ref, "uri"), name, value, given)
    values = await found
    more = {"total": len(values), "hasMore": len(values) > _MOST}
    return {"completion": {"values": values[:_MOST], **more}}
