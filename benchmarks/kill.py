"""Flags that never get lost: kill writers with -9, and let several write at once.

    python benchmarks/kill.py                      # 1,000 kills, 8 processes x 200 writes
    python benchmarks/kill.py --kills 50 --writes 50

A round forks a writer that counts up in the store and reports each number only after it was
acknowledged; it is killed at a random moment. The store must then hold the last number that was
reported, or the one that was being written, and pass SQLite's own check. Every tenth round begins
without a file, so that its making is interrupted too. Exits 1 when anything was lost or torn.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sqlite3
import struct
import sys
import tempfile
import time
from pathlib import Path

from toolcrib.packs.guide.state.sqlite import SqliteStore

NUMBER = struct.Struct("<q")


def count_up(store: SqliteStore, project: str = "p") -> int:
    def work(edit):
        number = edit.all(project, "flag").get("n", 0) + 1
        edit.put(project, "flag", "n", number)
        edit.put(project, "flag", "twin", number)
        return number

    return store.change(work)


def kills(rounds: int, folder: Path, seed: int) -> tuple[int, int, int]:
    """Return how many rounds lost an acknowledged write, were torn, and how many were written."""
    chance = random.Random(seed)
    lost = torn = written = 0
    for number in range(rounds):
        place = folder / f"db-{number // 10}" / "guide.db"
        before = held(place)
        acknowledged = one_kill(place, chance)
        after = held(place)
        if after is None or after[0] != after[1]:
            torn += 1
            continue
        last = acknowledged or (before[0] if before else 0)
        if not last <= after[0] <= last + 1:
            lost += 1
        written += after[0] - (before[0] if before else 0)
    return lost, torn, written


def one_kill(place: Path, chance: random.Random) -> int:
    """Kill a writer at a random moment; return the last number that it reported, or 0."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reading)
        store = SqliteStore(lambda: place)
        while True:
            os.write(writing, NUMBER.pack(count_up(store)))
    os.close(writing)
    reports = chance.choice((0, 0, 1, 3, 10))
    data = b""
    while len(data) < reports * NUMBER.size:
        data += os.read(reading, reports * NUMBER.size - len(data))
    until = time.perf_counter() + chance.random() * 0.004
    while time.perf_counter() < until:
        pass
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    with os.fdopen(reading, "rb") as rest:
        data += rest.read()
    whole = len(data) - len(data) % NUMBER.size
    return NUMBER.unpack(data[whole - NUMBER.size : whole])[0] if whole else 0


def held(place: Path) -> tuple[int, int] | None:
    """What the store holds now, read by a store of its own; None when it is not whole."""
    if not place.exists():
        return (0, 0)
    store = SqliteStore(lambda: place)
    found = store.all("p", "flag")
    store.close()
    with sqlite3.connect(place) as connection:
        if connection.execute("PRAGMA integrity_check").fetchone() != ("ok",):
            return None
    connection.close()
    return found.get("n", 0), found.get("twin", 0)


def writers(processes: int, writes: int, folder: Path) -> tuple[int, float]:
    """Let several processes count together; return how many counts were lost, and the seconds."""
    place = folder / "together" / "guide.db"
    started = time.perf_counter()
    children = []
    for _ in range(processes):
        pid = os.fork()
        if pid == 0:
            store = SqliteStore(lambda: place)
            for _ in range(writes):
                count_up(store)
            store.close()
            os._exit(0)
        children.append(pid)
    failed = sum(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) != 0 for pid in children)
    spent = time.perf_counter() - started
    store = SqliteStore(lambda: place)
    lost = processes * writes - store.all("p", "flag").get("n", 0) + failed
    store.close()
    return lost, spent


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--processes", type=int, default=8)
    parser.add_argument("--writes", type=int, default=200)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="toolcrib-kill-") as name:
        folder = Path(name)
        missing, spent = writers(args.processes, args.writes, folder)
        total = args.processes * args.writes
        print(
            f"{args.processes} processes x {args.writes} writes: {missing} of {total} lost, "
            f"{spent:.1f} s, {total / spent:,.0f} writes/s"
        )
        started = time.perf_counter()
        lost, torn, written = kills(args.kills, folder, args.seed)
        print(
            f"{args.kills} kills with -9: {torn} torn, {lost} lost an acknowledged write, "
            f"{written} written in between, {time.perf_counter() - started:.1f} s "
            f"(seed {args.seed})"
        )
    return 1 if missing or lost or torn else 0


if __name__ == "__main__":
    sys.exit(main())
