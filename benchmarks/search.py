"""How often the right tool is found, and how long a search takes, beside the public peers.

    python benchmarks/search.py [--data FOLDER] [--plot FILE] [--queries N]
        [--metatool CHECKOUT] [--livemcp CHECKOUT]

Every ranking answers the same queries over the same tools in one run: toolcrib's index with and
without the extra `semantic`, BM25 (bm25s, stemmed), and FastMCP's own search transform. A query
counts as found at k when any of its right answers is among the first k. Then the same for
decisions and documents (`documents.py` beside this file), and what an index costs. Checkouts of two
public benchmarks are measured as well, where they are named (`public_sets.py`).
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import documents
import public_sets

from toolcrib.discovery.tool_fields import tool_index, tool_item
from toolcrib.search.index import Index

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "tool-search"
PLOT = Path(__file__).resolve().parents[1] / "docs" / "images" / "search.png"
SETS = {
    "fig_tldr_noaws": "fig_tldr_noaws",
    "fig_tldr_noaws_ctx": "fig_tldr_noaws",
    "nl2bash_bal": "nl2bash_bal",
    "bfcl": "bfcl",
}
RELEASE = {
    "fig_tldr_noaws": (66.4, 62.4),
    "fig_tldr_noaws_ctx": (88.3, 85.1),
    "nl2bash_bal": (59.6, 57.8),
    "bfcl": (91.5, 89.1),
    "chatty": (25.7, 22.1),
}
"""What release 0.1 found among the first five, with and without the extra."""
OWN = ("chatty", "plugins", "tasks")
"""Our own sets, in files beside this one."""
AT = (1, 5, 10)
Search = Callable[[str], list[str]]


def lines(file: Path) -> list[dict[str, Any]]:
    with gzip.open(file, "rt") as stream:
        return [json.loads(line) for line in stream]


def own(name: str) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Tools and questions of our own, in the form of the others."""
    tools: list[dict[str, Any]] = []
    queries: list[dict[str, Any]] = []
    file = Path(__file__).with_name(f"{name}.txt")
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.startswith("= "):
            cli, name, description = (part.strip() for part in line[2:].split("|"))
            tools.append({"id": name, "cli": cli, "name": name, "description": description})
        elif line.startswith("? "):
            queries.append({"query": line[2:], "gold": [tools[-1]["id"]]})
    return tools, queries


Named = tuple[str, list[Any], list[Any]]
"""A set: its name, its tools and its queries."""


def public(args: argparse.Namespace) -> Iterator[Named]:
    """The sets of public benchmarks that are at hand."""
    for read, checkout in (
        (public_sets.metatool, args.metatool), (public_sets.livemcp, args.livemcp)
    ):  # fmt: skip
        for name, (tools, queries) in (read(checkout) if checkout else {}).items():
            yield name, tools, queries[: args.queries]


def given(data: Path, most: int | None) -> Iterator[Named]:
    """The sets of the data, and our own."""
    for name, of in SETS.items():
        tools = lines(data / f"{of}.tools.jsonl.gz")
        yield name, tools, lines(data / f"{name}.queries.jsonl.gz")[:most]
    for name in OWN:
        tools, queries = own(name)
        yield name, tools, queries[:most]


def arguments_of(tool: dict[str, Any]) -> list[tuple[str, str]]:
    """The names of each argument in one word, and what it is for."""
    given = tool.get("args") or ()
    return [(" ".join(name for name in names if name), text or "") for names, text in given]


def ours(tools: list[dict[str, Any]], semantic: bool) -> Search:
    return answers(filled(tools, semantic))


def answers(index: Index) -> Search:
    """A search that waits for meaning to be ready, so that it is measured too."""
    index.warm(300)
    return lambda query: [hit.key for hit in index.search(query, limit=10).hits]


def filled(tools: list[dict[str, Any]], semantic: bool, copies: int = 1) -> Index:
    """An index of the tools as a config would describe them, or of several such catalogues."""
    programs = {tool["id"]: tool["description"] for tool in tools if tool["id"] == tool["cli"]}
    index = tool_index(semantic=semantic)
    for copy in range(copies):
        mark = f"_{copy}" if copy else ""
        index.add_all(
            tool_item(
                tool["name"] + mark,
                tool["description"] or "",
                key=tool["id"] + mark,
                cli=tool["cli"],
                about=programs.get(tool["cli"]) or "",
                arguments=[f"{names} {text}" for names, text in arguments_of(tool)],
            )
            for tool in tools
        )
    return index


def text_of(tool: dict[str, Any]) -> str:
    arguments = " ".join(f"{names} {text}" for names, text in arguments_of(tool))
    return f"{tool['cli']} {tool['name']} {tool['description']} {arguments}".replace("_", " ")


def bm25(tools: list[dict[str, Any]]) -> Search:
    import bm25s

    from toolcrib.search.tokens import tokens

    index = bm25s.BM25()
    index.index([tokens(text_of(tool)) for tool in tools], show_progress=False)

    def search(query: str) -> list[str]:
        found, scores = index.retrieve([tokens(query)], k=10, show_progress=False)
        pairs = zip(found[0], scores[0], strict=True)
        return [tools[int(place)]["id"] for place, score in pairs if score > 0]

    return search


