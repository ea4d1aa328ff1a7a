"""What the guide refuses, each kind with its name: `error_type` on the wire."""

from __future__ import annotations

from typing import Any

from toolcrib.core.errors import ToolcribError


class GuideError(ToolcribError):
    """Something that the caller of a guide tool can correct."""

    code = "guide"

    def __init__(self, what: str, *, data: dict[str, Any] | None = None, **more: Any) -> None:
        super().__init__(what, **more)
        self.data = data


class NotFound(GuideError):
    """Nothing has that name, or nothing matched; the message has the nearest names."""

    code = "not_found"


class InvalidName(GuideError):
    """A name that expressions could not address."""

    code = "invalid_name"


class InvalidValue(GuideError):
    """A value of the wrong kind or size."""

    code = "invalid_value"


class InvalidExpression(GuideError):
    """An expression that cannot be read; the message points at the character."""

    code = "invalid_expression"


class InvalidCursor(GuideError):
    """A cursor that no answer has given, or that belongs to another expression."""

    code = "invalid_cursor"


class NameTaken(GuideError):
    """A category or a collection of that name exists."""

    code = "already_exists"


class InUse(GuideError):
    """Something still refers to it; removing it would leave a hole."""

    code = "in_use"


class ReadOnly(GuideError):
    """It is defined by a file or a folder of the repository, and changed there."""

    code = "read_only"


class StoreError(GuideError):
    """The state cannot be read or written now; nothing was changed."""

    code = "state"


class OutcomeUnknown(StoreError):
    """The connection broke while a change was being saved: it may or may not have been saved.

    By the time of this answer that is decided: read it back before you try again.
    """

    code = "state_unknown"


class StoreDamaged(StoreError):
    """The state file is damaged; a copy of it is kept beside it, and nothing was changed."""

    code = "state_damaged"


class StoreNewer(StoreError):
    """The state was written by a newer version, and is left alone."""

    code = "state_newer"
