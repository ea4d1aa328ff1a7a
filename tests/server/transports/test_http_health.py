"""Whether the server lives, and whether it is ready."""

from __future__ import annotations

import pytest

from toolcrib.server.readiness import Check
from toolcrib.server.transports.http_health import HealthRoutes

GOOD, BAD = Check(True), Check(False, "away")


@pytest.mark.parametrize(
    ("checks", "needs_store", "leaving", "status", "word"),
    [
        ({"packs": GOOD, "store": GOOD}, False, False, 200, "ready"),
        ({"packs": GOOD, "store": BAD}, False, False, 200, "degraded"),
        ({"packs": GOOD, "store": BAD}, True, False, 503, "starting"),
        ({"packs": GOOD, "index_guide": BAD}, False, False, 503, "starting"),
        ({"index_guide": BAD, "store": BAD}, False, False, 503, "starting"),
        ({"packs": GOOD}, False, True, 503, "leaving"),
    ],
)
def test_the_status_follows_from_what_is_there(
    checks: dict[str, Check], needs_store: bool, leaving: bool, status: int, word: str
) -> None:
    """R-7: 200 for ready and degraded alone; the store counts only where it is needed."""
    health = HealthRoutes(lambda: checks, lambda: "abc", needs_store, leaving)
    code, body = health.ready()
    assert (code, body["status"], body["revision"]) == (status, word, "abc")
    assert body["checks"] == {name: check.to_wire() for name, check in checks.items()}