def fastmcp(tools: list[dict[str, Any]]) -> Search:
    from fastmcp.server.transforms.search.bm25 import BM25SearchTransform
    from fastmcp.tools import Tool

    async def nothing() -> None: ...

    by_name: dict[str, str] = {}
    catalogue = []
    for number, tool in enumerate(tools):
        properties = {
            names or f"arg{place}": {"type": "string", "description": text}
            for place, (names, text) in enumerate(arguments_of(tool))
        }
        made = Tool.from_function(nothing, name=f"{tool['name']}_{number}")
        made.description = f"{tool['cli']} {tool['name']}: {tool['description']}"
        made.parameters = {"type": "object", "properties": properties}
        by_name[made.name] = tool["id"]
        catalogue.append(made)
    transform = BM25SearchTransform(max_results=10)

    def search(query: str) -> list[str]:
        found = asyncio.run(transform._search(catalogue, query))
        return [by_name[tool.name] for tool in found]

    return search


def measure(search: Search, queries: list[dict[str, Any]]) -> dict[str, float]:
    search("warm up")
    found = dict.fromkeys(AT, 0)
    times = []
    for query in queries:
        right = set(query.get("gold_any") or query["gold"])
        begun = time.process_time()
        answer = search(query["query"])
        times.append(time.process_time() - begun)
        for k in AT:
            found[k] += bool(right & set(answer[:k]))
    shown = {f"@{k}": 100 * found[k] / len(queries) for k in AT}
    return {**shown, "CPU ms": statistics.median(times) * 1000}


def resident() -> float:
    """The memory of this process in megabytes."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6


def costs(tools: list[dict[str, Any]], queries: list[dict[str, Any]]) -> None:
    """What an index takes to build and to keep, and a search in one ten times as large."""
    print(f"\n{'tools':>9}{'build, CPU s':>14}{'MB':>8}{'lexical ms':>12}{'semantic ms':>13}")
    for copies in (1, 10):
        before, begun = resident(), time.process_time()
        index = filled(tools, False, copies)
        built, room = time.process_time() - begun, resident() - before
        row = f"{len(index):9,}{built:14.2f}{room:8.0f}"
        for semantic in (False, True):
            searched = measure(answers(filled(tools, semantic, copies)), queries)
            row += f"{searched['CPU ms']:12.2f} "
        print(row, flush=True)


def plot(figures: dict[str, dict[str, dict[str, float]]], file: Path) -> None:
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    picture, axes = plt.subplots(figsize=(9, 4.2))
    rankings = list(next(iter(figures.values())))
    width = 0.8 / len(rankings)
    for number, ranking in enumerate(rankings):
        heights = [figures[name][ranking]["@5"] for name in figures]
        places = [place + number * width for place in range(len(figures))]
        bars = axes.bar(places, heights, width * 0.92, label=ranking)
        axes.bar_label(bars, fmt="%.0f", fontsize=8)
    middles = [place + 0.4 - width / 2 for place in range(len(figures))]
    axes.set_xticks(middles, list(figures), rotation=20, ha="right")
    axes.set_ylabel("found among the first five, %")
    axes.set_ylim(0, 100)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, ncols=4, loc="upper center", bbox_to_anchor=(0.5, 1.14))
    file.parent.mkdir(parents=True, exist_ok=True)
    picture.savefig(file, dpi=110, bbox_inches="tight")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--plot", type=Path, default=PLOT)
    parser.add_argument("--queries", type=int, help="only the first N of each set")
    parser.add_argument("--metatool", type=Path, help="a checkout of HowieHwong/MetaTool")
    parser.add_argument("--livemcp", type=Path, help="a checkout of icip-cas/LiveMCPBench")
    args = parser.parse_args()
    if not args.data.is_dir():
        print(f"search: no data at {args.data}; nothing to measure", file=sys.stderr)
        return 0
    figures: dict[str, dict[str, dict[str, float]]] = {}
    made: dict[str, dict[str, Search]] = {}
    heads = "".join(f"{'@' + str(k):>8}" for k in AT)
    print(f"{'':22}{'ranking':22}{heads}{'CPU ms':>9}{'0.1 @5':>9}")
    for name, tools, queries in (*given(args.data, args.queries), *public(args)):
        of = SETS.get(name, name)
        if of not in made:
            made[of] = {
                "toolcrib[semantic]": ours(tools, True),
                "toolcrib": ours(tools, False),
                "BM25 (bm25s)": bm25(tools),
                "FastMCP": fastmcp(tools),
            }
        figures[name] = {}
        for ranking, search in made[of].items():
            seen = figures[name][ranking] = measure(search, queries)
            row = "".join(f"{seen[f'@{k}']:8.1f}" for k in AT)
            before = dict(
                zip(("toolcrib[semantic]", "toolcrib"), RELEASE.get(name, ()), strict=False)
            )
            then = f"{before[ranking]:9.1f}" if ranking in before else ""
            print(f"{name:22}{ranking:22}{row}{seen['CPU ms']:9.2f}{then}", flush=True)
    plot(figures, args.plot)
    print(f"plot: {args.plot.name}")
    made.clear()
    big = lines(args.data / "fig_tldr_noaws.tools.jsonl.gz")
    costs(
        big, lines(args.data / "fig_tldr_noaws.queries.jsonl.gz")[: min(args.queries or 300, 300)]
    )
    documents.report(args.data.parent / "adr")
    return 0


if __name__ == "__main__":
    sys.exit(main())
