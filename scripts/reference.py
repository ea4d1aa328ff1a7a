"""Write the pages of reference: commands, settings and errors, from the code itself.

python scripts/reference.py            write docs/cli.md, docs/settings.md, docs/errors.md
python scripts/reference.py --check    exit code 1 if one of them is out of date
"""

from __future__ import annotations

import argparse
import inspect
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from toolcrib.cli import COMMANDS, parser_for
from toolcrib.cli.commands.explain import Explanation, explanations
from toolcrib.settings import json_schema

DOCS = Path(__file__).parents[1] / "docs"
_NOTE = "<!-- Written by scripts/reference.py: change the code, then run `make reference`. -->\n"
_SHARED = ("--help", "--project", "--json")


_ON_COMMANDS = """\
Every command takes `--project DIR` (the repository; by default the one around the current
folder), `--json`
(JSON for scripts) and `--help`. The exit code is 0 when all is well, 1 when something is invalid or
failed, and 2 when the command line makes no sense. Colours are used on a terminal only, and never
when `NO_COLOR` is set.
"""
_ON_SETTINGS = """\
`toolcrib.toml` at the root of the repository, or `[tool.toolcrib.…]` in `pyproject.toml`.
Everything is optional. Options beat the environment, the environment beats the file, and the
file beats the defaults. A variable is called `TOOLCRIB_`, the section, `_`, the key:
`TOOLCRIB_HTTP_PORT=8080`. An unknown key is an error with the nearest one.

`toolcrib init` writes a file with all of this in it, `toolcrib validate` checks it, and
`toolcrib validate --schema` prints a JSON Schema for editors.
"""
_VARIABLES = """\
## Other variables

| variable | |
| --- | --- |
| `TOOLCRIB_STATE` | where flags and copies of clients' files are kept: [Guide](guide.md#where-flags-are-kept) |
| `MCP_TOOL_PREFIX` | prefix of the guide's tools: `guide` when it is not set, none when it is empty |
| `MCP_INCLUDE_EXAMPLE_TOOLS` | `true`, `1` or `yes`: serve the guide's example tool as well |
| `DIRECTIVE_LOG` | `1`: a line per call of the directive pack on standard error |
| `NO_COLOR` | no colours, even on a terminal |
| `OTEL_…` | any of them switches OpenTelemetry on, where its SDK is installed |
"""  # noqa: E501 - a row of a table is one line
_ON_ERRORS = """\
An error says what went wrong, where, why, and what to do next:

```text
error[config]: Unknown key 'prot' in [http]; did you mean 'port'?
  --> toolcrib.toml:2:1
  2 | prot = 8080
    | ^
  why:  [http] has: host, port, path, tokens, …
```

With `--json` the same is an object: `error` with `code`, `what`, `where`, `why` and `next`.
`toolcrib explain CODE` prints what stands here; the code is a word from `error[…]` or from
`error_type`, or a number from a JSON-RPC answer or an exit.
[Troubleshooting](troubleshooting.md) goes by the text of an error.
"""


def main() -> int:
    """Write the pages, or say which are out of date."""
    check = sys.argv[1:] == ["--check"]
    stale = [name for name, text in pages().items() if _put(DOCS / name, text, check)]
    for name in stale:
        print(f"docs/{name} {'is out of date' if check else 'is written'}")
    return 1 if check and stale else 0


def pages() -> dict[str, str]:
    """Every generated page by its file name."""
    return {"cli.md": commands(), "settings.md": settings(), "errors.md": errors()}


def _put(file: Path, text: str, check: bool) -> bool:
    if file.is_file() and file.read_text(encoding="utf-8") == text:
        return False
    if not check:
        file.write_text(text, encoding="utf-8")
    return True


def commands() -> str:
    """`docs/cli.md`: every command with its examples, arguments and options."""
    rows = [(_link(name), text) for name, text in COMMANDS.items()]
    parts = [f"# Commands\n\n{_NOTE}", _ON_COMMANDS, _table(["command", ""], rows)]
    for name, parser in _children(parser_for([], every=True)):
        parts += _command(f"toolcrib {name}", parser, "##")
    return "\n".join(parts)


def _link(name: str) -> str:
    return f"[`{name}`](#toolcrib-{name})"


