"""Tools: what an agent sees before it has done anything, and a form for each of them."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from toolcrib.core.tool import JSON, Tool
from toolcrib.discovery.answer_budget import compact, estimate

LISTED: Final = "listed"
BEHIND: Final = "behind climax_search"
OFF: Final = "off by policy"
WAYS: Final = ("default", "classic", "progressive")
_LONG_TEXT = 200


def tokens_of(tool: Tool) -> int:
    """What a tool costs in every context, estimated over its form on the wire."""
    return estimate(compact(tool.to_wire()))


def entry(tool: Tool, group: str, packs: Mapping[str, str]) -> dict[str, Any]:
    """One tool of the list."""
    return {
        "name": tool.name,
        "title": tool.title or tool.name,
        "description": first_line(tool.description),
        "group": group,
        "tokens": tokens_of(tool),
        "pack": packs.get(tool.name) or tool.category or "",
    }


def turned_off(name: str, place: str) -> dict[str, Any]:
    """A tool that a policy turns off: its name and the deciding place, nothing else."""
    return {"name": name, "group": OFF, "tokens": 0, "place": place, "description": place}


def cost(listed: Iterable[Tool], of: Mapping[str, str]) -> dict[str, Any]:
    """What the listed tools cost in all, and pack by pack."""
    packs: dict[str, list[int]] = {}
    for tool in listed:
        pack = of.get(tool.name) or tool.category or "other"
        packs.setdefault(pack, []).append(tokens_of(tool))
    parts = sorted(((sum(each), len(each), name) for name, each in packs.items()), reverse=True)
    return {
        "total": sum(tokens for tokens, _, _ in parts),
        "packs": {name: tokens for tokens, _, name in parts},
        "parts": [
            {"name": name, "tokens": tokens, "tools": count} for tokens, count, name in parts
        ],
    }


def annotations_in_words(tool: Tool) -> list[str]:
    """What a tool does to the world."""
    hints = tool.annotations
    if hints.read_only:
        words = ["reads"]
    elif hints.destructive:
        words = ["writes", "destructive"]
    else:
        words = ["writes"]
    return [*words, "open world"] if hints.open_world else words


def fields(schema: JSON, given: Mapping[str, Any], problems: Mapping[str, str]) -> list[JSON]:
    """One control for each property of a schema."""
    properties = schema.get("properties")
    required = schema.get("required", ())
    found: list[JSON] = []
    for name, about in properties.items() if isinstance(properties, dict) else ():
        kind = about if isinstance(about, dict) else {}
        value = given[name] if name in given else kind.get("default")
        found.append(
            {
                "name": name,
                "control": _control(kind, name in required),
                "required": name in required,
                "hint": kind.get("description", ""),
                "choices": [
                    json.dumps(each) if not isinstance(each, str) else each
                    for each in kind.get("enum", ())
                ],
                "value": _shown(value),
                "problem": problems.get(name),
            }
        )
    return found


def arguments_from(form: Mapping[str, str], schema: JSON) -> tuple[JSON, list[str]]:
    """The arguments that a form means, and what could not be read."""
    if "arguments" in form:
        try:
            read = json.loads(form["arguments"] or "{}")
        except ValueError as error:
            return {}, [f"The arguments are not JSON: {error}"]
        if not isinstance(read, dict):
            return {}, ["The arguments must be a JSON object"]
        return read, []
    arguments: JSON = {}
    problems: list[str] = []
    properties = schema.get("properties", {})
    for name, about in properties.items() if isinstance(properties, dict) else ():
        if name not in form:
            continue
        try:
            value = _read(form[name], about if isinstance(about, dict) else {})
        except ValueError as error:
            problems.append(f"Argument '{name}': {error}")
            continue
        if value is not None:
            arguments[name] = value
    return arguments, problems


def command(name: str, arguments: JSON) -> str:
    """What to type to make the same call."""
    text = json.dumps(arguments, ensure_ascii=False)
    return f"toolcrib call {shlex.quote(name)} {shlex.quote(text)}"


def by_field(problems: Sequence[str], names: Iterable[str]) -> dict[str, str]:
    """Each problem at the field that it names."""
    found: dict[str, str] = {}
    for problem in problems:
        for name in names:
            if f"'{name}'" in problem or f'"{name}"' in problem:
                found.setdefault(name, problem)
                break
    return found


def first_line(text: str) -> str:
    """The beginning of a description."""
    line = text.strip().split("\n", 1)[0]
    return line[:160]


def _control(about: JSON, required: bool) -> str:
    kind = about.get("type")
    if "enum" in about:
        return "select"
    if kind == "boolean":
        return "checkbox" if required or "default" in about else "choice"
    if kind in ("integer", "number"):
        return "number"
    if kind == "string":
        return "textarea" if about.get("maxLength", 0) > _LONG_TEXT else "text"
    return "json"


def _read(text: str, about: JSON) -> Any:
    control = _control(about, False)
    if control == "checkbox" or control == "choice":
        return None if text == "" else text in ("true", "on", "1")
    if text == "":
        return None
    if control == "number":
        try:
            return int(text) if about.get("type") == "integer" else float(text)
        except ValueError:
            return text
    if control == "json":
        try:
            return json.loads(text)
        except ValueError:
            raise ValueError("is not JSON") from None
    if control == "select" and text not in about["enum"]:
        return next((each for each in about["enum"] if json.dumps(each) == text), text)
    return text


def _shown(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
