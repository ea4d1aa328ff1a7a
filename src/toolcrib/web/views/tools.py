"""Tools: what an agent sees before it has done anything, and a form for each of them."""

from __future__ import annotations

import json
import shlex
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from toolcrib.core.stats import percentile
from toolcrib.core.support.jsonable import quickly
from toolcrib.core.tool import JSON, Tool
from toolcrib.discovery.answer_budget import estimate
from toolcrib.server.mcp.catalog import Mode
from toolcrib.web.call_log import Row

LISTED: Final = "listed"
BEHIND: Final = "behind climax_search"
OFF: Final = "off by policy"
FOUND: Final = "found"
GROUPS: Final = (LISTED, BEHIND, OFF)
WAYS: Final[tuple[Mode, ...]] = ("default", "classic", "progressive")
_LONG_TEXT = 200
_BAR = 60
_DEEPEST = 8
"""How many references and choices are followed to the type of a property."""


def tokens_of(tool: Tool) -> int:
    """What a tool costs in every context, estimated over its form on the wire."""
    return estimate(quickly(tool.to_wire()))


def entry(tool: Tool, group: str, pack: str) -> dict[str, Any]:
    """One tool of the list."""
    return {
        "name": tool.name,
        "group": group,
        "tokens": tokens_of(tool),
        "description": first_line(tool.description),
        "pack": pack,
    }


def turned_off(name: str, place: str) -> dict[str, Any]:
    """A tool that a policy turns off: its name and the deciding place, nothing else."""
    return {"name": name, "group": OFF, "tokens": 0, "place": place}


