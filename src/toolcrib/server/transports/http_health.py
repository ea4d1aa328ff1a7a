"""Liveness and readiness: `/livez`, `/healthz`, `/readyz`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, Literal

from toolcrib.core.support.records import bare
from toolcrib.core.tool import JSON
from toolcrib.server.readiness import STORE, Check

LIVE: Final = ("/livez", "/healthz")
READY: Final = "/readyz"
Status = Literal["ready", "starting", "degraded", "leaving"]


@bare
class HealthRoutes:
    """The answers of the health routes."""

    checks: Callable[[], Mapping[str, Check]]
    revision: Callable[[], str | None]
    needs_store: bool = False
    leaving: bool = False

    def ready(self) -> tuple[int, JSON]:
        """The HTTP status and the body of `/readyz`."""
        checks = self.checks()
        status = self._status(checks)
        body: JSON = {
            "status": status,
            "checks": {name: check.to_wire() for name, check in checks.items()},
            "revision": self.revision(),
        }
        return (200 if status in ("ready", "degraded") else 503), body

    def _status(self, checks: Mapping[str, Check]) -> Status:
        if self.leaving:
            return "leaving"
        failed = [name for name, check in checks.items() if not check.ok]
        if any(name != STORE or self.needs_store for name in failed):
            return "starting"
        return "degraded" if failed else "ready"
