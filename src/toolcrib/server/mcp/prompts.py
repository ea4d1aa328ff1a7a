"""The prompts of all packs: listed, rendered, completed."""

from __future__ import annotations

from collections.abc import Sequence

from toolcrib.core.errors import PromptNotFound
from toolcrib.core.pack import Completing, Prompt, PromptSource
from toolcrib.core.support.workers import in_thread
from toolcrib.core.tool import JSON, CallContext
from toolcrib.server.mcp.paging import page_as_wire, page_of
from toolcrib.server.mcp.protocol import Request


class PromptCatalog:
    """Lists, renders and completes the prompts of all packs."""

    def __init__(self, sources: Sequence[PromptSource | None]) -> None:
        self._sources: list[PromptSource] = [each for each in sources if each is not None]

    def __bool__(self) -> bool:
        return bool(self._sources)

    async def page(self, request: Request, size: int) -> JSON:
        """One page of all prompts."""
        known = await in_thread(self._known)
        found = sorted((prompt for prompt, _ in known.values()), key=lambda prompt: prompt.name)
        page, following = page_of(
            found, request.params.get("cursor"), size, lambda prompt: prompt.name
        )
        return page_as_wire("prompts", [prompt.to_wire() for prompt in page], following)

    def every(self) -> list[Prompt]:
        """All prompts."""
        return [prompt for prompt, _ in self._known().values()]

    async def get(self, name: str, arguments: JSON, context: CallContext) -> JSON:
        """One prompt, its arguments filled in."""
        known = await in_thread(self._known)
        prompt, source = _chosen(known, name)
        prompt.check(arguments)
        return (await source.render(name, arguments, context)).to_wire()

    async def complete(self, name: str, argument: str, value: str, given: JSON) -> list[str]:
        """Values for an argument of a prompt."""
        _, source = _chosen(await in_thread(self._known), name)
        if isinstance(source, Completing):
            return await source.completed(name, argument, value, given)
        return await in_thread(source.complete, name, argument, value, given)

    def _known(self) -> dict[str, tuple[Prompt, PromptSource]]:
        """All prompts by name; of two with one name, the first pack's is served."""
        known: dict[str, tuple[Prompt, PromptSource]] = {}
        for source in self._sources:
            for prompt in source.prompts():
                known.setdefault(prompt.name, (prompt, source))
        return known


def _chosen(
    known: dict[str, tuple[Prompt, PromptSource]], name: str
) -> tuple[Prompt, PromptSource]:
    if name not in known:
        raise PromptNotFound(name, list(known))
    return known[name]