def _command(title: str, parser: argparse.ArgumentParser, level: str) -> Iterator[str]:
    words, examples = _split(inspect.cleandoc(parser.description or ""))
    yield f"{level} {title}\n"
    yield f"{words}\n"
    if examples:
        yield f"```sh\n{examples}\n```\n"
    rows = list(_arguments(parser))
    if rows:
        yield _table(["", ""], rows)
    for name, child in _children(parser):
        yield from _command(f"{title} {name}", child, level + "#")


def _children(parser: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            helps = {each.dest: each.help for each in action._choices_actions}
            for name, child in action.choices.items():
                child.description = child.description or _sentence(helps.get(name) or "")
                yield name, child


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def _split(text: str) -> tuple[str, str]:
    """A docstring as its words and its examples, explanations turned into comments."""
    words, _, rest = text.partition("\nexamples:\n")
    block, _, more = rest.partition("\n\n")
    lines = [
        re.sub(r"(\S) {2,}(?=\S)", r"\1    # ", line.strip(), count=1)
        for line in block.splitlines()
    ]
    told = "\n\n".join(part.strip() for part in (words, more) if part.strip())
    return _quoted(told), "\n".join(lines)


def _quoted(text: str) -> str:
    """Words as Markdown: a line that is set in stays on its own."""
    return re.sub(r"<(\w+)>", r"`<\1>`", text)


def _arguments(parser: argparse.ArgumentParser) -> Iterator[tuple[str, str]]:
    for action in parser._actions:
        shared = any(name in _SHARED for name in action.option_strings)
        if shared or isinstance(action, argparse._SubParsersAction):
            continue
        yield _spelled(action), _meaning(action)


def _spelled(action: argparse.Action) -> str:
    value = ""
    if action.nargs != 0:
        shown = action.metavar or (action.dest.upper() if action.option_strings else action.dest)
        value = str(
            shown if not action.choices or action.metavar else "|".join(map(str, action.choices))
        )
        if action.nargs in ("?", "*"):
            value = f"[{value}]"
    names = " ".join(f"`{name}`" for name in action.option_strings)
    return f"{names} `{value}`".strip() if value else names


def _meaning(action: argparse.Action) -> str:
    return (action.help or "").replace("%%", "%")


def settings() -> str:
    """`docs/settings.md`: every key of `toolcrib.toml`."""
    parts = [f"# Settings\n\n{_NOTE}", _ON_SETTINGS]
    for name, section in json_schema()["properties"].items():
        rows = [_setting(key, schema) for key, schema in section["properties"].items()]
        parts += [f"## {name}\n", f"{_sentence(section['description'].rstrip('.'))}\n"]
        parts.append(_table(["key", "type", "default", ""], rows))
    return "\n".join(parts) + "\n" + _VARIABLES


def _setting(key: str, schema: dict[str, Any]) -> tuple[str, str, str, str]:
    kind = (
        " or ".join(f"`{json.dumps(each)}`" for each in schema["enum"])
        if "enum" in schema
        else _kind(schema)
    )
    default = f"`{json.dumps(schema['default'])}`" if "default" in schema else ""
    return f"`{key}`", kind, default, _sentence(schema["description"].rstrip("."))


def _kind(schema: dict[str, Any]) -> str:
    if "array" in schema["type"]:
        return f"list of {schema['items']['type']}s"
    return str(schema["type"])


def errors() -> str:
    """`docs/errors.md`: every code, with what `toolcrib explain` says of it."""
    parts = [f"# Errors\n\n{_NOTE}", _ON_ERRORS]
    known = explanations()
    parts += ["## Words\n", *(_error(each) for each in known if not _is_number(each))]
    parts += ["## Numbers\n", *(_error(each) for each in known if _is_number(each))]
    return "\n".join(parts)


def _is_number(each: Explanation) -> bool:
    return each.code.lstrip("-").isdigit()


def _error(each: Explanation) -> str:
    number = f" ({each.rpc_code})" if each.rpc_code is not None and not _is_number(each) else ""
    return f"### {each.code}{number}\n\n{each.text}\n"


def _table(head: list[str], rows: list[tuple[str, ...]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(
        f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |\n" for row in lines
    )


if __name__ == "__main__":
    sys.exit(main())
