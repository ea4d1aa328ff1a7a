"""Prompts of servers: `SERVER__PROMPT`, arguments and messages as they came."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from toolcrib.core.errors import PromptNotFound
from toolcrib.core.pack import Prompt, PromptArgument, RenderedPrompt
from toolcrib.core.tool import JSON, CallContext
from toolcrib.packs.gateway.asking.rounds import INPUT_REQUIRED, Rounds
from toolcrib.packs.gateway.faults import ServerFault
from toolcrib.packs.gateway.life.clock import Clock
from toolcrib.packs.gateway.offers.resources import completion
from toolcrib.packs.gateway.offers.uris import content_item, with_meta
from toolcrib.packs.gateway.servers import Servers
from toolcrib.packs.gateway.texts import clean
from toolcrib.policy.servers import BETWEEN


class ServerPrompts:
    """The prompts of all servers that may be used; what is held is not there."""

    def __init__(self, servers: Callable[[], Servers], rounds: Rounds) -> None:
        self._servers = servers
        self._rounds = rounds

    def prompts(self) -> Sequence[Prompt]:
        """All of them, sorted by name."""
        return sorted((prompt for _, _, prompt in self._listed()), key=lambda each: each.name)

    async def render(
        self, name: str, arguments: Mapping[str, str], context: CallContext
    ) -> RenderedPrompt:
        """Have a server fill one in."""
        server, own = self._known(name)
        servers = self._servers()
        params = {"name": own, "arguments": dict(arguments)}
        with Clock(server, servers.entries[server].timeout) as clock:
            running = await servers.server_of(server, context.owner)
            result = await self._rounds.call(
                running, "prompts/get", params, clock, context, repeatable=True
            )
        if result.get("resultType") == INPUT_REQUIRED:
            return RenderedPrompt([], extra=result)
        messages = result.get("messages")
        if not isinstance(messages, list):
            raise ServerFault(server, "protocol", f"Server {server!r} gave no messages")
        rest = {
            key: value for key, value in result.items() if key not in ("messages", "resultType")
        }
        told = [_message(server, each) for each in messages if isinstance(each, dict)]
        return RenderedPrompt(told, extra=with_meta(server, rest))

    def complete(self, name: str, argument: str, value: str, given: JSON) -> list[str]:
        """Nothing by ourselves: see `completed`."""
        return []

    async def completed(self, name: str, argument: str, value: str, given: JSON) -> list[str]:
        """Values for an argument, as the prompt's server proposes them."""
        server, own = self._known(name)
        ref = {"type": "ref/prompt", "name": own}
        return await completion(self._servers(), server, ref, argument, value, given)

    def _known(self, name: str) -> tuple[str, str]:
        for server, own, prompt in self._listed():
            if prompt.name == name:
                return server, own
        raise PromptNotFound(name, [prompt.name for _, _, prompt in self._listed()])

    def _listed(self) -> Iterator[tuple[str, str, Prompt]]:
        servers = self._servers()
        for server in servers.entries:
            state = servers.state(server)
            for given in state.catalogue.prompts if state.catalogue is not None else ():
                own = given.get("name")
                if isinstance(own, str) and own and not state.held.prompt(own):
                    yield server, own, _prompt(f"{server}{BETWEEN}{own}", server, given)


def _prompt(name: str, server: str, given: JSON) -> Prompt:
    arguments = given.get("arguments")
    known = [each for each in arguments if isinstance(each, dict)] if arguments else []
    wire = {**with_meta(server, given), "name": name}
    for key in ("title", "description"):
        if isinstance(wire.get(key), str):
            wire[key] = clean(wire[key])
    return Prompt(
        name,
        arguments=tuple(
            PromptArgument(_text(each.get("name")), required=each.get("required") is True)
            for each in known
        ),
        given=wire,
    )


def _message(server: str, message: JSON) -> JSON:
    return {**message, "content": content_item(server, message.get("content"))}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
