"""The swap race: can a reader be made to deliver a file from outside of its root?

    python benchmarks/race.py [--tries 100000]

One process keeps swapping a link, or a folder on the way, between something inside and a secret
outside, as fast as it can; this one reads the same path over and over. Each delivered secret is an
escape. A reader that checks the path and then opens it runs along, to show that the race is real.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from toolcrib.core.errors import FileRefused, FileUnreadable
from toolcrib.files.beneath import open_by_kernel, open_by_steps
from toolcrib.files.root import Root

SECRET = b"secret"
INSIDE = b"inside"

SWAP_LINK = """
import os, sys
os.chdir(sys.argv[1])
os.write(1, b"begun")
while True:
    for target in ("real/file.md", "../outside/file.md"):
        os.symlink(target, "next")
        os.rename("next", "link")
"""

SWAP_FOLDER = """
import os, sys
os.chdir(sys.argv[1])
os.write(1, b"begun")
while True:
    os.rename("folder", "aside"); os.rename("trap", "folder")
    os.rename("folder", "trap"); os.rename("aside", "folder")
"""


class Score:
    """How often a reader delivered what it may, refused, and was tricked."""

    def __init__(self) -> None:
        self.delivered = self.refused = self.escaped = 0

    def count(self, data: bytes | None) -> None:
        self.delivered += data == INSIDE
        self.refused += data is None
        self.escaped += data == SECRET

    def __str__(self) -> str:
        return (
            f"{self.delivered:>9,} delivered {self.refused:>9,} refused {self.escaped:>7,} escapes"
        )


@contextmanager
def swapping(script: str, folder: Path) -> Iterator[Path]:
    """A root in which something is swapped all the time."""
    root = folder / "root"
    for path, data in (
        (root / "real", INSIDE),
        (root / "folder", INSIDE),
        (folder / "outside", SECRET),
    ):
        path.mkdir(parents=True)
        (path / "file.md").write_bytes(data)
    (root / "link").symlink_to("real/file.md")
    (root / "trap").symlink_to("../outside")
    words = [sys.executable, "-c", script, root]
    with subprocess.Popen(words, stdout=subprocess.PIPE) as swapper:
        assert swapper.stdout is not None
        try:
            swapper.stdout.read(1)  # a reader that is done before it begins races nobody
            yield root
        finally:
            swapper.kill()


def by_root(root: Root) -> Callable[[str], bytes | None]:
    """Read as the packs do."""

    def read(path: str) -> bytes | None:
        try:
            return root.read(path).data
        except (FileRefused, FileUnreadable):
            return None

    return read


def by_check(root: Path) -> Callable[[str], bytes | None]:
    """Read as so many do: look where the path leads, then open it."""

    def read(path: str) -> bytes | None:
        try:
            if not (root / path).resolve(strict=True).is_relative_to(root):
                return None
            return (root / path).read_bytes()
        except OSError:
            return None

    return read


RACES = {"link": (SWAP_LINK, "link"), "folder": (SWAP_FOLDER, "folder/file.md")}
READERS: dict[str, Callable[[Path], Callable[[str], bytes | None]]] = {
    "kernel": lambda root: by_root(Root(root, opener=open_by_kernel)),
    "steps": lambda root: by_root(Root(root, opener=open_by_steps)),
    "check-then-open": by_check,
}


def race(kind: str, reader: str, tries: int) -> Score:
    """Run one reader against one kind of swap."""
    script, path = RACES[kind]
    score = Score()
    with tempfile.TemporaryDirectory() as folder, swapping(script, Path(folder).resolve()) as root:
        read = READERS[reader](root)
        for _ in range(tries):
            score.count(read(path))
    return score


def main() -> int:
    """Run all the races; the exit code is 1 when one of ours lost."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tries", type=int, default=100_000, help="per reader and kind of swap")
    tries = parser.parse_args().tries
    escapes = 0
    for kind in RACES:
        for reader in READERS:
            score = race(kind, reader, tries if reader != "check-then-open" else tries // 10)
            print(f"{kind:<7} {reader:<16} {score}", flush=True)
            if reader != "check-then-open":
                escapes += score.escaped
    print(f"{escapes} escapes in {4 * tries:,} tries of the readers that packs use")
    return 1 if escapes else 0


if __name__ == "__main__":
    os.nice(5)
    sys.exit(main())
