"""`TemplateRenderer`: fills in a prompt's text, in one pass.

A template has `{{argument}}`, `{{resource:uri}}` (with `*` and `?` as wildcards, and arguments
inside the uri), `{{tool:name}}` and `{{workflow}}`. Text from an argument or a document is never
expanded again, so it cannot inject references.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from toolcrib.core.errors import FileRefused, FileUnreadable, InvalidParams, ResourceNotFound
from toolcrib.core.pack import FindTool
from toolcrib.core.tool import Tool
from toolcrib.files.globs import compile_text, escape

if TYPE_CHECKING:
    from toolcrib.packs.architecture.library.library import Library
    from toolcrib.packs.architecture.library.records import DocumentRecord

MOST_RESOURCES = 50
MOST_EMBEDDED = 1024 * 1024
"""In characters, over all resources of one prompt."""

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_ASIDES = re.compile(r"\s*\((?:optional|e\.g\.[^()]*)\)$")


@dataclass(frozen=True, slots=True)
class Text:
    """Words that stay as they are."""

    text: str


@dataclass(frozen=True, slots=True)
class Reference:
    """One `{{…}}`: `kind` is argument, resource or tool, `source` how it is written.

    `parts` is what it names; that of a resource may hold arguments.
    """

    kind: str
    source: str
    parts: tuple[Text | Reference, ...]

    @property
    def name(self) -> str:
        """What it names, arguments shown as they are written."""
        return "".join(each.text if isinstance(each, Text) else each.source for each in self.parts)

    @property
    def is_wild(self) -> bool:
        """Whether its own words (not those of an argument) have a wildcard."""
        return any(isinstance(each, Text) and re.search(r"[*?]", each.text) for each in self.parts)

    @property
    def arguments(self) -> tuple[str, ...]:
        """The arguments inside of it."""
        return tuple(each.name for each in self.parts if isinstance(each, Reference))


Part = Text | Reference


def parse_template(text: str) -> tuple[Part, ...]:
    """Split a template into words and references; what is no reference stays as it is."""
    parts: list[Part] = []
    words = 0
    at = text.find("{{")
    while at >= 0:
        end = _closing(text, at)
        reference = _reference(text[at:end]) if end > 0 else None
        if reference is None:
            at = text.find("{{", at + 1)
            continue
        if at > words:
            parts.append(Text(text[words:at]))
        parts.append(reference)
        words = end
        at = text.find("{{", end)
    if words < len(text):
        parts.append(Text(text[words:]))
    return tuple(parts)


@dataclass(slots=True)
class Rendering:
    """One prompt on its way out: its arguments, and how much was embedded so far."""

    arguments: Mapping[str, str]
    declared: frozenset[str]
    workflow: Callable[[], str] | None = None
    resources: int = 0
    embedded: int = 0
    handle: str | None = None


class TemplateRenderer:
    """Expands templates over a library and the tools that are served."""

    def __init__(
        self,
        library: Library,
        tools: Sequence[Tool],
        finder: Callable[[], FindTool | None] = lambda: None,
    ) -> None:
        self._library = library
        self._tools = {tool.name: tool for tool in tools}
        self._finder = finder

    @property
    def tool_names(self) -> list[str]:
        """The pack's own tools, which a template can always name."""
        return sorted(self._tools)

    def tool(self, name: str) -> tuple[Tool, bool] | None:
        """The tool of that name, and whether it is listed: of all that are served, else our own."""
        find = self._finder()
        if find is not None:
            return find(name)
        own = self._tools.get(name)
        return None if own is None else (own, True)

    def render(self, parts: Sequence[Part], rendering: Rendering) -> str:
        """Fill in one text; limits count over all texts of the same rendering."""
        return "".join(
            part.text if isinstance(part, Text) else self._expanded(part, rendering)
            for part in parts
        )

    def embed_tools(self, text: str) -> str:
        """`text` with each `{{tool:name}}` replaced by the tool's description."""
        nothing = Rendering({}, frozenset())
        parts = (
            Text(part.source) if isinstance(part, Reference) and part.kind != "tool" else part
            for part in parse_template(text)
        )
        return self.render(tuple(parts), nothing)

    def matching(self, reference: Reference, arguments: Mapping[str, str]) -> list[DocumentRecord]:
        """The records that a resource reference means; raises when it names none."""
        if not reference.is_wild:
            return [self._library.find(_filled(reference, arguments))]
        matches = compile_text(_pattern(reference, arguments))
        return [each for each in self._library.records() if matches(each.uri)]

    def _expanded(self, reference: Reference, rendering: Rendering) -> str:
        if reference.kind == "tool":
            found = self.tool(reference.name)
            return describe_tool(*found) if found else reference.source
        if reference.kind == "resource":
            return self._embedded(reference, rendering)
        if reference.name in rendering.declared:
            return rendering.arguments.get(reference.name, "")
        if reference.name == "workflow" and rendering.workflow is not None:
            if rendering.handle is None:
                rendering.handle = rendering.workflow()
            return rendering.handle
        return reference.source

    def _embedded(self, reference: Reference, rendering: Rendering) -> str:
        if any(not rendering.arguments.get(name) for name in reference.arguments):
            return ""  # an optional argument that was left out names no document
        records = self.matching(reference, rendering.arguments)
        if not records:
            return f"(no document matches {reference.name})"
        rendering.resources += len(records)
        if rendering.resources > MOST_RESOURCES:
            raise InvalidParams(
                f"The prompt embeds more than {MOST_RESOURCES} resources",
                why=f"{reference.source} brings them to {rendering.resources}",
                data={"limit": MOST_RESOURCES, "reference": reference.source},
            )
        texts = [self._text(record, reference, rendering) for record in records]
        if not reference.is_wild:
            return texts[0]
        shown = (f"<!-- {r.uri} -->\n{text}" for r, text in zip(records, texts, strict=True))
        return "\n\n---\n\n".join(shown)

    def _text(self, record: DocumentRecord, reference: Reference, rendering: Rendering) -> str:
        try:
            text = self._library.text(record)
        except FileRefused:
            raise ResourceNotFound(record.uri) from None
        except FileUnreadable as error:
            raise InvalidParams(
                f"{record.uri} is unavailable", why=error.what, data={"uri": record.uri}
            ) from error
        rendering.embedded += len(text)
        if rendering.embedded > MOST_EMBEDDED:
            raise InvalidParams(
                f"The prompt embeds more than 1 MB ({MOST_EMBEDDED} characters) of resources",
                why=f"reached with {record.uri} in {reference.source}",
                data={"limit": MOST_EMBEDDED, "reference": reference.source},
            )
        return text.rstrip("\n")


