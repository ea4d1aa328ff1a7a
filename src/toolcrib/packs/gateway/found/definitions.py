"""Which tools of a server may be used: sound, wanted, not held, and allowed by the policy.

Computed once for each state of a server, since every search and every call needs it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from toolcrib.core.support.gc_pause import no_collections
from toolcrib.core.tool import JSON
from toolcrib.packs.gateway.found.acceptance import unacceptable
from toolcrib.packs.gateway.servers import Servers, State
from toolcrib.policy.layers import Layers
from toolcrib.policy.model import ToolPolicy
from toolcrib.policy.servers import LayerVerdict, ServerTool, verdicts

_NOTHING: Final[Mapping[str, Usable]] = {}


class Usable(NamedTuple):
    """A tool that may be used: as the server wrote it, and what policies say of its arguments."""

    given: JSON
    rules: tuple[ToolPolicy, ...] = ()
    description: str | None = None
    """What the policy says that it does, instead of the server."""
    places: tuple[str, ...] = ()
    """The line of each policy that decided, as `file:line`."""


class UsableOf(NamedTuple):
    """The usable tools of one server, and what they were worked out from."""

    state: State
    layers: Layers | None
    tools: Mapping[str, Usable]
    stamp: str
    """Stands for what may be used, and what the policy says that it does."""


class UsableTools:
    """The usable tools of all servers."""

    def __init__(
        self, servers: Callable[[], Servers], policy: Callable[[], Layers | None] = lambda: None
    ) -> None:
        self._servers = servers
        self._policy = policy
        self._known: dict[str, UsableOf] = {}

    def of(self, server: str) -> Mapping[str, Usable]:
        """The tools of a server that may be used, by their own names."""
        return self.of_state(self._servers().state(server))

    def of_state(self, state: State) -> Mapping[str, Usable]:
        """The same for a state that was just looked at."""
        return self._of(state).tools if state.catalogue is not None else _NOTHING

    def stamp(self, state: State) -> str:
        """With the same stamp and catalogue, the usable tools are the same."""
        return self._of(state).stamp

    def _of(self, state: State) -> UsableOf:
        layers = self._policy()
        known = self._known.get(state.entry.name)
        if known is not None and known.layers is layers:
            before = known.state
            if before is state or (
                before.entry is state.entry
                and before.catalogue is state.catalogue
                and before.held is state.held
            ):
                return known
        with no_collections():
            tools = _usable(state, layers)
        made = self._known[state.entry.name] = UsableOf(state, layers, tools, _stamp(state, tools))
        return made

    def verdicts(self, server: str, bare: str) -> list[LayerVerdict]:
        """What each policy says of a tool that the server has."""
        state = self._servers().state(server)
        tools = state.catalogue.tools if state.catalogue is not None else []
        given = next((tool for tool in tools if tool.get("name") == bare), {})
        return verdicts(self._policy(), policy_view(state, bare, given))

    def unseen(self, state: State, bare: str) -> list[LayerVerdict]:
        """What each policy says of a tool of a server that has said nothing yet: at its best."""
        best = {"annotations": {"readOnlyHint": True}}
        return verdicts(self._policy(), policy_view(state, bare, best))


def policy_view(state: State, bare: str, given: JSON) -> ServerTool:
    """A tool as policies see it."""
    read_only = hints_of(given).get("readOnlyHint") is True
    return ServerTool(state.entry.name, bare, read_only, state.entry.source == "user")


def hints_of(given: JSON) -> Mapping[str, Any]:
    """The annotations of a tool, or nothing."""
    found = given.get("annotations")
    return found if isinstance(found, dict) else {}


def _usable(state: State, layers: Layers | None) -> Mapping[str, Usable]:
    found: dict[str, Usable] = {}
    seen: set[str] = set()
    tools = state.catalogue.tools if state.catalogue is not None else []
    refused = set(unacceptable(state.catalogue)) if state.catalogue is not None else set()
    for number, tool in enumerate(tools):
        name = tool.get("name")
        if not isinstance(name, str) or name in seen or number in refused:
            continue
        seen.add(name)
        if not state.entry.offers(name) or state.held.tool(name):
            continue
        if layers is None:
            found[name] = Usable(tool)
            continue
        told = verdicts(layers, policy_view(state, name, tool))
        rules = tuple(each.rules for each in told if each.rules is not None)
        if len(rules) == len(told):
            text = next((rule.description for rule in reversed(rules) if rule.description), None)
            places = tuple(str(each.place) for each in told if each.place.file)
            found[name] = Usable(tool, rules, text, places)
    return found


def _stamp(state: State, tools: Mapping[str, Usable]) -> str:
    catalogue = state.catalogue
    if catalogue is None or len(tools) == len(catalogue.tools):
        closed = ""
    else:
        from toolcrib.search.kept.keeping import digest

        closed = digest(*tools)
    told = [each.description for each in tools.values() if each.description]
    return " ".join((closed, *told))
