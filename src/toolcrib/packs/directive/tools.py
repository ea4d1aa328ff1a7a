"""The five tools, worded exactly as clients have known them from the beginning."""

from __future__ import annotations

from typing import Any

from toolcrib.core.tool import JSON, READ_ONLY, CallContext, Tool
from toolcrib.files.root import Root
from toolcrib.packs.directive.bundles import (
    build_template_bundle,
    list_directive_files,
    read_directive_file,
)

SPEC = "spec_template.md"
IMPACT = "impact_template.md"
TDR = "tdr_template.md"

_PATH = "Path under directive/ (e.g., directive/agent_context.md)"


def make_tools(root: Root, largest: int) -> list[Tool]:
    """Return the tools on one repo's `directive/`."""

    def files_list(arguments: JSON, context: CallContext) -> JSON:
        return {"files": list_directive_files(root)}

    def file_get(arguments: JSON, context: CallContext) -> JSON:
        return dict(read_directive_file(root, arguments["path"], largest))

    return [
        _tool(
            "directive/files.list",
            "List Directive Files",
            "List all files under the repository’s `directive/` directory (context and templates).",
            files_list,
        ),
        _tool(
            "directive/file.get",
            "Read Directive File",
            "Read a file under `directive/` by path and return its full contents verbatim.",
            file_get,
            path={"type": "string", "description": _PATH},
        ),
        _bundle_tool(root, largest, "spec", "Spec", SPEC, "a new Spec"),
        _bundle_tool(root, largest, "impact", "Impact", IMPACT, "an Impact analysis"),
        _bundle_tool(root, largest, "tdr", "TDR", TDR, "a Technical Design Review"),
    ]


def _bundle_tool(
    root: Root, largest: int, word: str, title: str, template: str, draft: str
) -> Tool:
    def bundle(arguments: JSON, context: CallContext) -> JSON:
        return build_template_bundle(root, template, largest)

    return _tool(
        f"directive/{word}.template",
        f"{title} Template Bundle",
        f"Return Agent Operating Procedure, Agent Context, and the {title} template, "
        f"plus a concise Primer for drafting {draft}.",
        bundle,
    )


def _tool(name: str, title: str, description: str, run: Any, **properties: JSON) -> Tool:
    schema: JSON = {"type": "object", "additionalProperties": False, "properties": properties}
    if properties:
        schema["required"] = list(properties)
    return Tool(
        name=name,
        title=title,
        description=description,
        input_schema=schema,
        run=run,
        annotations=READ_ONLY,
        tags=("directive", "spec", "template"),
        category="directive",
        origin="toolcrib.packs.directive",
    )
