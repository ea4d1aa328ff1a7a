"""The skills of all packs: `skills/list` and `skills/get` of the extension for skills."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from toolcrib.core.errors import InvalidParams
from toolcrib.core.pack import READER, SkillSource
from toolcrib.core.tool import JSON
from toolcrib.server.mcp.paging import page_as_wire, page_of
from toolcrib.server.mcp.protocol import Request, text_param
from toolcrib.wire.messages import METHOD_NOT_FOUND, RpcError

EXTENSION: Final = "io.modelcontextprotocol/skills"


class SkillCatalog:
    """Lists the skills of all packs, and finds one by the uri of its SKILL.md."""

    def __init__(self, sources: Sequence[SkillSource | None]) -> None:
        self._sources = [each for each in sources if each is not None]

    def __bool__(self) -> bool:
        return bool(self._sources)

    async def page(self, request: Request, size: int) -> JSON:
        """One page of all skills."""
        found = [entry for each in self._asked(request) for entry in await each.skills()]
        found.sort(key=_uri)
        page, following = page_of(found, request.params.get("cursor"), size, _uri)
        return page_as_wire("skills", list(page), following)

    async def get(self, request: Request) -> JSON:
        """The entry of one skill; raises `InvalidParams` for what is none."""
        sources = self._asked(request)
        uri = text_param(request.params, "uri")
        for each in sources:
            entry = await each.skill(uri)
            if entry is not None:
                return {"skill": entry}
        raise InvalidParams(f"No skill is served at {uri}", data={"uri": uri})

    def _asked(self, request: Request) -> Sequence[SkillSource]:
        if not self._sources:
            raise RpcError(METHOD_NOT_FOUND, f"Method not found: {request.method}")
        READER.set(request.peer.session.id or request.peer.caller)
        return self._sources


def _uri(entry: JSON) -> str:
    return str(entry["uri"])