def describe_tool(tool: Tool, listed: bool = True) -> str:
    """A tool as a prompt shows it: name, description and a line for each parameter."""
    way = "" if listed else " (call it through climax_call)"
    lines = [f"Tool: {tool.name}{way}", f"Description: {' '.join(tool.description.split())}"]
    properties: Mapping[str, Any] = tool.input_schema.get("properties", {})
    required = tool.input_schema.get("required", ())
    lines.append("Parameters:" if properties else "Parameters: none")
    for name, schema in properties.items():
        need = "required" if name in required else "optional"
        lines.append(f"  - {name} ({need}): {_parameter(schema)}")
    return "\n".join(lines)


def _parameter(schema: Mapping[str, Any]) -> str:
    """What the schema says of it, without what the line says already."""
    text = _ASIDES.sub("", " ".join(str(schema.get("description", "")).split()))
    limit = schema.get("maxLength")
    return f"{text} (max {limit} chars)" if limit is not None else text


def _closing(text: str, start: int) -> int:
    """Where the reference that begins at `start` ends, references within it skipped; or -1."""
    at = start + 2
    depth = 1
    while depth:
        closed = text.find("}}", at)
        if closed < 0:
            return -1
        opened = text.find("{{", at)
        if 0 <= opened < closed:
            depth += 1
            at = opened + 2
        else:
            depth -= 1
            at = closed + 2
    return at


def _reference(source: str) -> Reference | None:
    inner = source[2:-2].strip()
    kind, colon, rest = inner.partition(":")
    if not colon:
        return Reference("argument", source, (Text(inner),)) if _NAME.fullmatch(inner) else None
    rest = rest.strip()
    if kind == "tool" and rest and "{{" not in rest:
        return Reference("tool", source, (Text(rest),))
    if kind == "resource" and rest:
        parts = parse_template(rest)
        plain = all(isinstance(each, Text) or each.kind == "argument" for each in parts)
        return Reference("resource", source, parts) if plain else None
    return None


def _filled(reference: Reference, arguments: Mapping[str, str]) -> str:
    return "".join(
        part.text if isinstance(part, Text) else arguments.get(part.name, "").strip()
        for part in reference.parts
    )


def _pattern(reference: Reference, arguments: Mapping[str, str]) -> str:
    """The uri as a pattern; wildcards count in the template's own words alone."""
    return "".join(
        part.text.replace("[", "[[]")
        if isinstance(part, Text)
        else escape(arguments.get(part.name, "").strip())
        for part in reference.parts
    )
