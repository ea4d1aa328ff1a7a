"""`validate-against-pattern`: does this code do what a documented pattern asks for?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolcrib.core.tool import JSON, READ_ONLY, CallContext, Tool

if TYPE_CHECKING:
    from toolcrib.packs.architecture.library.library import Library

INPUT_SCHEMA: JSON = {
    "type": "object",
    "properties": {
        "code": {"type": "string", "description": "Code to validate", "maxLength": 50000},
        "pattern_name": {
            "type": "string",
            "description": "Name of pattern to validate against (e.g., 'repository-pattern')",
        },
        "language": {"type": "string", "description": "Programming language (optional)"},
    },
    "required": ["code", "pattern_name"],
}

OUTPUT_SCHEMA: JSON = {
    "type": "object",
    "properties": {
        "compliant": {"type": "boolean"},
        "pattern": {"type": "string"},
        "mode": {"type": "string", "enum": ["rules", "heuristic", "none"]},
        "violations": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "rule": {"type": "string"},
                    "description": {"type": "string"},
                    "severity": {"type": "string", "enum": ["error", "warning"]},
                    "line": {"type": "integer", "minimum": 1},
                    "column": {"type": "integer", "minimum": 1},
                    "snippet": {"type": "string"},
                    "fix": {"type": "string"},
                },
                "required": ["rule", "description", "severity"],
            },
        },
        "suggestions": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["compliant", "pattern", "mode", "violations", "suggestions"],
}


def tool(library: Library) -> Tool:
    """The tool over the patterns of a library."""

    async def run(arguments: JSON, context: CallContext) -> JSON:
        from toolcrib.packs.architecture.patterns.patterns import (
            validate_named,  # rules, at the first call
        )

        verdict = await validate_named(
            library, arguments["pattern_name"], arguments["code"], arguments.get("language")
        )
        return verdict.to_wire()

    return Tool(
        name="validate-against-pattern",
        title="Validate against pattern",
        description="Validates code against documented architectural patterns",
        input_schema=INPUT_SCHEMA,
        output_schema=OUTPUT_SCHEMA,
        annotations=READ_ONLY,
        category="architecture",
        tags=("architecture", "patterns", "validation"),
        origin=__name__,
        failures="protocol",
        run=run,
    )
