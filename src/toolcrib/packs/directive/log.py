"""The pack's own log: tool, duration and outcome of each call, when somebody asks for it."""

from __future__ import annotations

import logging
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from toolcrib.core.errors import ToolcribError
from toolcrib.core.pack import Method
from toolcrib.core.tool import JSON, CallContext, Tool

VARIABLE = "DIRECTIVE_LOG"

logger = logging.getLogger("toolcrib.directive")


def wanted(setting: bool) -> bool:
    """Whether calls are to be logged: by the settings, or by `DIRECTIVE_LOG=1`."""
    return setting or os.environ.get(VARIABLE, "").strip().lower() in ("1", "true", "yes", "on")


def to_stderr() -> None:
    """Send the lines to standard error, whatever else is logged and where."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
    logger.handlers[:] = [handler]
    logger.setLevel(logging.INFO)
    logger.propagate = False


def logged_tool(tool: Tool) -> Tool:
    """The same tool, with a line for each call, also for one with wrong arguments."""

    def validate(arguments: JSON) -> JSON:
        from toolcrib.core.schema import check_arguments  # not for a start

        try:
            check_arguments(tool.input_schema, arguments)
        except ToolcribError as error:
            _write(tool.name, 0.0, f"error: {error}")
            raise
        return arguments

    def run(arguments: JSON, context: CallContext) -> Any:
        with _line(tool.name):
            return tool.run(arguments, context)

    return replace(tool, validate=validate, run=run)


def logged_method(name: str, method: Method) -> Method:
    """The same method, with a line for each call."""

    async def run(params: JSON) -> JSON:
        with _line(name):
            return await method(params)

    return run


@contextmanager
def _line(name: str) -> Iterator[None]:
    started = time.perf_counter()
    outcome = "crashed"
    try:
        yield
        outcome = "ok"
    except ToolcribError as error:
        outcome = f"error: {error}"
        raise
    finally:
        _write(name, (time.perf_counter() - started) * 1000, outcome)


def _write(name: str, spent: float, outcome: str) -> None:
    # An error may repeat a path that the caller made up: it must stay within its line.
    logger.info("%s %.1f ms %s", name, spent, " ".join(outcome.splitlines()))
