"""Search everything: the tools of every pack, and what the repository has to say.

Tools come first, then documents, decisions, rules, skills and guide content. A tool that answers
far less of the question than the best document is left out.

examples:
  toolcrib search "undo the last commit"
  toolcrib search "how do we handle errors"
  toolcrib search stock --category shop
  toolcrib search template --limit 3 --json
  toolcrib search "remove a container" --explain
"""

from __future__ import annotations

import argparse
from functools import partial
from textwrap import shorten

from toolcrib.cli.terminal import console
from toolcrib.cli.terminal.local import LocalServer, with_local_server
from toolcrib.core.errors import ExecutionFailed, InvalidArguments
from toolcrib.core.support.workers import in_thread
from toolcrib.core.tool import JSON
from toolcrib.discovery.together import beside

_EXCERPT = 100
"""Letters of an excerpt at a terminal."""


def add(parser: argparse.ArgumentParser) -> None:
    """The options of `search`."""
    parser.add_argument("query", nargs="+", metavar="QUERY", help="words, in any order")
    parser.add_argument("--category", help="only tools of this category")
    parser.add_argument("--cli", metavar="NAME", help="only tools of this program")
    parser.add_argument("--limit", type=int, default=10, help="how many to show (default: 10)")
    parser.add_argument("--explain", action="store_true", help="say why each one matched")


def run(args: argparse.Namespace) -> int:
    """Print what was found, best first."""
    wanted = {"query": " ".join(args.query), "limit": args.limit}
    given = {key: getattr(args, key) for key in ("category", "cli")}
    wanted |= {key: value for key, value in given.items() if value} | {"explain": True}

    most = min(args.limit, 20)

    async def search(server: LocalServer) -> JSON:
        server.tell_unseen()
        answer = await server.ask("tools/call", name="climax_search", arguments=wanted)
        if (
            not answer.get("isError")
            and wanted["query"].strip()
            and not (args.cli or args.category)
        ):
            # Of documents nobody reads more than twenty.
            known = partial(server.surface.knowledge.search, explain=True)
            query = wanted["query"][:500]
            _join(answer["structuredContent"], query, await in_thread(known, query, (), most))
        return answer

    # In progressive discovery the meta-tools reach every tool.
    progressive = {"server": {"discovery": "progressive"}}
    answer = with_local_server(args, search, overrides=progressive, at_rest=True)
    found = answer["structuredContent"]
    if answer.get("isError"):
        message = found["error"]["message"]
        wrong = found["error"]["code"] == InvalidArguments.rpc_code
        raise InvalidArguments([message]) if wrong else ExecutionFailed(message)
    if not args.explain:
        found.pop("explain", None)
    console.emit(found, lambda: _text(found), args)
    return 0


def _join(tools: JSON, query: str, documents: JSON) -> None:
    """Add the documents, and leave out the tools that answer far less of the question."""
    reasons = tools.get("explain", {})
    tools["results"] = beside(query, tools["results"], reasons, documents.get("explain", ()))
    tools["explain"] = {
        each["tool_name"]: reasons.get(each["tool_name"], {}) for each in tools["results"]
    }
    tools["knowledge"] = documents["results"]


def _text(found: JSON) -> str:
    if found["mode"] == "summary":
        programs = [(each["name"], each["tool_count"]) for each in found["summary"]]
        return console.table(programs, ["program or pack", "tools"])
    tools, knowledge = _tools(found), _knowledge(found.get("knowledge", []))
    if tools and knowledge:
        return f"{tools}\n\n{knowledge}"
    if tools or knowledge:
        return tools or knowledge
    nearest = ", ".join(found.get("nearest", []))
    return f"Nothing found; nearest: {nearest}" if nearest else "Nothing found"


def _knowledge(results: list[JSON]) -> str:
    """A line for each: kind, title and address; below it, a few words out of its text."""
    rows = [(each["kind"], each["title"], each["uri"]) for each in results]
    if not rows:
        return ""
    head, *lines = console.table(rows, ["kind", "title", "where"]).splitlines()
    shown = [head]
    for line, each in zip(lines, results, strict=True):
        shown += [line, *_excerpt(each)]
    return "\n".join(shown)


def _excerpt(result: JSON) -> list[str]:
    """A few words out of a document, if they say more than its title does."""
    text = " ".join(str(result.get("excerpt") or "").split())
    text = text.lstrip("# ").removeprefix(result["title"]).strip()
    if not text:
        return []
    return [console.style(f"    {shorten(text, _EXCERPT, placeholder=' …')}", "dim")]


def _tools(found: JSON) -> str:
    results = found.get("results", [])
    if not results:
        return ""
    rows = [(each["tool_name"], str(each["description"]).split("\n")[0]) for each in results]
    if "explain" not in found:
        return console.table(rows, ["tool", "what it does"])
    reasons = [_reason(found["explain"].get(name, {})) for name, _ in rows]
    explained = [(name, why, does) for (name, does), why in zip(rows, reasons, strict=True)]
    return console.table(explained, ["tool", "why", "what it does"])


def _reason(why: JSON) -> str:
    """Why a tool was found: `container (name, description), delete for remove (description)`."""
    parts = [f"{why['name']} name"] if why.get("name") else []
    for word, about in why.get("words", {}).items():
        stands = f" for {about['for']}" if "for" in about else ""
        parts.append(f"{word}{stands} ({', '.join(about['in'])})")
    if why.get("meaning_score"):
        parts.append(f"meaning {why['meaning_score']:.2f}")
    return ", ".join(parts)
