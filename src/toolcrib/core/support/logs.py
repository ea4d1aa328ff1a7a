"""Logs: to stderr or a file, silent below WARNING unless asked, with a level below DEBUG.

TRACE is for what happens on every call. Nothing here ever writes to stdout: over stdio that is
the wire.
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
    """Have warnings go to stderr as they are, each once: what a person sees who asked for no log.

    Where a log was set up, nothing changes but that repetitions are counted anew.
    """
    logger = get_logger()
    for handler in [each for each in logger.handlers if isinstance(each, Plain)]:
        logger.removeHandler(handler)
    if not logger.handlers:
        logger.addHandler(Plain())


@contextmanager
def collected() -> Iterator[list[str]]:
    """Collect the warnings of a while instead of logging them; each once, in their order.

    A traceback is logged all the same: it is of another thread, or a bug.
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
    """Leaves out a warning that was just said; one that goes on is told again after a minute."""

    def __init__(self) -> None:
        super().__init__()
        self._said: dict[tuple[str, str], float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a line is to be written; errors and what is said at leisure always are."""
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
    """Writes the bare message to stderr, wherever that leads at the moment."""

    def __init__(self) -> None:
        logging.Handler.__init__(self, logging.WARNING)
        self.setFormatter(PlainLines())
        self.addFilter(Once())

    @property
    def stream(self) -> TextIO:  # type: ignore[override]
        """The stream of the moment."""
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
