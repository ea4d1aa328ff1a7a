"""A Python function as a tool: logged, described, checked, and still callable by itself."""

from __future__ import annotations

import functools
import inspect
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from toolcrib.core.declare.arguments import (
    Function,
    ToolArguments,
    consent_of,
    details_of,
    model_of,
    origin_of,
    parse_arguments,
    resolve_annotation,
)
from toolcrib.core.declare.descriptions import Example, Style, concise, docstring, full
from toolcrib.core.errors import InvalidArguments, InvalidToolSchema, Place
from toolcrib.core.result import Result
from toolcrib.core.support.blocking import watched
from toolcrib.core.support.jsonable import shown
from toolcrib.core.support.logs import TRACE, get_logger
from toolcrib.core.support.redact import masked
from toolcrib.core.tool import JSON, Annotations, CallContext, Tool
from toolcrib.core.workflow import ARGUMENT as WORKFLOW

F = TypeVar("F", bound=Function)

_LOGGED = "__tool_logged__"
_log = get_logger("tools")
# A tool that exits has failed; one that is cancelled or closed has not.
_FAILURES = (Exception, SystemExit, KeyboardInterrupt)


def _wire_schema(model: type[ToolArguments]) -> JSON:
    """The schema of a model as listed, without null defaults."""
    schema = model.input_schema()
    for field in schema["properties"].values():
        if "default" in field and field["default"] is None:
            del field["default"]
    return schema


def to_tool(
    func: Function,
    *,
    name: str | None = None,
    wire_name: str | None = None,
    description: str | None = None,
    title: str | None = None,
    annotations: Annotations | None = None,
    descriptions: Style = "concise",
    origin: str | None = None,
) -> Tool:
    """Make a `Tool` of a function declared with `ToolArguments`.

    `name` is the undecorated one, used in log and documentation; `wire_name` is what clients
    call. Missing details come from the declaration, the docstring and the model.
    """
    name = name or undecorated(func).__name__
    func = logged(func, name)
    model, details = model_of(func), details_of(func)
    schema, text, consent = _wire_schema(model), docstring(func), consent_of(model)
    title = title or details.title or name.replace("_", " ").strip().capitalize()
    _check_examples(func, model, details.examples)
    whole = full(name, text, schema, details.examples, details.usage, consent)
    short = whole if descriptions == "full" else concise(text, consent) or title
    return Tool(
        name=wire_name or name,
        description=description or short,
        input_schema=schema,
        run=_runner(func, model),
        title=title,
        annotations=_agreed(func, model, annotations or details.annotations or Annotations()),
        tags=details.tags,
        category=details.category,
        deadline=details.deadline,
        share=details.share,
        takes_workflow=WORKFLOW in model.model_fields,
        origin=origin or origin_of(func),
        validate=functools.partial(_checked, model),
        failures="envelope" if _returns_result(func) else "result",
        full_description=whole,
    )


def _check_examples(
    func: Function, model: type[ToolArguments], examples: Sequence[Example]
) -> None:
    """Raise if an example does not validate against the tool's own arguments."""
    for example in examples:
        try:
            parse_arguments(model, example.arguments)
        except InvalidArguments as error:
            raise InvalidToolSchema(
                f"An example of tool {func.__name__!r} does not fit its arguments: {error}",
                where=Place(origin_of(func)),
                next=f"Correct the example: {example.explanation}",
            ) from error


def _returns_result(func: Function) -> bool:
    """Whether its callers expect a `Result`, even if the call itself fails."""
    annotation = inspect.signature(undecorated(func)).return_annotation
    text = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", "")
    return text.partition("[")[0].rpartition(".")[2] == Result.__name__


def undecorated(func: Function) -> Function:
    """The function under all decorators, to be called directly with arguments and context."""
    plain: Function = inspect.unwrap(func)
    return plain


