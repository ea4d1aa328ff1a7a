"""`ToolArguments`: the arguments of a tool as a model, and the collection of declared tools.

    class Greet(ToolArguments):
        name: str = Field(description="Whom to greet")

    @ToolArguments.declare
    async def greet(args: Greet, ctx: CallContext | None = None) -> Result[str]:
        '''Say hello.'''
        return Result.ok(f"Hello, {args.name}")

The fields are the properties of the tool's input schema: a caller sends `{"name": "Ada"}`.
"""

from __future__ import annotations

import inspect
import threading
import typing
from collections.abc import Callable, Mapping, Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar, get_args, get_origin, overload

from pydantic import BaseModel, ConfigDict, ValidationError

from toolcrib.core.declare.descriptions import (
    Consent,
    Example,
    docstring,
    schema_markdown,
    type_text,
)
from toolcrib.core.errors import DuplicateTool, InvalidArguments, InvalidToolSchema, Place
from toolcrib.core.support.records import record
from toolcrib.core.support.suggest import did_you_mean
from toolcrib.core.tool import JSON, Annotations

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails  # pydantic's own types; nothing of it is executed

Function = Callable[..., Any]
F = TypeVar("F", bound=Function)

_DETAILS = "__tool_details__"
_MODEL_VALIDATE = BaseModel.model_validate.__func__  # type: ignore[attr-defined]
_PLAIN_FACTORIES = (list, dict, set, tuple, frozenset)


@record
class ToolDetails:
    """Details of a tool that its function does not express."""

    title: str | None = None
    annotations: Annotations | None = None
    examples: tuple[Example, ...] = ()
    usage: str | None = None
    tags: tuple[str, ...] = ()
    category: str | None = None
    deadline: float | None = None
    share: Literal["", "store"] = ""


class ToolArguments(BaseModel):
    """The base of every argument model: unknown names are refused, assignments are checked."""

    model_config = ConfigDict(extra="forbid", validate_assignment=True)

    _declared: ClassVar[dict[str, Function]] = {}
    # A plain lock, never held across an await: it serves threads and coroutines alike.
    _lock: ClassVar[threading.Lock] = threading.Lock()

    @classmethod
    def input_schema(cls) -> JSON:
        """The JSON Schema of the arguments, flat, without the titles that repeat the names."""
        schema: JSON = _untitled(cls.model_json_schema())
        if "$ref" in schema:  # a model that contains itself: tools need an object at the root
            name = schema.pop("$ref").rsplit("/", 1)[-1]
            schema = {**schema["$defs"][name], **schema}
        schema.pop("description", None)
        schema.setdefault("properties", {})
        for name, field in cls.model_fields.items():
            if field.default_factory in _PLAIN_FACTORIES:
                shown = schema["properties"][field.alias or name]
                shown["default"] = {} if field.default_factory is dict else []
        return schema

    @classmethod
    def to_schema_markdown(cls) -> str:
        """The arguments as markdown: name, whether required, type, default and description."""
        return schema_markdown(cls.input_schema())

    @classmethod
    def build_tool_description(cls, func: Function) -> str:
        """The function's docstring, then its arguments; called on the base or on the model."""
        model = model_of(func) if cls is ToolArguments else cls
        consent = consent_of(model)
        text = docstring(func)
        parts = [text, model.to_schema_markdown()]
        if consent and consent.warning() not in text:
            parts.insert(1, consent.warning())
        return "\n\n".join(part for part in parts if part)

    @overload
    @classmethod
    def declare(cls, func: F, /) -> F: ...

    @overload
    @classmethod
    def declare(
        cls,
        /,
        *,
        title: str | None = None,
        annotations: Annotations | None = None,
        examples: Sequence[Example] = (),
        usage: str | None = None,
        tags: Sequence[str] = (),
        category: str | None = None,
        deadline: float | None = None,
        share: Literal["", "store"] = "",
    ) -> Callable[[F], F]: ...

    @classmethod
    def declare(cls, func: F | None = None, /, **details: Any) -> F | Callable[[F], F]:
        """Add a function to the collection under its name, and return it unchanged.

        Used bare or with details: `title`, `annotations`, `examples`,
        `usage`, `tags`, `category`, `deadline`, `share`.
        """
        for key in ("examples", "tags"):
            details[key] = tuple(details.get(key, ()))

        def add(function: F) -> F:
            with cls._lock:
                known = cls._declared.setdefault(function.__name__, function)
                if known is function:  # whoever takes it from here on finds its details
                    setattr(function, _DETAILS, ToolDetails(**details))
            if known is not function:
                raise DuplicateTool(
                    f"Two tools are declared under the name {function.__name__!r}: "
                    f"{origin_of(known)} and {origin_of(function)}",
                    next="Rename one of them.",
                )
            return function

        return add if func is None else add(func)

    @classmethod
    def get_declared_tools(cls, under: str | None = None) -> dict[str, Function]:
        """Return the declared tools and clear the collection atomically: a second call finds none.

        With `under`, only those of that module and the modules below it; the others stay.
        """
        with cls._lock:
            taken = {
                name: func
                for name, func in cls._declared.items()
                if under is None or f"{func.__module__}.".startswith(f"{under}.")
            }
            for name in taken:
                del cls._declared[name]
        return taken

    @classmethod
    async def aget_declared_tools(cls, under: str | None = None) -> dict[str, Function]:
        """The same for coroutines; the lock is held briefly and never awaited."""
        return cls.get_declared_tools(under)


def details_of(func: Function) -> ToolDetails:
    """The details given when a function was declared."""
    found = getattr(inspect.unwrap(func), _DETAILS, None)
    return found if isinstance(found, ToolDetails) else ToolDetails()


