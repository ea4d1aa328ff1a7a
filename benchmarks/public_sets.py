"""Questions and tools of public benchmarks, from checkouts of their repositories.

MetaTool (`HowieHwong/MetaTool`): 199 plugins of a chat client, and what people ask them for; some
plugins have a hundred times as many questions as others, so that a second set has a few of each.
LiveMCPBench (`icip-cas/LiveMCPBench`): the tools of 70 servers, and tasks that need several of
them; any of these counts as found.
"""

from __future__ import annotations

import csv
import json
import random
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

Rows = list[dict[str, Any]]
_SAMPLE, _EACH = 1_500, 5
_NUMBER = re.compile(r"^\d+\.\s*")


def metatool(checkout: Path) -> dict[str, tuple[Rows, Rows]]:
    """All plugins with a sample of the questions, and with as many questions for each."""
    told = json.loads((checkout / "dataset" / "plugin_des.json").read_text(encoding="utf-8"))
    tools = [{"id": n, "cli": n, "name": n, "description": about} for n, about in told.items()]
    by_tool: dict[str, Rows] = defaultdict(list)
    with (checkout / "dataset" / "data" / "all_clean_data.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["Tool"] in told:
                by_tool[row["Tool"]].append({"query": row["Query"], "gold": [row["Tool"]]})
    chance = random.Random(5)
    every = [query for queries in by_tool.values() for query in queries]
    some = chance.sample(every, min(_SAMPLE, len(every)))
    each = [q for qs in by_tool.values() for q in chance.sample(qs, min(_EACH, len(qs)))]
    return {"metatool": (tools, some), "metatool, balanced": (tools, each)}


def livemcp(checkout: Path) -> dict[str, tuple[Rows, Rows]]:
    """The tools of all servers, and the tasks with the tools that people solved them by."""
    listed = json.loads((checkout / "tools" / "LiveMCPTool" / "tools.json").read_text("utf-8"))
    tools = [
        _tool(server["name"], tool)
        for server in listed
        for offered in server["tools"].values()
        for tool in offered["tools"]
    ]
    by_name: dict[str, list[str]] = defaultdict(list)
    for tool in tools:
        by_name[tool["name"]].append(tool["id"])
    tasks = json.loads((checkout / "annotated_data" / "all_annotations.json").read_text("utf-8"))
    queries = []
    for task in tasks:
        used = task["Annotator Metadata"]["Tools"].splitlines()
        gold = [id_ for line in used for id_ in by_name[_NUMBER.sub("", line).strip()]]
        if gold:
            queries.append({"query": task["Question"], "gold": gold})
    return {"livemcp": (tools, queries)}


def _tool(server: str, tool: dict[str, Any]) -> dict[str, Any]:
    properties = (tool.get("inputSchema") or {}).get("properties") or {}
    arguments = [
        [[name], (about.get("description") or "") if isinstance(about, dict) else ""]
        for name, about in properties.items()
    ]
    return {
        "id": f"{server}:{tool['name']}", "cli": server, "name": tool["name"],
        "description": tool.get("description") or "", "args": arguments,
    }  # fmt: skip