def logged(func: F, name: str) -> F:
    """Wrap a tool function so that each call leaves its lines in the log; sync stays sync."""
    if hasattr(func, _LOGGED):
        return func
    call: Any
    if inspect.iscoroutinefunction(func):

        @functools.wraps(func)
        async def call_async(*args: Any, **named: Any) -> Any:
            told = _log.isEnabledFor(TRACE)  # asked once: each question is a part of a quick call
            if told:
                _log.log(TRACE, "Tool called: %s", name)
            try:
                value = await func(*args, **named)
            except _FAILURES as error:
                _log.error("Tool %s failed: %s", name, masked(shown(error)))
                raise
            if told:
                _log_outcome(TRACE, name, value)
            return value

        call = call_async
    else:

        @functools.wraps(func)
        def call_sync(*args: Any, **named: Any) -> Any:
            _log.log(TRACE, "Tool called: %s", name)
            try:
                value = func(*args, **named)
            except _FAILURES as error:
                _log.error("Tool %s failed: %s", name, masked(shown(error)))
                raise
            _log_outcome(logging.DEBUG, name, value)
            return value

        call = call_sync
    setattr(call, _LOGGED, True)
    wrapped: F = call
    return wrapped


def _log_outcome(level: int, name: str, value: Any) -> None:
    if isinstance(value, Result) and value.is_failure():
        _log.log(level, "Tool %s returned a failure: %s", name, value.error_type)
    else:
        _log.log(level, "Tool %s completed successfully", name)


class FunctionCall:
    """How to call a tool function: with a model, a context, both or nothing."""

    def __init__(self, func: Function, model: type[ToolArguments]) -> None:
        plain = undecorated(func)
        parameters = inspect.signature(plain).parameters.values()
        kinds = [(each, resolve_annotation(plain, each)) for each in parameters]
        self.model = model
        self.takes_model = bool(kinds) and kinds[0][1] is model
        rest = kinds[1:] if self.takes_model else kinds
        self.context = rest[0] if rest else None
        self._check(plain, [each for each, _ in rest[1:]])

    def _check(self, func: Function, surplus: list[inspect.Parameter]) -> None:
        needed = [each.name for each in surplus if each.default is inspect.Parameter.empty]
        if needed:
            raise InvalidToolSchema(
                f"Tool {func.__name__!r} has parameters that nobody fills in: {', '.join(needed)}",
                where=Place(origin_of(func)),
                next="A tool takes a ToolArguments model and, if it likes, a context.",
            )

    def positionals(self, arguments: Mapping[str, Any], context: Any) -> tuple[Any, ...]:
        """The values to call it with; raises `InvalidArguments`."""
        if not self.takes_model:
            return () if self.context is None else (context,)
        if type(arguments) is _Checked and type(arguments.model) is self.model:
            model = arguments.model
        else:
            model = parse_arguments(self.model, arguments)
        return (model,) if self.context is None else (model, context)

    def foreign_context(self) -> inspect.Parameter | None:
        """A context of another server's own type, which that server must inject."""
        if self.context is None:
            return None
        parameter, kind = self.context
        unsaid = kind is inspect.Parameter.empty or isinstance(kind, str)
        if unsaid or kind is CallContext or CallContext in getattr(kind, "__args__", ()):
            return None
        return parameter.replace(annotation=kind, kind=inspect.Parameter.KEYWORD_ONLY)


def _runner(func: Function, model: type[ToolArguments]) -> Callable[[JSON, CallContext], Any]:
    wants = FunctionCall(func, model)
    if inspect.iscoroutinefunction(func):

        def begin(arguments: JSON, context: CallContext) -> Awaitable[Any]:
            begun: Awaitable[Any] = func(*wants.positionals(arguments, context))
            return begun

        return functools.partial(watched, begin)

    def run(arguments: JSON, context: CallContext) -> Any:
        return func(*wants.positionals(arguments, context))

    return run


class _Checked(dict[str, Any]):
    """Arguments with the model that was made of them when they were checked."""

    __slots__ = ("model",)
    model: ToolArguments


def _checked(model: type[ToolArguments], arguments: JSON) -> JSON:
    """Parse the arguments once, before the call is counted."""
    checked = _Checked(arguments)
    checked.model = parse_arguments(model, arguments)
    return checked


def _agreed(func: Function, model: type[ToolArguments], given: Annotations) -> Annotations:
    """Require a consent field for destructive tools, and only for them."""
    consent = consent_of(model)
    if consent and given.destructive is None:
        return replace(given, read_only=False, destructive=True)
    if bool(given.destructive) != bool(consent):
        missing = "has no consent field" if given.destructive else "is not marked as destructive"
        raise InvalidToolSchema(
            f"Tool {func.__name__!r} must have both a consent field and the destructive "
            f"annotation, or neither: it {missing}",
            where=Place(origin_of(func)),
            next='Consent is a field like `confirm: Literal["REMOVE_CATEGORY"]`.',
        )
    return given
