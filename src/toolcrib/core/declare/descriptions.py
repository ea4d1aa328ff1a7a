"""What an agent reads about a tool, generated from its model, docstring and examples.

Everything has one source: the schema shown is the schema checked, and each example is a call that
the model accepts.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from toolcrib.core.support.records import record

Schema = Mapping[str, Any]
Style = Literal["concise", "full"]

CONSENT_WORDS = "REQUIRES EXPLICIT USER INSTRUCTION"
NO_ARGUMENTS = "This tool takes no arguments."


@record
class Example:
    """An example call that works, with its explanation."""

    arguments: Mapping[str, Any]
    explanation: str


@record
class Consent:
    """A consent field, and the reason for it."""

    field: str
    literal: str
    reason: str

    def warning(self) -> str:
        """The paragraph that a description must carry."""
        reason = self.reason.strip().rstrip(".")
        return (
            f"{CONSENT_WORDS}: {reason}. Never call it on your own initiative; "
            f'when the user asked for it, pass {self.field}="{self.literal}".'
        )


def docstring(func: Any) -> str:
    """The cleaned docstring of a function, or nothing."""
    return inspect.getdoc(func) or ""


def concise(text: str, consent: Consent | None = None) -> str:
    """Purpose and when to use it: the first two paragraphs of a docstring, unwrapped."""
    paragraphs = [" ".join(part.split()) for part in text.split("\n\n") if part.strip()]
    return "\n".join([*paragraphs[:2], *_warnings(text, consent)])


def full(
    name: str,
    text: str,
    schema: Schema,
    examples: Sequence[Example] = (),
    usage: str | None = None,
    consent: Consent | None = None,
) -> str:
    """All four sections, in order."""
    call = _fenced(_call_pattern(name, schema))
    return "\n\n".join(
        [
            "## Description",
            *([text.strip()] if text.strip() else []),
            *_warnings(text, consent),
            "## JSON Schema",
            _fenced(json.dumps(schema, indent=2, ensure_ascii=False), "json"),
            "## Usage Instructions",
            f"{call}\n\n{usage.strip()}" if usage else call,
            "## Concrete Examples",
            *(_shown_example(f"{name}({_call(each.arguments)})", each) for each in examples),
        ]
    )


def full_prompt(
    name: str, text: str, arguments: str, usage: str, examples: Sequence[tuple[str, str]]
) -> str:
    """The same four sections for a prompt, in the syntax that a person types: `@name *args`.

    `examples` are what is typed after the name, each with its explanation.
    """
    return "\n\n".join(
        [
            "## Description",
            text.strip(),
            "## Conceptual Schema",
            _fenced(f"@{name} *args\n\n{arguments.strip()}"),
            "## Usage Instructions",
            f"{_fenced(f'@{name} [arg ...]')}\n\n{usage.strip()}",
            "## Concrete Examples",
            *(f"{_fenced(f'@{name} {typed}'.rstrip())}\n\n{why}" for typed, why in examples),
        ]
    )


def schema_markdown(schema: Schema) -> str:
    """The arguments of a tool as a list that people and agents read alike."""
    lines = list(_fields(schema, schema.get("$defs", {}), "", ()))
    return "\n".join(["## Arguments", "", *(lines or [NO_ARGUMENTS])])


def type_text(schema: Schema, definitions: Schema) -> str:
    """One type in words: `list of string (1 to 5 items)`, `must be "YES"`, `integer or null`."""
    if "$ref" in schema:
        name = str(schema["$ref"]).rsplit("/", 1)[-1]
        target = definitions.get(name, {})
        return f"object {name}" if "properties" in target else type_text(target, definitions)
    if "allOf" in schema and len(schema["allOf"]) == 1:
        return type_text(schema["allOf"][0], definitions)
    if "const" in schema:
        return f"must be {_shown(schema['const'])}"
    if "enum" in schema:
        values = [_shown(value) for value in schema["enum"]]
        return f"must be {values[0]}" if len(values) == 1 else f"one of {', '.join(values)}"
    for union in ("anyOf", "oneOf"):
        if union in schema:
            return " or ".join(type_text(each, definitions) for each in schema[union])
    # The length of a tuple is said by its members.
    return _plain_type(schema, definitions) + ("" if "prefixItems" in schema else _limits(schema))


def _plain_type(schema: Schema, definitions: Schema) -> str:
    kind = schema.get("type", "any")
    if isinstance(kind, list):
        return " or ".join(kind)
    if kind == "array":
        if "prefixItems" in schema:
            return f"list of exactly ({', '.join(_each(schema['prefixItems'], definitions))})"
        return f"list of {_member(schema.get('items', {}), definitions)}"
    if kind == "object" and isinstance(schema.get("additionalProperties"), Mapping):
        return f"map of string to {_member(schema['additionalProperties'], definitions)}"
    return str(kind)


def _member(schema: Schema, definitions: Schema) -> str:
    """The type of what is in a list or a map; several are kept together by brackets."""
    text = type_text(schema, definitions)
    return f"({text})" if " or " in text and not text.startswith(("list of", "map of")) else text


def _each(schemas: Sequence[Schema], definitions: Schema) -> list[str]:
    return [type_text(each, definitions) for each in schemas]


# Each pair of bounds reads as one phrase: "1 to 20", "at least 1", "at most 500 characters".
_BOUNDS = (
    ("minimum", "maximum", ""),
    ("minLength", "maxLength", " characters"),
    ("minItems", "maxItems", " items"),
    ("minProperties", "maxProperties", " entries"),
)


def _limits(schema: Schema) -> str:
    notes = [note for low, high, unit in _BOUNDS if (note := _bound(schema, low, high, unit))]
    words = {
        "exclusiveMinimum": "above {}",
        "exclusiveMaximum": "below {}",
        "multipleOf": "a multiple of {}",
        "pattern": "matching {}",
        "format": "{}",
    }
    notes += [text.format(schema[key]) for key, text in words.items() if key in schema]
    if schema.get("uniqueItems"):
        notes.append("no duplicates")
    return f" ({', '.join(notes)})" if notes else ""


def _bound(schema: Schema, low: str, high: str, unit: str) -> str:
    least, most = schema.get(low), schema.get(high)
    if most == 1:
        unit = {" characters": " character", " items": " item", " entries": " entry"}.get(unit, "")
    if least is not None and most is not None:
        return f"exactly {least}{unit}" if least == most else f"{least} to {most}{unit}"
    if least is not None:
        return f"at least {least}{unit}"
    return f"at most {most}{unit}" if most is not None else ""


def _fields(
    schema: Schema, definitions: Schema, indent: str, inside: tuple[str, ...]
) -> Iterator[str]:
    required = schema.get("required", ())
    for name, field in schema.get("properties", {}).items():
        status = "required" if name in required else _optional(field)
        yield f"{indent}- **{name}** ({status}): {type_text(field, definitions)}"
        if field.get("description"):
            yield f"{indent}  {' '.join(str(field['description']).split())}"
        for model in _models(field):
            # A model that contains itself is described once; its name says the rest.
            if model not in inside:
                nested = definitions.get(model, {})
                yield from _fields(nested, definitions, indent + "  ", (*inside, model))


def _optional(field: Schema) -> str:
    # A default that is no part of the schema is made by a function, when the call comes.
    default = _shown(field["default"]) if "default" in field else "computed for each call"
    return f"optional, default: {default}"


def _models(schema: Schema) -> Iterator[str]:
    if "$ref" in schema:
        yield str(schema["$ref"]).rsplit("/", 1)[-1]
    for key in ("anyOf", "oneOf", "allOf", "prefixItems"):
        for each in schema.get(key, ()):
            yield from _models(each)
    for key in ("items", "additionalProperties"):
        if isinstance(schema.get(key), Mapping):
            yield from _models(schema[key])


def _warnings(text: str, consent: Consent | None) -> list[str]:
    return [consent.warning()] if consent and CONSENT_WORDS not in text else []


def _call_pattern(name: str, schema: Schema) -> str:
    required = schema.get("required", ())
    definitions = schema.get("$defs", {})
    parts = []
    for each, field in schema.get("properties", {}).items():
        kind = type_text(field, definitions).removeprefix("must be ")
        parts.append(f"{each}: {kind}" if each in required else f"[{each}: {kind}]")
    return f"{name}({', '.join(parts)})"


def _call(arguments: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={_shown(value)}" for name, value in arguments.items())


def _shown_example(call: str, example: Example) -> str:
    return f"{_fenced(call)}\n\n{example.explanation.strip()}"


def _shown(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def _fenced(text: str, language: str = "") -> str:
    return f"```{language}\n{text}\n```"
