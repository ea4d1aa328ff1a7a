"""Check what people wrote here: settings, configs, policies, prompts, documents and tools.

It looks at the files alone, so that it gives the same answer here and in CI.

examples:
  toolcrib validate
  toolcrib validate --strict        warnings count as well
  toolcrib validate --schema        the JSON Schema of toolcrib.toml, for editors
  toolcrib validate --schema servers    the one of mcp/servers.json
"""

from __future__ import annotations

import argparse

from toolcrib.cli.commands.doctor import report
from toolcrib.cli.terminal import console
from toolcrib.cli.terminal.checkup import repository


def add(parser: argparse.ArgumentParser) -> None:
    """The options of `validate`."""
    parser.add_argument("--strict", action="store_true", help="warnings fail, too")
    parser.add_argument(
        "--schema",
        nargs="?",
        const="settings",
        choices=("settings", "servers"),
        help="print a JSON Schema and stop: of toolcrib.toml, or of files with servers",
    )


def run(args: argparse.Namespace) -> int:
    """Print the findings; exit code 1 if anything is invalid."""
    if args.schema == "servers":
        from toolcrib.packs.gateway.settings import schema_text

        console.say(schema_text().rstrip())
        return 0
    if args.schema:
        import json

        from toolcrib.settings import json_schema

        console.say(json.dumps(json_schema(), indent=2))
        return 0
    found = repository(args.project)
    code = report(found, args)
    return 1 if args.strict and any(each.level != "ok" for each in found) else code