def origin_of(func: Function) -> str:
    """Where a function is defined, for people: `shop.tools.greet (line 12)`."""
    func = inspect.unwrap(func)
    code = getattr(func, "__code__", None)
    line = f" (line {code.co_firstlineno})" if code else ""
    return f"{func.__module__}.{func.__qualname__}{line}"


def model_of(func: Function) -> type[ToolArguments]:
    """The argument model of a tool function: the type of its first parameter.

    String annotations are resolved. A function without parameters, or with the context alone,
    takes no arguments.
    """
    func = inspect.unwrap(func)
    for parameter in inspect.signature(func).parameters.values():
        kind = resolve_annotation(func, parameter)
        if inspect.isclass(kind) and issubclass(kind, ToolArguments):
            return kind
        if parameter.name in ("args", "arguments"):
            raise InvalidToolSchema(
                f"Parameter {parameter.name!r} of tool {func.__name__!r} must be annotated with "
                f"a ToolArguments model, not {parameter.annotation!r}",
                where=Place(origin_of(func)),
                next="Define the model at the top level of the module.",
            )
        break
    return ToolArguments


def resolve_annotation(func: Function, parameter: inspect.Parameter) -> Any:
    """The type of one parameter, or its bare text where the name cannot be resolved.

    Each is resolved by itself: a context type that was imported for type checkers only must
    not hide the model beside it.
    """
    if not isinstance(parameter.annotation, str):
        return parameter.annotation
    holder = SimpleNamespace(__annotations__={"it": parameter.annotation})
    try:
        scope = dict(inspect.getclosurevars(func).nonlocals)
        return typing.get_type_hints(holder, func.__globals__, scope, include_extras=True)["it"]
    except (NameError, AttributeError, SyntaxError, TypeError):
        return parameter.annotation


def consent_of(model: type[ToolArguments]) -> Consent | None:
    """The consent field of a model, if it has one."""
    for name, field in model.model_fields.items():
        values = get_args(field.annotation) if get_origin(field.annotation) is Literal else ()
        if len(values) == 1 and isinstance(values[0], str) and values[0].isupper():
            return Consent(field.alias or name, values[0], field.description or "")
    return None


def parse_arguments(model: type[ToolArguments], arguments: Mapping[str, Any]) -> ToolArguments:
    """Validate the arguments into a model; all problems are reported at once."""
    own: Any = model.model_validate
    try:
        if getattr(own, "__func__", None) is not _MODEL_VALIDATE:  # it reads in its own way
            return model.model_validate(arguments)
        made: ToolArguments = model.__pydantic_validator__.validate_python(arguments)
        return made
    except ValidationError as error:
        details = error.errors(include_url=False, include_context=True, include_input=False)
        raise _refusal(model, details) from error


def _refusal(model: type[ToolArguments], errors: list[ErrorDetails]) -> InvalidArguments:
    schema = model.input_schema()
    by_field: dict[str, list[ErrorDetails]] = {}
    for error in errors:
        by_field.setdefault(str(error["loc"][0]) if error["loc"] else "", []).append(error)
    problems = [_problem(name, found, schema) for name, found in by_field.items()]
    return InvalidArguments(problems, [name for name in by_field if name])


def _problem(name: str, errors: list[ErrorDetails], schema: JSON) -> str:
    first = errors[0]
    path = ".".join(str(part) for part in first["loc"]) or name
    if first["type"] == "missing":
        expected = _expectation(name, schema, "; expected ") if path == name else ""
        return f"Missing required argument {path!r}{expected}"
    if first["type"] == "extra_forbidden":
        known = schema["properties"] if len(first["loc"]) == 1 else ()
        listed = f" (known: {', '.join(known)})" if known else ""
        return f"Unknown argument {path!r}{did_you_mean(path, known) or listed}"
    if not name:
        return _sentence(first)
    if first["type"] == "literal_error" and len(errors) == 1:
        field = schema["properties"].get(name, {})
        field = field.get("items", field) if path != name else field
        if "enum" in field:
            return f"Argument {path!r} must be one of: {', '.join(map(str, field['enum']))}"
        return f"Argument {path!r} {type_text(field, schema.get('$defs', {}))}"
    # A union reports one error per member; what was expected says it once.
    reason = f" ({_sentence(first)})" if len(errors) == 1 else ""
    where = repr(name) if len(errors) > 1 else repr(path)
    return f"Argument {where}: {_expectation(name, schema, 'expected ')}{reason}"


def _expectation(name: str, schema: JSON, lead: str) -> str:
    field: JSON = schema["properties"].get(name, {})
    return lead + type_text(field, schema.get("$defs", {})) if field else ""


def _sentence(error: ErrorDetails) -> str:
    text = error["msg"].removeprefix("Value error, ").removeprefix("Assertion failed, ")
    return text[:1].lower() + text[1:] if error["type"] != "value_error" else text


# Keys under which names are the author's own, and keys whose values are data, not schemas.
_NAMED = frozenset({"properties", "$defs", "patternProperties", "dependentSchemas"})
_DATA = frozenset({"const", "enum", "default", "examples"})


def _untitled(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_untitled(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    cleaned = {}
    for key, value in schema.items():
        if key in _NAMED and isinstance(value, dict):
            cleaned[key] = {name: _untitled(each) for name, each in value.items()}
        elif key in _DATA:
            cleaned[key] = value
        elif key != "title":
            cleaned[key] = _untitled(value)
    return cleaned


def undescribed(model: type[BaseModel]) -> list[str]:
    """The fields of a model, and of the models in it, that have no description."""
    schema = model.model_json_schema()
    models = {model.__name__: schema, **schema.get("$defs", {})}
    return sorted(
        f"{owner}.{name}"
        for owner, each in models.items()
        for name, field in each.get("properties", {}).items()
        if not field.get("description")
    )
