"""How much of what `--help` prints is in an imported config?  Prints one line per program.

The count is made without the importer's own code: a line that begins with a dash is an option, and
so is every flag of a usage line where a page lists none. An option counts as taken over if one of
its spellings is the flag of an argument of that command's tool, or named there as another spelling.

    python benchmarks/importer.py             # all programs that are installed
    python benchmarks/importer.py git tar     # some
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import yaml

from toolcrib.packs.climax.config.config import load_config
from toolcrib.packs.climax.importer.program import import_program

PROGRAMS = (
    "git", "tar", "du", "pip", "npm", "docker", "gh", "kubectl", "cargo", "ffmpeg", "rsync", "rg",
    "curl", "jq", "terraform", "find",
)  # fmt: skip
WANTED = 0.9
FLAG = re.compile(r"(?<![\w<\[/=.-])--?[A-Za-z0-9?][A-Za-z0-9_:-]*")
LEADING = re.compile(r"^\s{0,12}(?=--?[A-Za-z0-9?])")
BETWEEN = re.compile(
    r"(?:\[\S*\])?\s*(?:[ =]?\[?=?(?:<[^>]*>|[A-Z][A-Z0-9_-]*)\]?)?\s*[,|/]\s*(?=-)"
)
ENVIRONMENT = {
    "PATH": os.environ["PATH"],
    "HOME": os.environ.get("HOME", "/"),
    "LC_ALL": "C.UTF-8",
    "COLUMNS": "160",
    "MANPAGER": "cat",
    "PAGER": "cat",
    "MANOPT": "--no-hyphenation --no-justification",
    "MANWIDTH": "120",
}


def printed_options(text: str) -> list[set[str]]:
    """The spellings of each option that a help text prints, one set per option."""
    found: list[set[str]] = []
    for line in text.splitlines():
        start = LEADING.match(line)
        if start is None:
            continue
        spellings, at = set(), start.end()
        while flag := FLAG.match(line, at):
            spellings.add(flag[0].rstrip(":-"))
            gap = BETWEEN.match(line, flag.end())
            if gap is None:
                break
            at = gap.end()
        if spellings:
            found.append(spellings)
    if found:
        return found
    usage = "\n".join(line for line in text.splitlines()[:12] if "[" in line)
    return [{flag} for flag in dict.fromkeys(FLAG.findall(usage))]


def help_of(words: list[str], folder: str) -> str:
    done = subprocess.run(
        [*words, "--help"],
        capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL, cwd=folder,
        env=ENVIRONMENT, timeout=60,
    )  # fmt: skip
    return re.sub(r".\x08|\x1b\[[0-9;]*m", "", done.stdout or done.stderr)


def spellings_of(arg: dict) -> set[str]:
    """The flag of an argument, and the others that its description ends with: `(-a, -b)`."""
    flag = arg.get("flag", "--" + arg["name"].replace("_", "-")).rstrip("=")
    others = re.search(r"\((-[^()]*)\)$", arg.get("description", ""))
    return {flag, *(others[1].split(", ") if others else ())}


def flags_by_path(tools: list[dict]) -> dict[tuple[str, ...], set[str]]:
    """The flags of each command; of a mere group of commands, those of the commands below it."""
    own = {
        tuple(shlex.split(tool.get("command", ""))): {
            flag for arg in tool.get("args", ()) for flag in spellings_of(arg)
        }
        for tool in tools
    }
    found = dict(own)
    for path, flags in own.items():
        for length in range(len(path)):
            if path[:length] not in own:
                found.setdefault(path[:length], set()).update(flags)
    return found


def measured(program: str, only: list[str]) -> tuple[int, int, int, float, list[str]]:
    """Tools, options printed, options taken over, seconds, and the first that are missing."""
    started = time.perf_counter()
    result = import_program(program, only=only)
    seconds = time.perf_counter() - started
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["git", "init", "-q", folder], check=False)
        file = Path(folder, "config.yaml")
        file.write_text(result.yaml_text)
        load_config(file)
        tools = yaml.load(result.yaml_text, Loader=yaml.CSafeLoader)["tools"]
        flags = flags_by_path(tools)
        paths = sorted(flags)
        with ThreadPoolExecutor(4) as pool:
            words = [[*shlex.split(program), *path] for path in paths]
            pages = list(pool.map(lambda each: help_of(each, folder), words))
    printed = taken = 0
    missing: list[str] = []
    for path, page in zip(paths, pages, strict=True):
        for spellings in printed_options(page):
            printed += 1
            if spellings & flags[path]:
                taken += 1
            else:
                missing.append(" ".join([*path, min(spellings)]))
    return len(tools), printed, taken, seconds, missing


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("programs", nargs="*", default=PROGRAMS)
    parser.add_argument("--only", default="", help="subcommands, with commas")
    parser.add_argument("--missing", action="store_true", help="name what is not in the config")
    args = parser.parse_args()
    only = [name for name in args.only.split(",") if name]
    print(f"{'program':<12} {'tools':>6} {'printed':>8} {'taken':>6} {'share':>7} {'seconds':>8}")
    worst = 1.0
    for program in args.programs:
        if shutil.which(shlex.split(program)[0]) is None:
            print(f"{program:<12} not installed")
            continue
        tools, printed, taken, seconds, missing = measured(program, only)
        share = taken / printed if printed else 1.0
        worst = min(worst, share)
        print(f"{program:<12} {tools:>6} {printed:>8} {taken:>6} {share:>7.1%} {seconds:>8.1f}")
        if args.missing:
            print("".join(f"    {each}\n" for each in missing[:40]), end="")
    return 0 if worst >= WANTED else 1


if __name__ == "__main__":
    sys.exit(main())
