"""Call a tool, as an agent would.

examples:
  toolcrib call directive/spec.template
  toolcrib call search-architecture --arg query="feature flags" --arg max_results=3
  toolcrib call shop_orders_list '{"status": "paid"}'
  echo '{"code": "…", "pattern_name": "repository"}' | toolcrib call validate-against-pattern -
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from toolcrib.cli.terminal import console
from toolcrib.cli.terminal.local import LocalServer, with_local_server
from toolcrib.core.errors import UsageError
from toolcrib.core.tool import JSON

_COUNTER = ("climax_search", "climax_call")


def add(parser: argparse.ArgumentParser) -> None:
    """The options of `call`."""
    parser.add_argument("tool", metavar="TOOL", help="its exact name: see toolcrib list")
    add_arguments(parser)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The two ways to write down arguments: as JSON, or one by one."""
    parser.add_argument("arguments", nargs="?", metavar="JSON", help="all arguments; - reads stdin")
    parser.add_argument(
        "--arg",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="one argument; JSON where the tool does not want a string (repeatable)",
    )


def run(args: argparse.Namespace) -> int:
    """Call it and print what it says; a failed call is exit code 1."""
    # Command-line tools are not listed by default; by name all of them can be called.
    mode = "default" if args.tool in _COUNTER else "classic"

    async def call(server: LocalServer) -> JSON:
        arguments = given_arguments(args, server.surface.tool_schema(args.tool) or {})
        return await server.ask("tools/call", name=args.tool, arguments=arguments)

    result = with_local_server(args, call, overrides={"server": {"discovery": mode}})
    console.emit(result, lambda: _text(result), args)
    return 1 if result.get("isError") else 0


def given_arguments(args: argparse.Namespace, schema: JSON) -> JSON:
    """The arguments of a command line, as the tool's schema wants them."""
    return {**_given(args.arguments), **_pairs(args.arg, schema.get("properties", {}))}


def _given(text: str | None) -> JSON:
    if text is None:
        return {}
    try:
        value = json.loads(sys.stdin.read() if text == "-" else text)
    except ValueError as error:
        raise UsageError(f"The arguments are not JSON: {error}") from error
    if not isinstance(value, dict):
        raise UsageError("The arguments have to be a JSON object, such as '{\"name\": 1}'")
    return value


def _pairs(pairs: list[str], properties: dict[str, Any]) -> JSON:
    found: JSON = {}
    for pair in pairs:
        key, equals, text = pair.partition("=")
        if not equals or not key:
            raise UsageError(f"--arg {pair}: expected KEY=VALUE")
        schema = properties.get(key, {"type": "string"})
        if schema.get("type") == "array":
            found[key] = [*found.get(key, []), *_several(text, schema.get("items", {}))]
        elif key in found:
            raise UsageError(f"--arg {pair}: {key} takes one value, and it is given twice")
        else:
            found[key] = _single(text, schema)
    return found


def _several(text: str, items: JSON) -> list[Any]:
    """The values of a JSON array, or the one value that the text is."""
    value = _value(text)
    return value if isinstance(value, list) else [_single(text, items)]


def _single(text: str, schema: JSON) -> Any:
    return text if schema.get("type") == "string" else _value(text)


def _value(text: str) -> Any:
    """JSON where it is JSON; otherwise the words, and the tool says what is wrong with them."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def _text(result: JSON) -> str:
    texts = [item["text"] for item in result.get("content", []) if item.get("type") == "text"]
    text = "\n".join(texts)
    structured = result.get("structuredContent")
    try:
        same = structured is not None and json.loads(text) == structured
    except ValueError:
        same = False
    # An object on one long line is for programs; a person gets it with line breaks.
    return json.dumps(structured, indent=2, ensure_ascii=False) if same else text
