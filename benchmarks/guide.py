"""Guide content: 10,000 documents, every kind of expression, and what it takes.

    python benchmarks/guide.py
    python benchmarks/guide.py --documents 2000 --most 20

Prints the median and the worst of each expression, warm, through the executor as a client's call
goes; exits 1 when the median of one of them is above `--most` milliseconds.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

from toolcrib.core.executor import ToolExecutor
from toolcrib.packs.guide.pack import GuidePack
from toolcrib.packs.guide.settings import GuideSettings

EXPRESSIONS = {
    "one document": "docs/section7/document-107",
    "one pattern": "docs/section7/*",
    "any of three": "docs/**/document-1*+**/*99+section3/**",
    "ten patterns": "docs/" + "+".join(f"**/*{number}7" for number in range(10)),
    "everything": "docs",
    "all by pattern": "docs/**",
    "three categories": "docs/**/document-4*,api,lang/python",
    "a typo": "docs/section7/docment-107",
    "an unknown category": "dox/section7",
    "a collection": "onboarding",
}


def make_repo(folder: Path, count: int) -> None:
    """Documents of about two kilobytes in one large category and two small ones."""
    body = "Some words about how this part of the system works and why.\n" * 30
    for number in range(count):
        place = folder / "guide" / "docs" / f"section{number % 50}" / f"document-{number}.md"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(f"# Document {number}\n\n{body}")
    for name in ("api/users", "api/orders", "lang/python", "lang/sql"):
        place = folder / "guide" / f"{name}.md"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(f"# {name}\n\n{body}")
    (folder / "guide" / "guide.toml").write_text(
        '[collections.onboarding]\nexpressions = ["lang/python", "api", "docs/section1/*"]\n'
    )


async def measure(pack: GuidePack, expression: str, rounds: int) -> list[float]:
    executor = ToolExecutor()
    tool = next(each for each in pack.contribute().tools if each.name == "guide_get_content")
    spent = []
    for _ in range(rounds):
        # The index remembers patterns: forgetting them shows what a new one costs.
        for _, _, index in pack.session.library._indexes.values():
            index._selected.clear()
        started = time.perf_counter()
        await executor.run(tool, {"expression": expression})
        spent.append(since(started))
    return spent


def since(started: float) -> float:
    return (time.perf_counter() - started) * 1000


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--documents", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--most", type=float, default=20.0)
    args = parser.parse_args()
    slow = False
    with tempfile.TemporaryDirectory(prefix="toolcrib-guide-") as name:
        folder = Path(name)
        os.environ["TOOLCRIB_STATE"] = str(folder / "state")
        make_repo(folder, args.documents)
        pack = GuidePack(folder, GuideSettings())
        started = time.perf_counter()
        pack.refresh([])
        print(f"index of {args.documents:,} documents: {since(started):.0f} ms")
        started = time.perf_counter()
        listed = pack.contribute().resources.resources()
        print(f"first list of {len(listed):,} resources: {since(started):.0f} ms")
        started = time.perf_counter()
        pack.contribute().resources.resources()
        print(f"second list: {since(started):.0f} ms")
        print(f"\n{'expression':22} {'median ms':>10} {'p95 ms':>10} {'worst ms':>10}")
        for label, expression in EXPRESSIONS.items():
            spent = sorted(asyncio.run(measure(pack, expression, args.rounds)))
            p95 = spent[int(len(spent) * 0.95) - 1]
            print(f"{label:22} {statistics.median(spent):10.2f} {p95:10.2f} {spent[-1]:10.2f}")
            slow = slow or statistics.median(spent) > args.most
        wire = [tool.to_wire() for tool in pack.contribute().tools]
        text = json.dumps({"tools": wire}, separators=(",", ":"), ensure_ascii=False)
        print(f"\ntools/list: {len(wire)} tools, about {len(text) // 4:,} tokens")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
