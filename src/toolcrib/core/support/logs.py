"""Logs: to stderr or a file, silent below WARNING unless asked, with a level below DEBUG.

TRACE is for what happens on every call. Nothing here ever writes to stdout: over stdio that is
the wire.
"""

from __future__ import annotations

import json
import logging
import sys
from pathlib import Path
from typing import Any

from toolcrib.core.support.printable import escaped, printable

TRACE = 5
LEVELS = ("TRACE", "DEBUG", "INFO", "WARNING", "ERROR")

_TEXT = "%(asctime)s %(levelname)s %(name)s: %(message)s"

logging.addLevelName(TRACE, "TRACE")


def get_logger(name: str = "") -> logging.Logger:
    """Return the logger of a part of toolcrib: `get_logger("tools")` is `toolcrib.tools`."""
    inside = not name or name == "toolcrib" or name.startswith("toolcrib.")
    return logging.getLogger((name or "toolcrib") if inside else f"toolcrib.{name}")


def setup(level: str = "WARNING", *, as_json: bool = False, file: Path | None = None) -> None:
    """Send toolcrib's logs of `level` and above to stderr, or to `file`; the last call counts.

    Warnings of others (asyncio, the SDK) go the same way, so that every line has one form.
    """
    wanted = level.upper()
    if wanted not in LEVELS:
        raise ValueError(f"log level {level!r} is not one of: {', '.join(LEVELS)}")
    handler: logging.Handler
    if file is None:
        handler = logging.StreamHandler(sys.stderr)
    else:
        handler = logging.FileHandler(file, encoding="utf-8")
    handler.setFormatter(JsonLines() if as_json else PlainLines(_TEXT))
    logger, others = get_logger(), logging.getLogger()
    for old in list(logger.handlers):
        logger.removeHandler(old)
        others.removeHandler(old)
        old.close()
    logger.addHandler(handler)
    others.addHandler(handler)
    logger.setLevel(TRACE if wanted == "TRACE" else wanted)
    logger.propagate = False


def reopen_files() -> None:
    """Open the log file anew by its path, as after somebody has renamed it."""
    for handler in get_logger().handlers:
        if isinstance(handler, logging.FileHandler):
            handler.close()  # it opens the file again with the next line


def setup_for_people() -> None:
    """Have what is logged before, or without, `setup` written so that no terminal acts upon it."""
    if logging.lastResort is not None:
        logging.lastResort.setFormatter(PlainLines("%(message)s"))


class PlainLines(logging.Formatter):
    """Lines for people: what a file name or an error of a repository hides in them is shown."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        return printable(super().format(record))


class JsonLines(logging.Formatter):
    """One JSON object per line: time, level, logger, message, and what `extra=` brought."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        line: dict[str, Any] = {
            "time": self.formatTime(record, "%Y-%m-%dT%H:%M:%S") + f".{int(record.msecs):03d}",
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        line |= {key: value for key, value in vars(record).items() if key not in _ORDINARY}
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return escaped(json.dumps(line, ensure_ascii=False, default=str))


_ORDINARY = frozenset(
    (*vars(logging.makeLogRecord({})), "message", "asctime", "taskName", "time", "level", "logger")
)
