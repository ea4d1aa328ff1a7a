"""Events that a person causes at a terminal, in the record of the project's calls."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toolcrib.core.errors import ToolcribError

if TYPE_CHECKING:
    from toolcrib.server.record import CallRecord


@contextmanager
def recording(project: Path) -> Iterator[CallRecord | None]:
    """The record that the settings ask for at this moment; None where there is none."""
    record = _opened(project)
    try:
        yield record
    finally:
        if record is not None:
            record.stop()


def note(project: Path, kind: str, **more: Any) -> None:
    """Write one event, if calls of this project are recorded at all."""
    with recording(project) as record:
        if record is not None:
            record.event(kind, by=user(), **more)


def user() -> str:
    """Who sits here, as the machine knows them."""
    uid = os.geteuid() if hasattr(os, "geteuid") else None
    try:
        import pwd

        return pwd.getpwuid(uid).pw_name if uid is not None else os.environ.get("USERNAME", "")
    except (ImportError, KeyError):
        return str(uid) if uid is not None else os.environ.get("USERNAME", "")


def _opened(project: Path) -> CallRecord | None:
    from toolcrib.server.record import STANDARD_OUTPUT, opened_record
    from toolcrib.settings import load

    try:
        settings = load(project).server
        if not settings.audit or settings.audit == STANDARD_OUTPUT:
            return None
        return opened_record(project, settings)
    except (ToolcribError, OSError):
        return None  # settings that cannot be read name no record
