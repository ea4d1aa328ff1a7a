"""Skills of servers: listed from what is known, asked for one by one at the server itself.

The uris are ours, so that two servers with one skill never meet; front matter and digests are the
server's own, as a client compares them with what it reads.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from toolcrib.core.pack import READER
from toolcrib.core.tool import JSON
from toolcrib.packs.gateway.faults import ServerFault
from toolcrib.packs.gateway.life.clock import Clock
from toolcrib.packs.gateway.offers.uris import our_uri, their_uri
from toolcrib.packs.gateway.servers import Servers
from toolcrib.packs.gateway.texts import clean
from toolcrib.wire.messages import INVALID_PARAMS, METHOD_NOT_FOUND

_DYNAMIC = "dynamic"


class ServerSkills:
    """The skills of all servers that may be used."""

    def __init__(self, servers: Callable[[], Servers]) -> None:
        self._servers = servers

    async def skills(self) -> Sequence[JSON]:
        """What the servers have listed; nothing is started for it."""
        servers = self._servers()
        found: dict[str, JSON] = {}
        for server in servers.entries:
            catalogue = servers.state(server).catalogue
            for given in catalogue.skills if catalogue is not None else ():
                entry = _entry(server, given)
                if entry is not None:
                    found.setdefault(entry["uri"], entry)
        return list(found.values())

    async def skill(self, uri: str) -> JSON | None:
        """The entry of one, as its server says it now; None where that is no skill of a server."""
        servers = self._servers()
        try:
            server, own = their_uri(uri)
        except ValueError:
            return None
        if server not in servers.entries:
            return None
        with Clock(server, servers.entries[server].timeout) as clock:
            running = await servers.server_of(server, READER.get())
            try:
                result = await running.request("skills/get", {"uri": own}, clock, repeatable=True)
            except ServerFault as fault:
                if (fault.data or {}).get("server_code") in (INVALID_PARAMS, METHOD_NOT_FOUND):
                    return None
                raise
        entry = _entry(server, result.get("skill"))
        return entry if entry is not None and entry["uri"] == uri else None


def _entry(server: str, given: Any) -> JSON | None:
    """An entry under our uris; None for one that no client may load."""
    if not isinstance(given, dict) or not isinstance(given.get("uri"), str):
        return None
    said, files = given.get("frontmatter"), given.get("resources")
    if not isinstance(said, dict):
        return None
    if not (_plain(said.get("name")) and _plain(said.get("description"))):
        return None
    found = {**given, "uri": our_uri(server, given["uri"])}
    if files == _DYNAMIC:
        return found
    if not isinstance(files, list) or not all(map(_is_file, files)):
        return None
    if given["uri"] not in {each["uri"] for each in files}:
        return None
    return {**found, "resources": [{**each, "uri": our_uri(server, each["uri"])} for each in files]}


def _plain(text: Any) -> bool:
    """Whether a text has no characters that hide or turn around: here it cannot be cleaned."""
    return isinstance(text, str) and clean(text) == text


def _is_file(given: Any) -> bool:
    if not isinstance(given, dict):
        return False
    return isinstance(given.get("uri"), str) and isinstance(given.get("digest"), str)
