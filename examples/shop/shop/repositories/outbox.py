"""Messages that wait to be sent, written in the transaction that caused them. See ADR 0014."""

from __future__ import annotations

import json
import sqlite3


class Outbox:
    """A queue that is a table."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def put(self, topic: str, **payload: object) -> None:
        """Leave a message; it exists exactly when the transaction does."""
        self._connection.execute(
            "INSERT INTO outbox (topic, payload) VALUES (?, ?)", (topic, json.dumps(payload))
        )

    def waiting(self) -> list[tuple[str, dict[str, object]]]:
        """The messages that nobody has sent yet, oldest first."""
        rows = self._connection.execute("SELECT * FROM outbox WHERE sent = 0 ORDER BY id")
        return [(row["topic"], json.loads(row["payload"])) for row in rows]
