"""How much of what a program's help says is in an imported config, and does a call of it work?

What a person counts in each help text is in `importer_programs.yaml`: sub-commands, operands, and a
call with what it has to do. Options are counted here, without the importer's own code, as an eye
does: a cell of a table that begins with a dash is an option, in whatever column it stands.

    python benchmarks/importer.py                 # all programs that are installed
    python benchmarks/importer.py git tar         # some
    python benchmarks/importer.py --missing zip   # and what is not in the config
    python benchmarks/importer.py --truth other.yaml
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from toolcrib.core.errors import ToolcribError
from toolcrib.packs.climax.config.config import load_config
from toolcrib.packs.climax.importer.emit import GLUED
from toolcrib.packs.climax.importer.program import import_program
from toolcrib.running.arguments import validate_arguments
from toolcrib.running.command import build_command
from toolcrib.running.program import CLIConfig, ToolDef

WANTED = {"options": 0.97, "commands": 0.95, "operands": 0.90, "calls": 0.90}
FLAG = r"--?(?:\[no-?\])?[A-Za-z0-9?#@][A-Za-z0-9_.:+-]*"
CELL = re.compile(rf"(?:^\s*|\s\s+|(?<=\[)|(?<=, )|(?<=\| )|(?<=\|)|(?<= or )|(?<=/)){FLAG}")
LINE = re.compile(rf"^\s*(?:\* +)?{FLAG}")
JOIN = re.compile(
    r"(?:[ =]?(?:\[[^\]]*\]|<[^>]*>|\{[^}]*\}|[A-Z][A-Z0-9_:.|/-]*))*"
    r"\s*(?:,|\||/| or |\s(?=--))\s*$"
)
CLUSTER = re.compile(r"\[ ?-([A-Za-z0-9#]{2,}) ?\]")
EXAMPLES = re.compile(r"\s*(?:[\w ]+ )?examples?(?: [\w ]+)?:?\s*", re.I)
CHOICES = re.compile(r"\{(\w+(?:\|\w+)+)\}")
ENVIRONMENT = {
    **os.environ, "LC_ALL": "C.UTF-8", "COLUMNS": "160", "MANPAGER": "cat", "PAGER": "cat",
    "MANOPT": "--no-hyphenation --no-justification", "MANWIDTH": "120", "NO_COLOR": "1",
}  # fmt: skip


@dataclass
class Score:
    """What was counted for one program, and how much of it is there."""

    found: dict[str, int] = field(default_factory=lambda: dict.fromkeys(WANTED, 0))
    total: dict[str, int] = field(default_factory=lambda: dict.fromkeys(WANTED, 0))
    missing: list[str] = field(default_factory=list)

    def count(self, kind: str, what: str, there: bool) -> None:
        self.total[kind] += 1
        self.found[kind] += there
        if not there:
            self.missing.append(f"{kind}: {what}")


def printed_options(text: str) -> list[set[str]]:
    """The spellings of each option that a help text shows as one, each option once."""
    lines = re.sub(r".\x08|\x1b\[[0-9;]*m|[│╭╮╰╯]", "", text.expandtabs()).splitlines()
    options: list[set[str]] = []
    examples = False
    for number, line in enumerate(lines):
        if line.rstrip().endswith(":") or (line.strip() and not line.startswith(" ")):
            examples = EXAMPLES.fullmatch(line) is not None and len(line) < 40
        if examples:
            continue
        first = LINE.match(line) and not in_prose(lines, number)
        if first or (re.search(rf"\S {{2,}}{FLAG}", line) and line.count("  -") >= 2):
            options += spelled(line)
    if not options:
        usage = "\n".join(line for line in lines[:12] if "[" in line)
        letters = [{f"-{each}"} for cluster in CLUSTER.findall(usage) for each in cluster]
        rest = CLUSTER.sub("", usage)
        options = letters + [{flag} for flag in re.findall(rf"(?<=[\[(|]){FLAG}", rest)]
    merged: list[set[str]] = []
    for spellings in options:
        known = next((each for each in merged if each & spellings), None)
        if known is None:
            merged.append(set(spellings))
        else:
            known |= spellings
    return merged


def in_prose(lines: list[str], number: int) -> bool:
    """Whether a line that begins with a dash goes on with a sentence that stands right above it."""
    indent = len(lines[number]) - len(lines[number].lstrip())
    above = lines[number - 1] if number else ""
    aligned = indent > 4 and len(above) - len(above.lstrip()) == indent
    cell = len(above) > indent > 12 and above[indent - 2 : indent] == "  "
    text = above[indent:]
    return (aligned or cell) and bool(text.strip()) and not text.startswith("-")


def spelled(line: str) -> list[set[str]]:
    """The options of a line: cells that begin with a dash, those that belong together as one."""
    found: list[set[str]] = []
    end = 0
    for match in re.finditer(FLAG, line):
        start = match.start()
        before = line[end:start]
        own_cell = not line[:start].strip(" *") or re.search(r"\s{2,}$", line[:start])
        joined = bool(found) and JOIN.fullmatch(before) is not None
        flag = re.sub(r"\[no-?\]", "", match[0]).rstrip(".:-")
        if joined:
            found[-1].add(flag)
        elif own_cell:
            # `-ao{a|s}`: each choice behind its flag is an option.
            choices = CHOICES.match(line, match.end())
            found.append(
                {flag, *(flag + each for each in (choices[1].split("|") if choices else ()))}
            )
        else:
            continue
        end = match.end()
    return found


def help_of(words: list[str], folder: str) -> str:
    """What the command prints about itself, asked as a person would."""
    for asked in ([*words, "--help"], [*words, "-h"], [*words, "help"]):
        try:
            done = subprocess.run(
                asked, capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL,
                cwd=folder, env=ENVIRONMENT, timeout=30,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            continue  # it does its work instead of telling about it
        text = done.stdout or done.stderr
        if "usage" in text.lower() or "  -" in text:
            return text
    return ""


def spellings_of(arg: dict[str, Any]) -> set[str]:
    """The flag of an argument, and the others that its description ends with: `(-a, -b)`."""
    flag = arg.get("flag", "--" + arg["name"].replace("_", "-")).rstrip("=")
    others = re.search(r"\((-[^()]*)\)$", arg.get("description", ""))
    return {flag, *(others[1].split(", ") if others else ())}


def shape(text: str) -> list[tuple[bool, bool]]:
    """`A [B] C...` as what is required and what repeats."""
    words = re.findall(r"\[[^\]]*\]|\S+", text)
    return [(not word.startswith("["), "..." in word) for word in words]


def shape_of(tool: dict[str, Any]) -> list[tuple[bool, bool]]:
    return [
        (arg.get("required", False), arg.get("type") == "array")
        for arg in tool.get("args", ())
        if arg.get("positional")
    ]


def arguments_for(tool: dict[str, Any], call: dict[str, Any], folder: str) -> dict[str, Any]:
    """The arguments that a caller gives who knows the flags and the operands."""
    given: dict[str, Any] = {}
    args = tool.get("args", [])
    for flag, value in call.get("flags", {}).items():
        takes = [arg for arg in args if flag in spellings_of(arg) and not arg.get("positional")]
        kind = [arg for arg in takes if (arg.get("type") == "boolean") == (value is True)]
        if not kind:
            raise LookupError(f"no argument for {flag}")
        given[kind[0]["name"]] = [value] if kind[0].get("type") == "array" else value
    words = [str(word).replace("{folder}", folder) for word in call.get("words", [])]
    positional = [arg for arg in args if arg.get("positional")]
    # Who gives as few words as there have to be leaves out what may be left out.
    spare = len(words) - sum(1 for arg in positional if arg.get("required"))
    for number, arg in enumerate(positional):
        following = sum(1 for each in positional[number + 1 :] if each.get("type") != "array")
        if arg.get("type") == "array":
            split = max(len(words) - following, 1)
            taken, words = words[:split], words[split:]
            given |= {arg["name"]: taken} if taken else {}
        elif words and (arg.get("required") or spare > 0):
            given[arg["name"]] = words.pop(0)
            spare -= not arg.get("required")
    if words:
        raise LookupError(f"no operand for {words}")
    return given


def prepared(folder: Path) -> None:
    """The files that a call finds."""
    folder.joinpath("a.txt").write_text("beta\nalpha\nbeta\n")
    folder.joinpath("b.txt").write_text("gamma\n")
    folder.joinpath("data.json").write_text('{"n": [1, 2]}')
    folder.joinpath("m.md").write_text("# Title\n\ntext\n")
    folder.joinpath("p.py").write_text('print("it runs")\n')
    folder.joinpath("test_p.py").write_text("def test_it() -> None:\n    pass\n")
    folder.joinpath("s.js").write_text("let x = 1;\n")
    folder.joinpath("t.sh").write_text("echo hello\n")
    folder.joinpath("y.yaml").write_text("a: 1\n")
    folder.joinpath("Makefile").write_text("all:\n\techo made\n")
    folder.joinpath("sub").mkdir()
    folder.joinpath("sub/package.json").write_text('{"name": "pot", "version": "1.0.0"}')
    folder.joinpath("x.png").write_bytes(picture())
    subprocess.run(["git", "init", "-q", str(folder)], check=True)


def picture() -> bytes:
    """A PNG of 8 by 8 grey points."""
    head = struct.pack(">IIBBBBB", 8, 8, 8, 0, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(bytes([0] + [128] * 8) * 8)), (b"IEND", b""))
    chunks = [
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in parts
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def called(config: CLIConfig, tools: list[dict[str, Any]], call: dict[str, Any]) -> str | None:
    """Run the call; what went wrong, or None."""
    words = tuple(call.get("tool", "").split())
    own = [tool for tool in tools if words_of(tool) == words]
    if not own:
        return f"no tool for {' '.join(words) or 'the program itself'}"
    definition: ToolDef = config.tools.named(own[0]["name"])
    with tempfile.TemporaryDirectory() as folder:
        prepared(Path(folder))
        try:
            given = arguments_for(own[0], call, folder)
            values = validate_arguments(definition.args, given)
            argv = build_command(config, definition, values).argv
        except (ToolcribError, LookupError) as error:
            return str(error)
        done = subprocess.run(
            argv, cwd=folder, capture_output=True, text=True, errors="replace",
            stdin=subprocess.DEVNULL, timeout=120, env=ENVIRONMENT,
        )  # fmt: skip
        printed = done.stdout + done.stderr
        shown = f"{shlex.join(argv)}: {' '.join(printed.split())[:160]}"
        if done.returncode != call.get("exit", 0):
            return f"exit code {done.returncode} of {shown}"
        if not re.search(call.get("prints", ""), printed, re.M):
            return f"not as meant: {shown}"
        if "file" in call and not Path(folder, call["file"]).exists():
            return f"no {call['file']} by {shown}"
    return None


def words_of(tool: dict[str, Any]) -> tuple[str, ...]:
    words = shlex.split(tool.get("command", ""))
    return tuple(words[:-1] if words[-1:] == ["--"] else words)


def expected_commands(entry: dict[str, Any]) -> list[str]:
    stated = entry.get("commands", [])
    if isinstance(stated, list):
        return [str(name) for name in stated]
    done = subprocess.run(
        ["sh", "-c", stated["sh"]], capture_output=True, text=True, env=ENVIRONMENT,
        stdin=subprocess.DEVNULL,
    )  # fmt: skip
    skipped = {"help", "completion"}
    return [name for name in dict.fromkeys(done.stdout.split()) if name not in skipped]


def measured(entry: dict[str, Any]) -> Score:
    """Import one program and compare."""
    score, program = Score(), entry["program"]
    result = import_program(program, only=entry.get("only", ()))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "config.yaml")
        file.write_text(result.yaml_text)
        config, _ = load_config(file)
        tools = yaml.load(result.yaml_text, Loader=yaml.CSafeLoader)["tools"]
        # `-oFILE`, with its value right behind it, is `-o`.
        glued = {note.subject for _, note in result.report.notes if note.reason == GLUED}
        for tool in tools:
            flags = {each for arg in tool.get("args", ()) for each in spellings_of(arg)}
            page = help_of([*shlex.split(program), *words_of(tool)], folder)
            for spellings in printed_options(page):
                letters = {spelling[:2] for spelling in spellings if len(spelling) > 2} & glued
                there = bool((spellings | letters) & flags)
                score.count("options", f"{tool['name']} {min(spellings)}", there)
    known = {name for each in result.report.commands for name in (each, each.split()[0])}
    for name in expected_commands(entry):
        score.count("commands", name, name in known)
    shapes = {" ".join(words_of(tool)): shape_of(tool) for tool in tools}
    for path, text in entry.get("operands", {}).items():
        there = shapes.get(path) == shape(text)
        score.count("operands", f"{path or program}: {text} but {shapes.get(path)}", there)
    if "call" in entry:
        problem = called(config, tools, entry["call"])
        score.count("calls", problem or "", problem is None)
    defaults = [arg["name"] for tool in tools for arg in tool.get("args", ()) if "default" in arg]
    if defaults:
        score.missing.append(f"defaults that nobody asked for: {defaults}")
    return score


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("programs", nargs="*")
    parser.add_argument("--missing", action="store_true", help="name what is not in the config")
    parser.add_argument("--truth", default=Path(__file__).with_name("importer_programs.yaml"))
    args = parser.parse_args()
    entries = yaml.safe_load(Path(args.truth).read_text())
    if args.programs:
        entries = [entry for entry in entries if entry["program"] in args.programs]
    found, total, measured_programs = Score().found, Score().total, 0
    print(f"{'program':<18}" + "".join(f"{kind:>12}" for kind in WANTED) + f"{'seconds':>10}")
    for entry in entries:
        if shutil.which(shlex.split(entry["program"])[0]) is None:
            print(f"{entry['program']:<18} not installed")
            continue
        started = time.perf_counter()
        score = measured(entry)
        measured_programs += 1
        cells = [f"{score.found[kind]}/{score.total[kind]}" for kind in WANTED]
        seconds = time.perf_counter() - started
        print(f"{entry['program']:<18}" + "".join(f"{cell:>12}" for cell in cells), end="")
        print(f"{seconds:>10.1f}", flush=True)
        if args.missing:
            print("".join(f"    {each}\n" for each in score.missing[:30]), end="", flush=True)
        for kind in WANTED:
            found[kind] += score.found[kind]
            total[kind] += score.total[kind]
    print(f"\n{measured_programs} programs")
    enough = True
    for kind, wanted in WANTED.items():
        share = found[kind] / total[kind] if total[kind] else 1.0
        enough = enough and share >= wanted
        print(f"{kind:<10} {found[kind]:>5} of {total[kind]:>5}  {share:.1%} (wanted {wanted:.0%})")
    return 0 if enough else 1


if __name__ == "__main__":
    sys.exit(main())
