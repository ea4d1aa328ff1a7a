"""Explain an error code: what it means and what to do about it.

A code is a word from `error[…]`, or a number from a JSON-RPC answer or an exit.

examples:
  toolcrib explain config
  toolcrib explain breaker_open
  toolcrib explain -32602
  toolcrib explain 1001
  toolcrib explain T-6             a rule of trust and confinement
  toolcrib explain                 all of them, one line each
"""

from __future__ import annotations

import argparse
import inspect
from dataclasses import dataclass
from importlib import import_module

from toolcrib.cli.terminal import console
from toolcrib.core import errors
from toolcrib.core.errors import ToolcribError, UsageError
from toolcrib.core.support.suggest import did_you_mean

# Numbers of the protocol that no class of ours stands for.
_NUMBERS = {
    -32700: "The message is not JSON: cut off, not UTF-8, nested too deeply, with doubled keys.\n\n"
    "The connection goes on with the next line. Send one JSON object per line.",
    -32600: "The message is JSON but not a request.\n\n"
    "It is a batch, its id is null or in use, its params are no object, or jsonrpc is missing.",
    -32601: "No method has that name. `toolcrib list` shows what is served.",
    -32603: "Something went wrong inside of the server, and the details stay there.\n\n"
    "Serve with `--log-level DEBUG` and look at standard error.",
    -32022: "The request names a protocol version that this server does not speak.\n\n"
    "It speaks 2026-07-28 without a handshake, and 2024-11-05 to 2025-11-25 with one.",
    -32020: "A header of the HTTP request does not match its body.\n\n"
    "It is MCP-Protocol-Version, Mcp-Method or Mcp-Name; the message says which.",
    1001: "The directive pack's own methods found no such file, template or folder, or the path is "
    "outside of `directive/`.\n\n`toolcrib directive init` makes the folder.",
    0: "Exit code 0: all is well.",
    1: "Exit code 1: something is invalid or went wrong, and the error says what.",
    2: "Exit code 2: the command line makes no sense as it was typed; `--help` shows what does.",
}

# Where kinds of errors are defined beside core/errors: a kind is known once its module is loaded.
_MODULES = (
    "toolcrib.cli.adoption.translation",
    "toolcrib.cli.terminal.person",
    "toolcrib.cli.terminal.trusting",
    "toolcrib.packs.custom.loading",
    "toolcrib.packs.gateway.faults",
    "toolcrib.packs.gateway.references",
    "toolcrib.packs.guide.errors",
    "toolcrib.policy.secrets",
    "toolcrib.server.transports.http_endpoint",
    "toolcrib.server.transports.http_limits",
)


@dataclass(frozen=True, slots=True)
class Explanation:
    """One code: its word or number, and the text for a person."""

    code: str
    rpc_code: int | None
    text: str

    @property
    def summary(self) -> str:
        """The first sentence."""
        return self.text.splitlines()[0]


def add(parser: argparse.ArgumentParser) -> None:
    """The options of `explain`."""
    parser.add_argument("code", nargs="?", metavar="CODE", help="a word, or a number")


def run(args: argparse.Namespace) -> int:
    """Explain one code, or list all."""
    known = explanations()
    found = known if args.code is None else matching(args.code, known) or _rule(args.code)
    if not found:
        words = [each.code for each in known]
        raise UsageError(
            f"No error has the code {args.code!r}{did_you_mean(args.code, words)}",
            next="toolcrib explain lists all of them",
        )
    rows = [{"code": e.code, "rpc_code": e.rpc_code, "text": e.text} for e in found]
    console.emit(rows, lambda: _listed(found) if args.code is None else _told(found), args)
    return 0


def explanations() -> list[Explanation]:
    """Every code there is, words first."""
    for module in _MODULES:
        import_module(module)
    words = [
        Explanation(kind.code, _number(kind), inspect.cleandoc(kind.__doc__ or ""))
        for kind in _kinds(ToolcribError)
    ]
    numbers = [Explanation(str(number), number, text) for number, text in _NUMBERS.items()]
    return sorted(words, key=lambda each: each.code) + numbers


def _rule(code: str) -> list[Explanation]:
    """A rule of trust and confinement, as messages and pages name it: T-6."""
    from toolcrib.policy.trust.rules import RULES

    number = code.strip().upper().removeprefix("T-").rstrip("A")
    if not code.strip().upper().startswith("T-") or not number.isdigit():
        return []
    text = RULES.get(int(number))
    return [Explanation(f"T-{number}", None, text)] if text is not None else []


def matching(code: str, known: list[Explanation]) -> list[Explanation]:
    """The explanations that a word or a number stands for; several errors share a number."""
    wanted = code.strip().strip("[]").lower().replace("_", "-").removeprefix("error[")
    by_word = [each for each in known if each.code.replace("_", "-") == wanted]
    by_number = [each for each in known if str(each.rpc_code) == wanted and each not in by_word]
    return by_word + by_number


def _kinds(kind: type[ToolcribError]) -> list[type[ToolcribError]]:
    """A class and all below it that have a code of their own."""
    own = [kind] if "code" in vars(kind) else []
    return own + [each for child in kind.__subclasses__() for each in _kinds(child)]


def _number(kind: type[ToolcribError]) -> int | None:
    number = getattr(kind, "rpc_code", None)
    if number is None and issubclass(kind, errors.InvalidParams):
        return -32602
    return number if isinstance(number, int) else None


def _told(found: list[Explanation]) -> str:
    parts = []
    for each in found:
        number = f" ({each.rpc_code})" if each.rpc_code and str(each.rpc_code) != each.code else ""
        parts.append(f"{console.style(each.code, 'bold')}{number}\n\n{each.text}")
    return "\n\n".join(parts)


def _listed(found: list[Explanation]) -> str:
    rows = [(e.code, "" if e.rpc_code is None else e.rpc_code, e.summary) for e in found]
    return console.table(rows, ["code", "number", "meaning"])