def with_bars(found: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Results with the bar beside each score, that of the best one whole."""
    best = max((each["score"] for each in found), default=0) or 1
    return [{**each, "bar": max(round(_BAR * each["score"] / best), 2)} for each in found]


def reasons(why: Mapping[str, Any]) -> dict[str, Any]:
    """The score of a result, and the words that it matched with the fields that hold them."""
    score = float(why.get("word_score") or 0) + float(why.get("meaning_score") or 0)
    words = why.get("words") or {}
    return {
        "score": round(score, 2),
        "matched": {word: list(about.get("in", ())) for word, about in words.items()},
    }


def cost(listed: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """What the listed tools cost in all, and pack by pack, the dearest first."""
    packs: dict[str, list[int]] = {}
    for each in listed:
        packs.setdefault(each["pack"] or "other", []).append(each["tokens"])
    parts = sorted(((sum(each), len(each), name) for name, each in packs.items()), reverse=True)
    total = sum(tokens for tokens, _, _ in parts)
    drawn, at = [], 0.0
    for tokens, count, name in parts:
        width = tokens * 1000 / max(total, 1)
        drawn.append({"name": name, "tokens": tokens, "tools": count, "x": round(at, 1),
                      "width": round(max(width - 2, 1), 1)})  # fmt: skip
        at += width
    return {
        "total": total,
        "count": sum(count for _, count, _ in parts),
        "packs": {name: tokens for tokens, _, name in parts},
        "parts": drawn,
    }


def uses(calls: Sequence[Row]) -> dict[str, Any] | None:
    """What the record knows of a tool."""
    if not calls:
        return None
    times = sorted(call.ms for call in calls)
    outcomes = Counter(call.outcome for call in calls)
    return {
        "calls": len(calls),
        "outcomes": [f"{count} {name}" for name, count in outcomes.most_common()],
        "p50": percentile(times, 0.5),
        "p95": percentile(times, 0.95),
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
        kind = _plain(about, schema)
        control = _control(kind, name in required)
        value = given[name] if name in given else kind.get("default")
        if is_consent(kind):  # nobody but the person who calls can give it
            value = None
        if control == "text" and "\n" in _shown(value):  # one line has no room for it
            control = "textarea"
        found.append(
            {
                "name": name,
                "control": control,
                "required": name in required,
                "hint": kind.get("description", ""),
                "limits": _limits(kind),
                "choices": [_choice(each) for each in _choices(kind)],
                "empty": name not in required or is_consent(kind),
                "value": _shown(value),
                "problem": problems.get(name),
            }
        )
    return found


def is_consent(about: JSON) -> bool:
    """Whether a field accepts only one value: filling it in confirms the call."""
    return len(_choices(about)) == 1


def is_whole(form: Mapping[str, str], schema: JSON) -> bool:
    """Whether `arguments` of a form has all of them; a tool may have one of that name."""
    properties = schema.get("properties")
    names = set(properties) if isinstance(properties, dict) else set()
    others = names - {"arguments", "really"}
    return "arguments" in form and not ("arguments" in names and others & form.keys())


def arguments_from(form: Mapping[str, str], schema: JSON) -> tuple[JSON, list[str]]:
    """The arguments that a form means, and what could not be read."""
    if is_whole(form, schema):
        try:
            read = json.loads(form["arguments"] or "{}")
        except ValueError as error:
            return {}, [f"The arguments are not JSON: {error}"]
        except RecursionError:
            return {}, ["The arguments are nested too deeply"]
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
            value = _read(form[name], _plain(about, schema))
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


def _plain(about: Any, schema: JSON) -> JSON:
    """A property without what stands around its type: a reference, or `null` beside it."""
    found = about if isinstance(about, dict) else {}
    for _ in range(_DEEPEST):
        target = str(found.get("$ref", ""))
        defined = schema.get("$defs", {}).get(target.removeprefix("#/$defs/"))
        if target and isinstance(defined, dict):
            rest = {key: item for key, item in found.items() if key != "$ref"}
            found = {**defined, **rest}
            continue
        key = next((key for key in ("anyOf", "oneOf") if isinstance(found.get(key), list)), None)
        others = [each for each in found[key] if each != {"type": "null"}] if key else []
        if key is None or len(others) != 1 or not isinstance(others[0], dict):
            break
        found = {**others[0], **{name: item for name, item in found.items() if name != key}}
    return found


def _choice(value: Any) -> JSON:
    """A value of a select; `json` is what it means, where it is no text."""
    if isinstance(value, str):
        return {"text": value, "json": ""}
    return {"text": json.dumps(value), "json": json.dumps(value)}


def _choices(about: JSON) -> list[Any]:
    if "const" in about:
        return [about["const"]]
    found = about.get("enum", ())
    return list(found) if isinstance(found, (list, tuple)) else []


def _type(about: JSON) -> str:
    kind = about.get("type")
    if isinstance(kind, list):
        others = [each for each in kind if each != "null"]
        kind = others[0] if len(others) == 1 else None
    return kind if isinstance(kind, str) else ""


def _control(about: JSON, required: bool) -> str:
    kind = _type(about)
    if _choices(about):
        return "select"
    if kind == "boolean":
        return "checkbox" if required or "default" in about else "choice"
    if kind in ("integer", "number"):
        return "number"
    if kind == "string":
        return "textarea" if _whole(about.get("maxLength")) > _LONG_TEXT else "text"
    return "json"


def _limits(about: JSON) -> str:
    """What a value may be, in words."""
    said = [_type(about)] if _type(about) in ("integer", "number", "array", "object") else []
    low, high = about.get("minimum"), about.get("maximum")
    if low is not None and high is not None:
        said.append(f"{low} to {high}")
    elif low is not None or high is not None:
        said.append(f"at least {low}" if low is not None else f"at most {high}")
    if "maxLength" in about:
        said.append(f"at most {about['maxLength']} characters")
    return ", ".join(said)


def _whole(value: Any) -> int:
    return value if isinstance(value, int) else 0


def _read(text: str, about: JSON) -> Any:
    control = _control(about, False)
    if control == "checkbox" or control == "choice":
        return None if text == "" else text in ("true", "on", "1")
    if text == "":
        return None
    if control == "number":
        try:
            return int(text) if _type(about) == "integer" else float(text)
        except ValueError:
            return text
    if control == "json":
        try:
            return json.loads(text)
        except ValueError:
            raise ValueError("is not JSON") from None
        except RecursionError:
            raise ValueError("is nested too deeply") from None
    if control == "select" and text not in _choices(about):
        return next((each for each in _choices(about) if json.dumps(each) == text), text)
    return text.replace("\r\n", "\n")  # as a form sends the lines of a text


def _shown(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
