"""`Result`: the outcome of a tool, for the program, the agent and the person."""

from __future__ import annotations

import re
from typing import Any, Generic, TypeVar

from toolcrib.core.support.jsonable import dumps, plain, shown
from toolcrib.core.support.records import record

T = TypeVar("T")

# A path of this machine says nothing to an agent and too much to anybody else. An address on the
# web is kept; what stands in quotes is one path, whatever it holds; `</b>` and `a/b` are none.
_ABSOLUTE = (
    r"(?P<url>\b(?!file:)[A-Za-z][\w+.-]{0,30}://[^\s'\"]*)"
    r"|(?P<quote>['\"`])(?P<quoted>(?:file://)?/[^'\"`\n]+|[A-Za-z]:\\[^'\"`\n]+)(?P=quote)"
    r"|(?P<posix>(?:\bfile://|(?<![\w./~<-]))(?:/+[^\s/'\"`:,;()<>|]+)+/*)"
    r"|(?P<windows>\b[A-Za-z]:\\[^\s'\"`:,;()<>|]*)"
)


def without_paths(text: str) -> str:
    """Return `text` with each absolute path reduced to its last component."""
    return re.sub(_ABSOLUTE, _last_name, text)


def _last_name(match: re.Match[str]) -> str:
    if match["url"]:
        return match["url"]
    quote = match["quote"] or ""
    path: str = match["quoted"] or match["posix"] or match["windows"]
    return quote + (re.split(r"[/\\]+", path.rstrip("/\\"))[-1] or "…") + quote


@record
class Result(Generic[T]):
    """The outcome of a tool: a value, or an error with its kind.

    `message` is for the person in front of the screen, `instruction` for the agent (stop,
    try this fix, change the mode); the two are never mixed.
    """

    success: bool
    value: T | None = None
    error: str | None = None
    error_type: str | None = None
    exception: BaseException | None = None
    message: str | None = None
    instruction: str | None = None
    error_data: dict[str, Any] | None = None

    @classmethod
    def ok(cls, value: T, message: str | None = None, instruction: str | None = None) -> Result[T]:
        """A success with its value."""
        return cls(True, value=value, message=message, instruction=instruction)

    @classmethod
    def failure(
        cls,
        error: str,
        error_type: str = "unknown",
        exception: BaseException | None = None,
        message: str | None = None,
        instruction: str | None = None,
        error_data: dict[str, Any] | None = None,
    ) -> Result[T]:
        """A failure with its error and error type."""
        return cls(
            False,
            error=error,
            error_type=error_type,
            exception=exception,
            message=message,
            instruction=instruction,
            error_data=error_data,
        )

    def is_ok(self) -> bool:
        """Whether it succeeded."""
        return self.success

    def is_failure(self) -> bool:
        """Whether it failed."""
        return not self.success

    def to_json(self) -> dict[str, Any]:
        """The wire form: `value` always on success, `error` and `error_type` on failure."""
        wire: dict[str, Any] = {"success": self.success}
        if self.success:
            wire["value"] = plain(self.value)
        else:
            wire["error"] = plain(self.error)
            wire["error_type"] = plain(self.error_type)
        if self.exception is not None:
            wire["exception_type"] = type(self.exception).__name__
            wire["exception_message"] = without_paths(shown(self.exception))
        for name in ("message", "instruction", "error_data"):
            field = getattr(self, name)
            if field is not None:
                wire[name] = plain(field)
        return wire

    def to_json_str(self) -> str:
        """The wire form as text."""
        return dumps(self.to_json())
