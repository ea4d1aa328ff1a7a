"""`ExtMcpToolDecorator`: registers functions as tools, under one prefix, with any registrar.

The registrar may be toolcrib's own catalog, an SDK `MCPServer` or a `FastMCP` object. They are
distinguished by their methods; no MCP package is imported here.
"""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable
from typing import Annotated, Any, TypeVar

from pydantic.fields import FieldInfo

from toolcrib.core.declare.arguments import Function, ToolArguments, model_of
from toolcrib.core.declare.descriptions import Style
from toolcrib.core.declare.functions import FunctionCall, logged, to_tool
from toolcrib.core.declare.prefix import PREFIX_VARIABLE, prefixed
from toolcrib.core.errors import InvalidArguments
from toolcrib.core.tool import Annotations, CallContext, Tool, ToolOutput

F = TypeVar("F", bound=Function)


class ExtMcpToolDecorator:
    """Registers functions as tools, with a prefix before their names and lines in the log.

    The prefix is the argument, else the variable `MCP_TOOL_PREFIX`, else none; a tool may have
    its own (`tool(prefix="x")`), and an empty one switches it off. `tool` returns the logged
    function; the plain one is its `__wrapped__`.
    """

    def __init__(
        self, registrar: Any, prefix: str | None = None, *, descriptions: Style = "concise"
    ) -> None:
        if not callable(getattr(registrar, "register_tool", getattr(registrar, "tool", None))):
            raise TypeError(
                f"{type(registrar).__name__} can register no tools: it has neither "
                "register_tool(tool) nor tool(name=…)"
            )
        self.registrar = registrar
        self.prefix = os.environ.get(PREFIX_VARIABLE, "") if prefix is None else prefix
        self.descriptions: Style = descriptions

    def name_for(self, name: str, prefix: str | None = None) -> str:
        """The name under which a tool is served."""
        return prefixed(name, self.prefix if prefix is None else prefix)

    def tool(
        self,
        name: str | None = None,
        description: str | None = None,
        *,
        prefix: str | None = None,
        title: str | None = None,
        annotations: Annotations | None = None,
    ) -> Callable[[F], F]:
        """Register the decorated function; missing details come from its declaration."""

        def register(func: F) -> F:
            plain_name = name or func.__name__
            wrapped = logged(func, plain_name)
            tool = to_tool(
                wrapped,
                name=plain_name,
                wire_name=self.name_for(plain_name, prefix),
                description=description,
                title=title,
                annotations=annotations,
                descriptions=self.descriptions,
            )
            self._register(tool, wrapped)
            return wrapped

        return register

    def _register(self, tool: Tool, func: Function) -> None:
        if hasattr(self.registrar, "register_tool"):
            self.registrar.register_tool(tool)
            return
        decorate = self.registrar.tool(
            name=tool.name,
            title=tool.title,
            description=tool.description,
            annotations=tool.annotations.to_wire() or None,
        )
        decorate(_flat(func, tool.name))


def _flat(func: Function, wire_name: str) -> Function:
    """The function with the fields of its model as parameters, as other servers read them."""
    model = model_of(func)
    wants = FunctionCall(func, model)
    injected = wants.foreign_context()

    def positionals(named: dict[str, Any]) -> tuple[Any, ...]:
        context = named.pop(injected.name) if injected else CallContext(tool_name=wire_name)
        return wants.positionals(named, context)

    flat: Function
    if inspect.iscoroutinefunction(func):

        async def flat_async(**named: Any) -> Any:
            try:
                values = positionals(named)
            except InvalidArguments as error:
                return _foreign(ToolOutput.text(str(error), is_error=True))
            return _foreign(ToolOutput.of(await func(*values)))

        flat = flat_async
    else:

        def flat_sync(**named: Any) -> Any:
            try:
                values = positionals(named)
            except InvalidArguments as error:
                return _foreign(ToolOutput.text(str(error), is_error=True))
            return _foreign(ToolOutput.of(func(*values)))

        flat = flat_sync
    return _with_signature(flat, func, model, injected)


def _with_signature(
    flat: Function,
    func: Function,
    model: type[ToolArguments],
    injected: inspect.Parameter | None,
) -> Function:
    parameters = [_parameter(name, field) for name, field in model.model_fields.items()]
    if injected is not None:
        parameters.append(injected)
    flat.__name__, flat.__doc__, flat.__module__ = func.__name__, func.__doc__, func.__module__
    flat.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    flat.__annotations__ = {each.name: each.annotation for each in parameters}
    return flat


def _parameter(name: str, field: FieldInfo) -> inspect.Parameter:
    notes = (*field.metadata, FieldInfo(description=field.description))
    default = inspect.Parameter.empty
    if not field.is_required():
        default = field.get_default(call_default_factory=True)
    return inspect.Parameter(
        field.alias or name,
        inspect.Parameter.KEYWORD_ONLY,
        annotation=Annotated[(field.annotation, *notes)],
        default=default,
    )


def _foreign(output: ToolOutput) -> Any:
    """A tool's answer in the types of the calling server, so that errors arrive as errors."""
    # Whoever owns the registrar has loaded these types; looking them up is not importing them.
    types = sys.modules["mcp_types"]
    return types.CallToolResult.model_validate(
        {
            "content": list(output.content),
            "structuredContent": output.structured,
            "isError": output.is_error,
        }
    )
