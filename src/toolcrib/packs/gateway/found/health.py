"""Findings about the servers for `doctor`, each with a remedy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from toolcrib.core.pack import Health
from toolcrib.core.support.jsonable import dumps
from toolcrib.core.support.wording import counted
from toolcrib.packs.gateway.found.acceptance import acceptable
from toolcrib.packs.gateway.found.definitions import UsableTools
from toolcrib.packs.gateway.schemas import Checker, input_schema
from toolcrib.packs.gateway.servers import LOCK, Servers, State
from toolcrib.packs.gateway.texts import suspicions
from toolcrib.policy.flow import all_three

_MOST_NAMES = 10


def server_health(servers: Servers, definitions: UsableTools) -> Iterator[Health]:
    """A line for each server, and one for each thing about it that should be looked at."""
    names = {name: definitions.of(name).keys() for name in servers.entries}
    for name in servers.entries:
        state = servers.state(name)
        others = {tool for other, tools in names.items() if other != name for tool in tools}
        yield from _state_health(servers, state)
        yield from _text_health(state, others)
    yield from _flow_health({name: entry.labels for name, entry in servers.entries.items()})


def _state_health(servers: Servers, state: State) -> Iterator[Health]:
    name, catalogue = state.entry.name, state.catalogue
    if servers.unbounded(state.entry):
        text = f"server {name}: 'network' has no effect without a sandbox"
        yield Health("warning", text, '"sandbox": "auto" in its entry')
    refresh = f"toolcrib servers refresh {name}"
    noted = servers.catalogues.noted(state.entry)
    if noted.fault is not None:
        yield Health("warning", f"server {name} is unavailable: {noted.fault}", refresh)
    if noted.warning is not None and catalogue is not None:
        yield Health("warning", f"server {name}: what is known is kept: {noted.warning}", refresh)
    if catalogue is None:
        if noted.fault is None:
            yield Health("warning", f"server {name}: not seen yet", refresh)
        return
    if state.held.names or state.held.unreadable:
        yield _held_health(state, servers.against_lock(state.entry, catalogue))
    for warning in catalogue.warnings:
        yield Health("warning", f"server {name}: {warning}", refresh)
    tools = [tool for tool in catalogue.tools if acceptable(tool)]
    if refused := len(catalogue.tools) - len(tools):
        yield Health("warning", f"server {name}: {counted(refused, 'tool')} cannot be served")
    named = Counter(str(tool["name"]) for tool in tools)
    doubled = [each for each, times in named.items() if times > 1]
    if doubled:
        text = f"server {name}: has several tools of one name, the first is served: "
        yield Health("warning", text + _some(doubled))
    if servers.pins.lost(servers.catalogues.key(state.entry)):
        text = f"server {name}: its pins cannot be kept, so no other process notices a change"
        yield Health("warning", text, f"make {servers.pins.folder} writable")
    unchecked = [
        str(tool["name"])
        for tool in tools
        if not Checker(input_schema(tool.get("inputSchema"))).understood
    ]
    if unchecked:
        text = f"server {name}: arguments are left to the server to check: {_some(unchecked)}"
        yield Health("warning", text)
    if not state.held and not state.held.unreadable:
        yield Health("ok", f"server {name}: {counted(len(catalogue.tools), 'tool')}")


def _held_health(state: State, unlocked: frozenset[str] | None) -> Health:
    """What is held; `unlocked` is what the lock has otherwise, None where it cannot be read.

    Nobody can approve what the lock does not have: it is written anew first.
    """
    name, held = state.entry.name, state.held
    by_lock = unlocked is None or not unlocked.isdisjoint(held.names)
    if unlocked is None:
        text = f"all is held, {LOCK} cannot be read"
    elif held.unreadable:
        text = "all is held, its pins cannot be read"
    else:
        text = f"held {_some(held.names)}"
    cure = "toolcrib servers lock" if by_lock else f"toolcrib servers approve {name}"
    return Health("warning", f"server {name}: {text}", cure)


def _text_health(state: State, others: set[str]) -> Iterator[Health]:
    """Texts that address a model: never a reason to block, always one to look."""
    if state.catalogue is None:
        return
    # What cannot be served reaches no model, and its name may be anything, also no text at all.
    for tool in filter(acceptable, state.catalogue.tools):
        for why in suspicions(dumps(tool), others - {tool["name"]}):
            yield Health("warning", f"server {state.entry.name}: {tool['name']} {why}")
    for why in suspicions(state.catalogue.instructions or "", others):
        yield Health("warning", f"server {state.entry.name}: its instructions: {why}")


def _flow_health(labels: Mapping[str, tuple[str, ...]]) -> Iterator[Health]:
    found = all_three(dict(labels))
    if found:
        words = "; ".join(f"{label}: {', '.join(names)}" for label, names in found.items())
        text = f"private data, untrusted text and a way out can meet in one session ({words})"
        yield Health("warning", text, '[gateway] flow = "block"')


def _some(names: frozenset[str] | list[str]) -> str:
    """Names for a line, not all of them where there are many."""
    every = sorted(names)
    more = f" and {len(every) - _MOST_NAMES} more" if len(every) > _MOST_NAMES else ""
    return ", ".join(every[:_MOST_NAMES]) + more
