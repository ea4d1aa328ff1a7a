"""Everything that can go wrong, in one shape: what, where, why, and what to do next.

    ToolcribError
    ├── ConfigError            a file that a person wrote cannot be used as it is
    ├── UsageError             a command or an option that makes no sense
    ├── FileRefused            a path that is missing, or outside of its root: one and the same
    ├── FileUnreadable         a file that is there but cannot be delivered (size, encoding, kind)
    ├── InvalidToolSchema      a tool whose definition cannot be served
    ├── DuplicateTool          two tools under one name
    ├── CallError              one call went wrong; carries its JSON-RPC code
    │   ├── ToolNotFound
    │   │   └── ToolNotListed
    │   ├── InvalidArguments
    │   ├── ExecutionFailed
    │   │   └── BreakerOpen
    │   ├── Busy
    │   └── DeadlinePassed
    ├── InvalidParams          any other request that the caller can correct
    │   ├── ResourceNotFound
    │   └── PromptNotFound
    └── MethodFailed           a pack's own JSON-RPC method says no, with the pack's own code

`toolcrib explain CODE` prints the docstring of the class with that code.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from toolcrib.core.support.records import record
from toolcrib.core.support.suggest import nearest
from toolcrib.core.support.wording import ignored_line


@record
class Place:
    """A place in a file, lines and columns counted from 1; `source` is the line's own text."""

    file: str
    line: int | None = None
    column: int | None = None
    source: str | None = None

    def __str__(self) -> str:
        return ":".join(str(part) for part in (self.file, self.line, self.column) if part)


@record
class Refusal:
    """Why a tool that is there may not be called.

    Without a `text` the caller is told as of an unknown tool: what a policy forbids does not exist.
    """

    by: str
    place: str | None = None
    text: str | None = None


class ToolcribError(Exception):
    """Something went wrong that toolcrib can explain."""

    code: ClassVar[str] = "error"
    refused_by: str | None = None
    """What turned a call away, for the record of calls: policy, trust, breaker, limit, …"""
    place: str | None = None
    """The rule that did, as `file:line:column`."""
    exit_code: ClassVar[int] = 1
    """What a command that ends with it returns to the shell."""

    def __init__(
        self,
        what: str,
        *,
        where: Place | None = None,
        why: str | None = None,
        next: str | None = None,
    ) -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.why = why
        self.next = next

    def __str__(self) -> str:
        """One line, fit for a log and for an agent."""
        text = f"{self.where}: {self.what}" if self.where else self.what
        if self.why:
            text += f" ({self.why})"
        return f"{text.rstrip('.')}. {self.next}" if self.next else text

    def render(self) -> str:
        """Several lines, fit for a person: the file's line with a caret under the place."""
        # The base class has no code of its own that would be worth looking up.
        code = f"[{self.code}]" if type(self) is not ToolcribError else ""
        lines = [f"error{code}: {self.what}"]
        if self.where:
            lines.append(f"  --> {self.where}")
            if self.where.source is not None:
                number = str(self.where.line or "")
                lines.append(f"  {number} | {self.where.source}")
                if self.where.column:
                    lines.append(f"  {' ' * len(number)} | {' ' * (self.where.column - 1)}^")
        if self.why:
            lines.append(f"  why:  {self.why}")
        if self.next:
            lines.append(f"  next: {self.next}")
        return "\n".join(lines)

    def as_dict(self) -> dict[str, Any]:
        """The same as plain JSON, for `--json`."""
        place = None
        if self.where:
            place = {"file": self.where.file, "line": self.where.line, "column": self.where.column}
        return {
            "code": self.code,
            "what": self.what,
            "where": place,
            "why": self.why,
            "next": self.next,
        }


class ConfigError(ToolcribError):
    """A configuration, a policy or another file that a person wrote cannot be used as it is.

    The message says the place (file:line:column), the key, and the nearest key that exists.
    Nothing of the file is used; a server that already runs keeps the last good version.
    """

    code = "config"


class UsageError(ToolcribError):
    """The command line makes no sense as it was typed; `--help` shows what does."""

    code = "usage"
    exit_code = 2


class FileRefused(ToolcribError):
    """The path is missing, or not below the folder that it has to be below.

    Both are answered with the same words, so that nobody can feel out what lies outside.
    """

    code = "file_refused"

    def __init__(self, path: str, known: Sequence[str] = (), *, next: str | None = None) -> None:
        self.path = path
        self.nearest = nearest(path, known)
        hint = f"Nearest: {', '.join(self.nearest)}" if self.nearest else None
        super().__init__(f"No such file: {path}", next=next or hint)


class FileUnreadable(ToolcribError):
    """The file is there, but too large, not a regular file, not text, or changed meanwhile."""

    code = "file_unreadable"


class InvalidToolSchema(ToolcribError):
    """A tool's definition cannot be served: its name or its JSON Schema is not valid.

    The other tools are served all the same; start-up says which was refused.
    """

    code = "invalid_tool_schema"
    rpc_code: ClassVar[int] = -32004


class DuplicateTool(ToolcribError):
    """Two tools claim one name; the message names both origins. Rename one of them."""

    code = "duplicate_tool"


