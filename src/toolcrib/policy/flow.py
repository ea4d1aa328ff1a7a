"""Flow: private data, untrusted text and a way to send data out, in one session.

Each of the three is harmless alone. After a server with private data and one with untrusted text
have answered in a session, the agent may be tricked into sending the data through a third.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection
from typing import Final, Literal

PRIVATE: Final = "private"
UNTRUSTED: Final = "untrusted"
OUTBOUND: Final = "outbound"
LABELS: Final = (PRIVATE, UNTRUSTED, OUTBOUND)
META_KEY: Final = "toolcrib/flow"
Mode = Literal["off", "warn", "block"]
_MOST_SESSIONS = 10_000


class Flow:
    """Remembers, for each session, which kinds of servers have answered."""

    def __init__(self, mode: Mode) -> None:
        self.mode = mode
        self._answered: OrderedDict[str, frozenset[str]] = OrderedDict()

    def concern(self, session: str, server: str, labels: Collection[str]) -> str | None:
        """Why a call may leak data; None if it is harmless."""
        if self.mode == "off" or OUTBOUND not in labels:
            return None
        if not self._answered.get(session, frozenset()) >= {PRIVATE, UNTRUSTED}:
            return None
        return (
            f"Server {server!r} can send data out, and in this session a server with private data "
            "and one with untrusted text have both answered"
        )

    def answered(self, session: str, labels: Collection[str]) -> None:
        """A server with these labels has answered in a session."""
        if self.mode == "off" or not labels:
            return
        known = frozenset(labels) & {PRIVATE, UNTRUSTED}
        if not known:
            return
        self._answered[session] = self._answered.get(session, frozenset()) | known
        self._answered.move_to_end(session)
        if len(self._answered) > _MOST_SESSIONS:
            self._answered.popitem(last=False)


def all_three(labels: dict[str, Collection[str]]) -> dict[str, list[str]]:
    """The servers by label where all three labels are there; nothing otherwise."""
    found = {
        label: sorted(name for name, given in labels.items() if label in given) for label in LABELS
    }
    return found if all(found.values()) else {}
