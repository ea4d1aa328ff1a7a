"""The programs that tests run with when they are there: install them, and say which are missing.

python scripts/parts.py             which parts work here, and which do not
python scripts/parts.py --install   install what is missing first (apt-get, as root or with sudo)
python scripts/parts.py --words     the words of the parts that work, for TOOLCRIB_PARTS

A test that needs a missing program is skipped, and its reason names the program. Where
TOOLCRIB_PARTS names a part, a skip for want of that part is an error (`tests/conftest.py`).
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Part:
    """A program: its Debian packages, a command that shows that it works, and its names.

    `words` are what the reasons of skipped tests call it. Where a package would bring a service
    with it, `file` is the one program that is taken out of it, and nothing else is installed.
    """

    packages: tuple[str, ...]
    check: tuple[str, ...]
    words: tuple[str, ...]
    file: str | None = None


PARTS = {
    "bubblewrap": Part(
        ("bubblewrap",), ("bwrap", "--ro-bind", "/", "/", "true"), ("bubblewrap", "bwrap")
    ),
    "ripgrep": Part(("ripgrep",), ("rg", "--version"), ("rg", "ripgrep")),
    "gh": Part(("gh",), ("gh", "--version"), ("gh",)),
    "rsync": Part(("rsync",), ("rsync", "--version"), ("rsync",)),
    "ffmpeg": Part(("ffmpeg",), ("ffmpeg", "-version"), ("ffmpeg",)),
    "fish": Part(("fish",), ("fish", "--version"), ("fish",)),
    "jq": Part(("jq",), ("jq", "--version"), ("jq",)),
    "curl": Part(("curl",), ("curl", "--version"), ("curl",)),
    "git": Part(("git",), ("git", "--version"), ("git",)),
    "PostgreSQL": Part(("postgresql",), ("initdb", "--version"), ("PostgreSQL", "initdb")),
    "pgbouncer": Part(("pgbouncer",), ("pgbouncer", "--version"), ("pgbouncer",)),
    "haproxy": Part(("haproxy",), ("haproxy", "-v"), ("haproxy",)),
    "nginx": Part(("nginx-light",), ("nginx", "-v"), ("nginx",)),
    "promtool": Part(
        ("prometheus",), ("promtool", "--version"), ("promtool",), file="usr/bin/promtool"
    ),
    "Chromium": Part(("chromium",), ("chromium", "--version"), ("Chromium",)),
    "Node": Part(("nodejs", "npm"), ("npx", "--version"), ("Node", "npm", "npx")),
}
_SECONDS = 60


def main() -> int:
    """Install if asked, then say what works."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--install", action="store_true")
    parser.add_argument("--words", action="store_true")
    args = parser.parse_args()
    if args.install:
        install()
    problems = {name: problem(part) for name, part in PARTS.items()}
    if args.words:
        works = [part for name, part in PARTS.items() if problems[name] is None]
        print(",".join(word for part in works for word in part.words))
        return 0
    for name, found in problems.items():
        print(f"  {name:<12} {'works' if found is None else f'missing: {found}'}")
    return 0


def install() -> None:
    """Install the packages of all parts that do not work yet, each by itself."""
    missing = {name: part for name, part in PARTS.items() if problem(part)}
    prefix = _as_root()
    if not missing or prefix is None or not shutil.which("apt-get"):
        return
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    _run([*prefix, "apt-get", "update", "-qq"], environment)
    for name, part in missing.items():
        if shutil.which("npm") and part.packages == ("nodejs", "npm"):
            continue
        print(f"installing {name}", flush=True)
        if part.file is not None:
            _take(part.packages[0], part.file, prefix, environment)
            continue
        command = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *part.packages]
        _run([*prefix, *command], environment)


def _take(package: str, file: str, prefix: list[str], environment: dict[str, str]) -> None:
    """Put one program of a package into /usr/local/bin, without installing the package."""
    with tempfile.TemporaryDirectory() as folder:
        # Here and not with `prefix`: who has made the folder may write into it.
        _run(["apt-get", "download", "-qq", package], environment, folder)
        for archive in Path(folder).glob("*.deb"):
            _run(["dpkg-deb", "--extract", str(archive), folder], environment)
            target = f"/usr/local/bin/{Path(file).name}"
            _run([*prefix, "install", "-m", "755", str(Path(folder, file)), target], environment)


def problem(part: Part) -> str | None:
    """Why a part cannot be used here; None when it can."""
    program = _program(part.check[0])
    if program is None:
        return f"{part.check[0]} is not installed"
    command = [program, *part.check[1:]]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS)
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    if done.returncode:
        lines = (done.stderr or done.stdout).strip().splitlines()
        return f"{part.check[0]} does not work here: {lines[-1] if lines else done.returncode}"
    return None


def _program(name: str) -> str | None:
    servers = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return str(servers[-1]) if servers else shutil.which(name)


def _as_root() -> list[str] | None:
    """What to put before a command so that it runs as root; None where that is not possible."""
    if os.geteuid() == 0:
        return []
    asks = ["sudo", "-n", "true"]
    if shutil.which("sudo") and not subprocess.run(asks, capture_output=True).returncode:
        return ["sudo", "-n", "--preserve-env=DEBIAN_FRONTEND"]
    return None


def _run(command: list[str], environment: dict[str, str], folder: str | None = None) -> None:
    done = subprocess.run(command, env=environment, capture_output=True, text=True, cwd=folder)
    if done.returncode:
        print(f"{' '.join(command)}: {(done.stderr or done.stdout).strip()[-300:]}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