class CallError(ToolcribError):
    """A call of a tool went wrong; `rpc_code` and `data` are what a client sees."""

    code = "call"
    rpc_code: ClassVar[int] = -32603

    def __init__(self, what: str, *, data: dict[str, Any] | None = None, **more: Any) -> None:
        super().__init__(what, **more)
        self.data = data


class ToolNotFound(CallError):
    """No tool has that name; the message names the nearest ones."""

    code = "tool_not_found"
    rpc_code = -32001

    def __init__(
        self, name: str, known: Sequence[str] = (), *, behind: Sequence[str] = (), waiting: int = 0
    ) -> None:
        """`behind` are further names, of tools that are called through `climax_call`."""
        found = nearest(name, {*known, *behind})
        hint = f"; did you mean {' or '.join(map(repr, found))}?" if found else ""
        if through := [each for each in found if each in behind]:
            hint += f" Call {' and '.join(map(repr, through))} through climax_call."
        if waiting:
            hint += f"{'' if found else '.'} {waiting} files are withheld: toolcrib trust"
        self.name = name
        super().__init__(
            f"Unknown tool: {name}{hint}",
            data={"reason": "tool_not_found", "name": name, "nearest": found},
        )

    def refuse(self, refusal: Refusal | None) -> None:
        """Note, for the record, that the tool is there and may not be called."""
        if refusal is not None:
            self.refused_by, self.place = refusal.by, refusal.place


class ToolNotListed(ToolNotFound):
    """A tool that is there, but is called through `climax_call`."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.what = f"Unknown tool: {name}; call it through climax_call, with tool_name {name!r}"


class ToolListed(ToolNotFound):
    """A tool that is listed itself, and not called through `climax_call`."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.what = f"{name} is not behind climax_call: it is listed, so call it directly"


class InvalidArguments(CallError):
    """The arguments do not fit the tool's schema; every problem is listed at once.

    Further arguments, which the tool does not have and which are no problem, are named as ignored.
    """

    code = "invalid_arguments"
    rpc_code = -32602

    def __init__(
        self, problems: Sequence[str], fields: Sequence[str] = (), ignored: Sequence[str] = ()
    ) -> None:
        self.problems = tuple(problems)
        self.ignored = tuple(ignored)
        text, data = "\n".join(problems), {"errors": list(problems), "fields": list(fields)}
        if ignored:
            text += f"\n\n{ignored_line(ignored)}"
            data["ignored"] = list(ignored)
        super().__init__(text, data=data)


class TooLarge(InvalidArguments):
    """The arguments are too large or nested too deeply."""

    refused_by = "limit"


class ExecutionFailed(CallError):
    """The tool ran and failed; the message is free of secrets and of absolute paths."""

    code = "execution_failed"
    rpc_code = -32002


class BreakerOpen(ExecutionFailed):
    """The tool failed several times in a row and is refused; the message says until when."""

    code = "breaker_open"
    refused_by = "breaker"


class Busy(CallError):
    """There is no place left for this call now; nothing was run, and the message says why.

    Try again after `retry_after_s` seconds. What hangs takes only its own share of threads.
    """

    code = "busy"
    refused_by = "busy"

    def __init__(self, what: str, *, retry_after: int = 1) -> None:
        super().__init__(what, data={"reason": "busy", "retry_after_s": retry_after})
        self.retry_after = retry_after


class DeadlinePassed(CallError):
    """The tool did not finish in time.

    A tool written as `async def` was stopped; threads and tasks that it began may go on. A plain
    function cannot be stopped: it may still be running and may yet have an effect.
    """

    code = "deadline_passed"
    rpc_code = -32003


class InvalidParams(ToolcribError):
    """A request that the caller can correct: wrong uri, cursor, argument or handle."""

    code = "invalid_params"

    def __init__(self, what: str, *, data: dict[str, Any] | None = None, **more: Any) -> None:
        super().__init__(what, **more)
        self.data = data


class ResourceNotFound(InvalidParams):
    """No resource has that uri; the message names the nearest ones."""

    code = "resource_not_found"

    def __init__(self, uri: str, known: Sequence[str] = ()) -> None:
        found = nearest(uri, known)
        hint = f"; nearest: {', '.join(found)}" if found else ""
        super().__init__(f"Resource not found: {uri}{hint}", data={"uri": uri, "nearest": found})


class PromptNotFound(InvalidParams):
    """No prompt has that name; the message names the nearest ones."""

    code = "prompt_not_found"

    def __init__(self, name: str, known: Sequence[str] = ()) -> None:
        found = nearest(name, known)
        hint = f"; did you mean {' or '.join(map(repr, found))}?" if found else ""
        super().__init__(f"Unknown prompt: {name}{hint}", data={"name": name, "nearest": found})


class MethodFailed(ToolcribError):
    """A pack's own JSON-RPC method (`spec.template`, …) refused, with the pack's own number."""

    code = "method_failed"

    def __init__(self, rpc_code: int, what: str, *, data: dict[str, Any] | None = None) -> None:
        super().__init__(what)
        self.rpc_code = rpc_code
        self.data = data
