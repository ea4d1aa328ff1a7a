"""What a flag costs in a PostgreSQL store, whatever the number of entries.

    python benchmarks/store.py [--rounds N]

Reads and writes take turns with few and with many entries, directly and through PgBouncer in
transaction mode; medians in milliseconds.
"""

from __future__ import annotations

import argparse
import contextlib
import statistics
import sys
import time
from pathlib import Path

import psycopg

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from support.databases import PgBouncer, Postgres, postgres_binaries  # noqa: E402
from toolcrib.packs.guide.state.flags import Flags  # noqa: E402
from toolcrib.packs.guide.state.postgres import PostgresStore  # noqa: E402

COUNTS = (100, 100_000)


def fill(url: str, project: str, count: int) -> None:
    """Give a project that many flags."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "INSERT INTO toolcrib_entries SELECT %s, 'flag', 'f' || n, 'true' "
            "FROM generate_series(1, %s) n",
            (project, count),
        )


def timed(work: object) -> float:
    """Milliseconds of one call."""
    started = time.perf_counter()
    work()  # type: ignore[operator]
    return (time.perf_counter() - started) * 1000


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=200)
    rounds = parser.parse_args().rounds
    binaries = postgres_binaries()
    if binaries is None:
        print("missing: apt-get install postgresql pgbouncer")
        return 1
    with contextlib.ExitStack() as stack:
        postgres = stack.enter_context(contextlib.closing(Postgres(binaries)))
        bouncer = stack.enter_context(contextlib.closing(PgBouncer(postgres)))
        measure(postgres.url, bouncer.url, rounds)
    return 0


def measure(direct: str, pooled: str, rounds: int) -> None:
    """Take turns between numbers of entries."""
    print("| way | entries | get, ms | set, ms |\n|---|---|---|---|")
    for name, url in (("direct", direct), ("PgBouncer", pooled)):
        store = PostgresStore(url)
        flags = {count: Flags(store, f"{name}-{count}") for count in COUNTS}
        for count, each in flags.items():
            each.set_project("f1", True)
            with psycopg.connect(direct, autocommit=True) as connection:
                connection.execute(
                    "DELETE FROM toolcrib_entries WHERE project = %s", (f"{name}-{count}",)
                )
            fill(direct, f"{name}-{count}", count)
        spent: dict[tuple[int, str], list[float]] = {}
        for number in range(rounds):
            for count, each in flags.items():
                flag = f"f{number % 90 + 1}"
                get = timed(lambda each=each, flag=flag: each.get_project(flag))
                put = timed(lambda each=each, flag=flag: each.set_project(flag, "x"))
                spent.setdefault((count, "get"), []).append(get)
                spent.setdefault((count, "set"), []).append(put)
        for count in COUNTS:
            get, put = (statistics.median(spent[count, what]) for what in ("get", "set"))
            print(f"| {name} | {count:,} | {get:.2f} | {put:.2f} |")
        store.close()


if __name__ == "__main__":
    sys.exit(main())
