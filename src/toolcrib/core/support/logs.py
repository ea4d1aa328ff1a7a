"""Logs: to stderr or a file, silent below WARNING unless asked, with a level below DEBUG.

TRACE is for events on every call. Nothing here ever writes to stdout, which carries the protocol
over stdio.
"""

from __future__ import annotations

import json
import logging
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import Any, TextIO

from toolcrib.core.support.printable import escaped, printable

TRACE = 5
LEVELS = ("TRACE", "DEBUG", "INFO", "WARNING", "ERROR")

_AGAIN_AFTER = 60.0
_MOST_REMEMBERED = 1000
_TEXT = "%(asctime)s %(levelname)s %(name)s: %(message)s"

logging.addLevelName(TRACE, "TRACE")


def get_logger(name: str = "") -> logging.Logger:
    """Return the logger of a part of toolcrib: `get_logger("tools")` is `toolcrib.tools`."""
    inside = not name or name == "toolcrib" or name.startswith("toolcrib.")
    return logging.getLogger((name or "toolcrib") if inside else f"toolcrib.{name}")


def setup(
    level: str = "WARNING",
    *,
    as_json: bool = False,
    file: Path | None = None,
    opener: Callable[[str, int], int] | None = None,
) -> None:
    """Send toolcrib's logs of `level` and above to stderr, or to `file`; the last call counts.

    `opener` opens the file, as that of `open` does.

    Warnings of others (asyncio, the SDK) go the same way, so that every line has one form.
    """
    wanted = level.upper()
    if wanted not in LEVELS:
        raise ValueError(f"log level {level!r} is not one of: {', '.join(LEVELS)}")
    handler: logging.Handler
    handler = logging.StreamHandler(sys.stderr) if file is None else _LogFile(file, opener)
    handler.setFormatter(JsonLines() if as_json else PlainLines(_TEXT))
    handler.addFilter(Once())
    logger, others = get_logger(), logging.getLogger()
    for old in list(logger.handlers):
        logger.removeHandler(old)
        others.removeHandler(old)
        old.close()
    logger.addHandler(handler)
    others.addHandler(handler)
    logger.setLevel(TRACE if wanted == "TRACE" else wanted)
    logger.propagate = False


def speak_plainly() -> None:
    """Print warnings to stderr, each once, for a person who did not ask for a log.

    If a log was set up, only the memory of repetitions is reset.
    """
    logger = get_logger()
    for handler in [each for each in logger.handlers if isinstance(each, Plain)]:
        logger.removeHandler(handler)
    if not logger.handlers:
        logger.addHandler(Plain())


@contextmanager
def collected() -> Iterator[list[str]]:
    """Collect warnings instead of logging them; each once, in order.

    A traceback is still logged: it comes from another thread or a bug.
    """
    logger = get_logger()
    said = _Collector(logger.handlers)
    handlers, logger.handlers = logger.handlers, [said]
    propagate, logger.propagate = logger.propagate, False
    try:
        yield said.texts
    finally:
        logger.handlers, logger.propagate = handlers, propagate


class Once(logging.Filter):
    """Drops a repeated warning; one that continues is logged again after a minute."""

    def __init__(self) -> None:
        super().__init__()
        self._said: dict[tuple[str, str], float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether to write a line: everything except repeated warnings."""
        if record.levelno != logging.WARNING:
            return True
        key, now = (record.name, record.getMessage()), time.monotonic()
        before = self._said.get(key)
        if before is not None and now - before < _AGAIN_AFTER:
            return False
        if len(self._said) >= _MOST_REMEMBERED:
            self._said.clear()
        self._said[key] = now
        return True


class Plain(logging.StreamHandler[TextIO]):
    """Writes the bare message to the current stderr."""

    def __init__(self) -> None:
        logging.Handler.__init__(self, logging.WARNING)
        self.setFormatter(PlainLines())
        self.addFilter(Once())

    @property
    def stream(self) -> TextIO:  # type: ignore[override]
        """The current stderr."""
        return sys.stderr


class _LogFile(logging.FileHandler):
    """Appends to a file, which is opened as somebody else says."""

    def __init__(self, file: Path, opener: Callable[[str, int], int] | None) -> None:
        self._opener = opener
        super().__init__(file, encoding="utf-8")

    def _open(self) -> TextIOWrapper:
        return open(self.baseFilename, "a", encoding=self.encoding, opener=self._opener)


class _Collector(logging.Handler):
    def __init__(self, others: Sequence[logging.Handler]) -> None:
        super().__init__(logging.WARNING)
        self.texts: list[str] = []
        self._others = others

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info:
            for handler in self._others:
                handler.handle(record)
            return
        text = record.getMessage()
        if text not in self.texts:
            self.texts.append(text)


def reopen_files() -> None:
    """Reopen the log file by its path, for log rotation."""
    for handler in get_logger().handlers:
        if isinstance(handler, logging.FileHandler):
            handler.close()  # it opens the file again with the next line


def setup_for_people() -> None:
    """Escape control characters in what is logged before, or without, `setup`."""
    if logging.lastResort is not None:
        logging.lastResort.setFormatter(PlainLines("%(message)s"))


class PlainLines(logging.Formatter):
    """Lines for people, with hidden and control characters escaped."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        return printable(super().format(record))


class JsonLines(logging.Formatter):
    """One JSON object per line: time, level, logger, message and the `extra=` values."""

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
