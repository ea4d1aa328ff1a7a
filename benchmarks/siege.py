"""The siege: a hostile repository and an agent that tries everything, on each rung of this machine.

Prints a table, attack → outcome, and exits with 1 if one gets through.

    python benchmarks/siege.py                  every rung that the machine has
    python benchmarks/siege.py --tries 10000    so many tries of the swap between check and use
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from support.hostile import MODULE, hostile, toolcrib  # noqa: E402 - the tests' own hostile repo
from support.pipe import Pipe  # noqa: E402

RUNGS = ("bubblewrap", "landlock")
AGENT = """
name: agent
command: sh
tools:
  - name: agent_sh
    description: Whatever the agent wants, in the sandbox
    command: -s
    args: [{name: script, stdin: true, required: true}]
    timeout: 20
  - {name: agent_forbidden, description: Not allowed, command: "-c 'echo forbidden'"}
"""
POLICY = (
    "tools:\n  agent_sh: {}\n  git_status: {}\n  git_diff: {}\n  git_blame: {}\n  git_log: {}\n"
)
SETTINGS = """
[climax]
configs = ["climax/agent.yaml", "git"]
policy = "climax/policy.yaml"
[custom]
modules = ["mine.py"]
"""
PATIENCE = 2.5
"""Seconds after which a change would have been taken."""


class Row(NamedTuple):
    """One attack and what came of it."""

    rung: str
    attack: str
    held: bool
    outcome: str


class Field:
    """One battlefield: a repository, a home, a state folder, and what must stay untouched."""

    def __init__(self, folder: Path, rung: str) -> None:
        self.rung = rung
        self.folder = folder
        self.repo = folder / "repo"
        self.mark = folder / "mark"
        self.home = folder / "home"
        for name in ("home/.ssh", "home/.aws", "state", "outside"):
            (folder / name).mkdir(parents=True)
        (self.home / ".ssh" / "id_ed25519").write_text("PRIVATE KEY\n")
        (self.home / ".aws" / "credentials").write_text("PRIVATE KEY\n")
        (folder / "outside" / "file").write_text("before\n")
        self.env = {
            "HOME": str(self.home),
            "TOOLCRIB_STATE": str(folder / "state"),
            "XDG_CONFIG_HOME": str(self.home / ".config"),
            "XDG_CACHE_HOME": str(self.home / ".cache"),
            "TOOLCRIB_TRUST": "",
            "SIEGE_SECRET_TOKEN": "PRIVATE-KEY-of-the-server",
            "CLAUDECODE": "",
        }

    def trusted(self) -> None:
        """A repository of one's own, with a policy and a module, trusted by a person."""
        (self.repo / "climax").mkdir(parents=True)
        (self.repo / "climax" / "agent.yaml").write_text(AGENT)
        (self.repo / "climax" / "policy.yaml").write_text(POLICY)
        (self.repo / "mine.py").write_text("# nothing yet\n")
        (self.repo / "toolcrib.toml").write_text(SETTINGS)
        (self.repo / ".git").mkdir()
        done = toolcrib(self.repo, "trust", "--yes", env=self.env)
        if done.returncode:
            raise SystemExit(done.stderr)

    def serve(self) -> Pipe:
        """A server of the repository, on this field's rung."""
        words = [sys.executable, str(Path(__file__)), "--serve-on", self.rung]
        return Pipe(words, cwd=self.repo, env=self.env)


def sh(pipe: Pipe, script: str) -> Any:
    """Run a script as the agent would."""
    call = {"tool_name": "agent_sh", "args": {"script": script}}
    result = pipe.call("climax_call", call)
    return result.get("structuredContent") or {}


def opening(field: Field) -> Iterator[Row]:
    """A fresh clone, opened by every command."""
    hostile(field.repo, mark=field.mark, outside=field.folder / "outside")
    before = sorted(os.listdir(field.folder / "outside"))
    for words in (
        ("list",), ("doctor",), ("validate",), ("search", "x"), ("call", "own_one"),
        ("policy", "explain", "git_status"),
    ):  # fmt: skip
        toolcrib(field.repo, *words, env=field.env)
        yield Row("-", f"fresh clone: toolcrib {words[0]}", not field.mark.exists(), "nothing ran")
    with field.serve() as pipe:
        pipe.initialize()
        pipe.call("climax_call", {"tool_name": "own_one"})
        pipe.hang_up()
    yield Row("-", "fresh clone: toolcrib serve", not field.mark.exists(), "nothing ran")
    after = sorted(os.listdir(field.folder / "outside"))
    yield Row("-", "fresh clone: audit and log_file outside", before == after, "nothing written")
    agent = {**field.env, "CLAUDECODE": "1"}
    for words in (
        ("trust", "--yes"), ("approve", "--always", "own_one", "--yes"),
        ("servers", "add", "--yes", "mine", "--", "true"), ("servers", "remove", "--yes", "mine"),
    ):  # fmt: skip
        code = toolcrib(field.repo, *words, env=agent).returncode
        told = f"an agent's shell: toolcrib {' '.join(words[:2])}"
        yield Row("-", told, code == 3, f"exit {code}")
    yield from containers(field)
    (field.repo / "toolcrib.toml").unlink()
    (field.repo / "pyproject.toml").write_text('[tool.toolcrib.custom]\nmodules = ["mine.py"]\n')
    toolcrib(field.repo, "list", env=field.env)
    yield Row("-", "fresh clone: pyproject.toml alone", not field.mark.exists(), "nothing ran")


def containers(field: Field) -> Iterator[Row]:
    """A policy that nobody has trusted has commands run in an image of its own choice."""
    ran, programs = field.folder / "ran", field.folder / "bin"
    programs.mkdir()
    (programs / "docker").write_text(f'#!/bin/sh\necho "$@" >> {ran}\n')
    (programs / "docker").chmod(0o755)
    env = {**field.env, "PATH": f"{programs}:{os.environ['PATH']}"}
    policy = field.repo / "climax" / "policy.yaml"
    policy.write_text("default: enabled\nexecutor: {type: docker, image: x, volumes: ['/:/x']}\n")
    settings = field.repo / "toolcrib.toml"
    before = settings.read_text()
    settings.write_text('[climax]\nconfigs = ["git"]\npolicy = "climax/policy.yaml"\n')
    toolcrib(field.repo, "call", "git_status", env=env)
    yield Row("-", "fresh clone: a container of its policy", not ran.exists(), "not started")
    policy.unlink()
    settings.write_text(before)
    program = field.repo / "git"
    program.write_text(f"#!/bin/sh\necho owned > {field.repo}/owned\n")
    program.chmod(0o755)
    env["PATH"] = f"{field.repo}:{os.environ['PATH']}"
    toolcrib(field.repo, "call", "git_status", env=env)
    held = not (field.repo / "owned").exists()
    yield Row("-", "fresh clone: a program of its own on the path", held, "not started")


def acting(field: Field, pipe: Pipe) -> Iterator[Row]:
    """The agent rewrites what acts, through a command."""
    evil = MODULE.format(mark=field.mark, word="evil").replace("'", '"')
    ways = {
        "rewrites the module": "cat > mine.py",
        "moves another file to its place": "mkdir new && cat > new/m.py && mv new/m.py mine.py",
        "puts a link in its place": "cat > evil.py; ln -sf evil.py mine.py",
        "puts a hard link in its place": "cat > evil2.py; ln -f evil2.py mine.py",
        "adds a module to the settings": "cat > m.py; "
        "printf '[custom]\\nmodules=[\"m.py\"]\\n' > toolcrib.toml",
    }
    for attack, way in ways.items():
        sh(pipe, f"{way} <<'EOF'\n{evil}\nEOF")
        time.sleep(PATIENCE)
        yield Row(field.rung, f"a command {attack}", not field.mark.exists(), "not run")
        with field.serve() as again:
            again.initialize()
            again.result("tools/list")
        yield Row(field.rung, "… and after a restart", not field.mark.exists(), "not run")


def policy(field: Field, pipe: Pipe) -> Iterator[Row]:
    """The agent edits the policy that restrains it."""
    ways = {
        "allows everything in the policy": "printf 'default: enabled\\n' > climax/policy.yaml",
        "deletes the policy": "rm -f climax/policy.yaml",
        "renames the policy": "printf 'default: enabled\\n' > climax/Policy.yaml",
        "empties the cache of parsed files": f"rm -rf {field.home}/.cache/toolcrib",
        "writes a trust record": f"echo x > {field.folder}/state/trust/x",
    }
    for attack, way in ways.items():
        sh(pipe, way)
        time.sleep(PATIENCE)
        answer = pipe.call("climax_call", {"tool_name": "agent_forbidden"})
        yield Row(field.rung, f"a command {attack}", bool(answer["isError"]), "still forbidden")
    forged = (field.folder / "state" / "trust" / "x").exists()
    yield Row(field.rung, "the state folder is written", not forged, "read-only")
    (field.repo / "mine.py").write_text("# changed by an editor, and nobody has looked\n")
    sh(pipe, f"{sys.executable} -m toolcrib trust --yes")
    code = toolcrib(field.repo, "trust", "--check", env=field.env).returncode
    yield Row(field.rung, "toolcrib trust inside of the sandbox", code == 1, "not trusted")


def odd_files(field: Field, pipe: Pipe) -> Iterator[Row]:
    """The agent puts something that is no ordinary file where acting files are read."""
    ways = {
        "moves the folder above the policy": "mv climax old && mkdir climax && "
        "cp old/agent.yaml climax/ && printf 'default: enabled\\n' > climax/policy.yaml",
        "leads the folder of the policy elsewhere": "mkdir other; cp old/agent.yaml other/; "
        "printf 'default: enabled\\n' > other/policy.yaml; mv climax old2; ln -s other climax",
        "puts a pipe where the settings are": "rm -f toolcrib.toml; mkfifo toolcrib.toml",
        "makes the settings endless": "rm -f toolcrib.toml; truncate -s 20G toolcrib.toml",
        "links the settings to a device": "rm -f toolcrib.toml; ln -s /dev/zero toolcrib.toml",
        "puts a pipe where the module is": "rm -f mine.py; mkfifo mine.py",
        "puts a pipe where the policy is": "rm -rf climax; cp -r old climax; "
        "rm -f climax/policy.yaml; mkfifo climax/policy.yaml",
        "makes .git a link": "rm -rf .git; mkdir /tmp/git; ln -s /tmp/git .git",
        "makes .git a pipe": "rm -rf .git; mkfifo .git",
    }
    for attack, way in ways.items():
        sh(pipe, way)
        time.sleep(PATIENCE)
        answer = pipe.call("climax_call", {"tool_name": "agent_forbidden"})
        yield Row(field.rung, f"a command {attack}", bool(answer["isError"]), "still forbidden")
        with field.serve() as again:
            again.initialize()
            answer = again.call("climax_call", {"tool_name": "agent_forbidden"})
        yield Row(field.rung, "… and after a restart", bool(answer["isError"]), "still forbidden")


def granted(field: Field, pipe: Pipe) -> Iterator[Row]:
    """The agent changes a script that has a grant, and calls it in the same moment."""
    script = field.repo / "run.sh"
    script.write_text("echo good\n")
    (field.repo / "climax" / "own.yaml").write_text(
        "name: own\ncommand: sh run.sh\ntools: [{name: own_run, command: a}]\n"
    )
    (field.repo / "climax" / "policy.yaml").write_text("default: enabled\n")
    settings = SETTINGS.replace("[custom]", '[climax.access.own]\nnetwork = "full"\n[custom]')
    settings = settings.replace('"git"]', '"climax/own.yaml"]')
    (field.repo / "toolcrib.toml").write_text(settings)
    toolcrib(field.repo, "trust", "--yes", env=field.env)
    with field.serve() as again:
        again.initialize()
        good = json.dumps(again.call("climax_call", {"tool_name": "own_run"}))
        through = 0
        for _ in range(20):
            sh(again, "mkdir -p new; echo 'echo evil' > new/run.sh; mv -f new/run.sh run.sh")
            script.write_text(
                "echo evil\n"
            )  # as an editor would, where the sandbox does not let it
            through += "evil" in json.dumps(again.call("climax_call", {"tool_name": "own_run"}))
            script.write_text("echo good\n")
    held = "good" in good and not through
    yield Row(field.rung, "a script with a grant is changed and called", held, "withheld")


def own_record(field: Field, pipe: Pipe) -> Iterator[Row]:
    """The agent leads the record of calls, and the log, somewhere else."""
    outside = field.folder / "outside" / "file"
    settings = '[server]\naudit = "logs/audit"\nlog_file = "logs/log"\nlog_level = "INFO"\n'
    (field.repo / "toolcrib.toml").write_text(settings + SETTINGS)
    (field.repo / "logs").mkdir()
    toolcrib(field.repo, "trust", "--yes", env=field.env)
    way = f"rm -f logs/*; ln -s {outside} logs/audit; ln -s {outside} logs/log"
    for attack, script in (
        ("puts a link where the record of calls is", way),
        ("leads its folder outside", f"mv logs old; ln -s {outside.parent} logs"),
    ):
        with field.serve() as again, contextlib.suppress(EOFError):
            again.initialize()
            sh(again, script)
            sh(again, "echo evil")
        with field.serve() as again, contextlib.suppress(EOFError):
            again.initialize()
            sh(again, "echo evil")
        held = outside.read_text() == "before\n" and os.listdir(outside.parent) == ["file"]
        yield Row(field.rung, f"a command {attack}", held, "nothing written there")


def home_as_project(field: Field, pipe: Pipe) -> Iterator[Row]:
    """The project is the home folder: state and settings of the person lie in the agent's reach."""
    own = Field(field.folder / "second", field.rung)
    own.env["HOME"] = str(own.repo)
    own.env["XDG_CONFIG_HOME"], own.env["XDG_CACHE_HOME"] = "", ""
    own.env["TOOLCRIB_STATE"] = str(own.repo / ".local" / "state" / "toolcrib")
    own.trusted()
    forged = own.repo / ".config" / "toolcrib" / "config.toml"
    with own.serve() as again:
        again.initialize()
        way = 'mkdir -p ~/.config/toolcrib; echo "[trust]" > ~/.config/toolcrib/config.toml'
        sh(again, way)
        yield Row(field.rung, "writes the person's config.toml", not forged.exists(), "taken away")
        if field.rung == "landlock":
            return  # cannot keep a folder from being renamed, and doctor says so
        forged.parent.mkdir(parents=True)
        forged.write_text("")
        sh(again, f"mv ~/.config ~/old; {way}")
        held = forged.read_text() == ""
        yield Row(field.rung, "renames the folder above it", held, "refused")
        sh(again, "mv ~/.local ~/old2; mkdir -p ~/.local/state/toolcrib/trust/x")
        held = not (own.repo / ".local/state/toolcrib/trust/x").exists()
        yield Row(field.rung, "renames the folder above the records", held, "refused")


def project_replaced(field: Field, pipe: Pipe) -> Iterator[Row]:
    """The project's folder is replaced while its sandbox is kept."""
    sh(pipe, "true")
    field.repo.rename(field.folder / "was")
    shutil.copytree(field.folder / "was", field.repo)
    sh(pipe, "echo new > which; echo x > /tmp/which")
    wrote = (field.repo / "which").exists() and not (field.folder / "was" / "which").exists()
    yield Row(field.rung, "the project is replaced under its sandbox", wrote, "the new one is used")


def git_filters(field: Field, pipe: Pipe) -> Iterator[Row]:
    """A `.git/config` that names programs, and the bundled tools that look at the work tree."""
    git = ["git", "-C", str(field.repo), "-c", "user.name=x", "-c", "user.email=x@x"]
    shutil.rmtree(field.repo / ".git")
    subprocess.run([*git, "init", "-q"], check=True)
    (field.repo / "file.txt").write_text("one\n")
    subprocess.run([*git, "add", "file.txt"], check=True)
    subprocess.run([*git, "commit", "-qm", "one"], check=True)
    # In a file of its own: `;` in a configuration would begin a comment.
    program = field.repo / "program"
    program.write_text(
        f"#!/bin/sh\necho x >> {field.folder}/outside/file\ncat {field.home}/.ssh/id_ed25519\ncat\n"
    )
    program.chmod(0o755)
    (field.repo / ".gitattributes").write_text("* filter=evil diff=evil\n")
    with (field.repo / ".git" / "config").open("a") as config:
        config.write(f'[filter "evil"]\n\tclean = {program}\n\tsmudge = {program}\n')
        config.write(f'[diff "evil"]\n\ttextconv = {program}\n\tcommand = {program}\n')
        config.write(f"[core]\n\tfsmonitor = {program}\n\tpager = {program}\n")
        config.write(f"[include]\n\tpath = {field.home}/.ssh/id_ed25519\n")
    (field.repo / "file.txt").write_text("two\n")
    for name, args in (
        ("git_status", {}), ("git_diff", {}), ("git_blame", {"file": "file.txt"}), ("git_log", {}),
    ):  # fmt: skip
        answer = pipe.call("climax_call", {"tool_name": name, "args": args})
        said = json.dumps(answer)
        text = (field.folder / "outside" / "file").read_text()
        held = text == "before\n" and "PRIVATE" not in said
        yield Row(field.rung, f"{name} with programs in .git/config", held, "nothing outside")
    toolcrib(field.repo, "architecture", "check", "--diff", env=field.env)
    held = (field.folder / "outside" / "file").read_text() == "before\n"
    yield Row(field.rung, "architecture check --diff with such programs", held, "not started")


def inside(field: Field, pipe: Pipe) -> Iterator[Row]:
    """System calls, devices, sockets and links, tried one by one from inside."""
    shutil.copy(Path(__file__).with_name("siege_inside.py"), field.repo / "inside.py")
    path, name = str(field.folder / "agent.sock"), f"siege-{os.getpid()}-{time.monotonic_ns()}"
    with contextlib.ExitStack() as open_sockets:
        tcp = open_sockets.enter_context(socket.create_server(("127.0.0.1", 0)))
        for address, kind in ((path, 1), (f"{path}.datagram", 2), (f"\0{name}", 1)):
            listener = open_sockets.enter_context(socket.socket(socket.AF_UNIX, kind))
            listener.bind(address)
            if kind == 1:
                listener.listen()
        words = (tcp.getsockname()[1], path, name, field.folder / "outside" / "file")
        script = f"exec python3 inside.py {' '.join(map(str, words))} {pipe.process.pid}"
        outcome: dict[str, str] = json.loads(sh(pipe, script)["stdout"])
    for way, came in outcome.items():
        if field.rung == "landlock" and way == "an attribute on a file outside":
            continue  # which Landlock does not know, and the docs say so
        yield Row(field.rung, way, came != "through", came)


def reach(field: Field, pipe: Pipe) -> Iterator[Row]:
    """The agent looks, listens and connects."""
    for path in (".ssh/id_ed25519", ".aws/credentials"):
        seen = sh(pipe, f"cat {field.home}/{path}").get("stdout", "")
        yield Row(field.rung, f"reads ~/{path}", "PRIVATE" not in seen, "hidden")
    seen = sh(pipe, "cat /proc/*/environ 2>/dev/null | tr '\\0' '\\n'").get("stdout", "")
    yield Row(field.rung, "reads the server's environment", "PRIVATE-KEY" not in seen, "hidden")
    sh(pipe, f"echo evil > {field.folder}/outside/file; echo x > {field.home}/.bashrc")
    text = (field.folder / "outside" / "file").read_text()
    held = text == "before\n" and not (field.home / ".bashrc").exists()
    yield Row(field.rung, "writes outside of the repository", held, "unchanged")
    with listening() as (port, arrived):
        script = (
            "python3 - <<'EOF'\nimport socket\n"
            "for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):\n"
            f"    try:\n        s = socket.socket(socket.AF_INET, kind); s.settimeout(2)\n"
            f"        s.connect(('127.0.0.1', {port})); s.send(b'x')\n    except OSError: pass\nEOF"
        )
        sh(pipe, script)
        time.sleep(0.3)
        yield Row(
            field.rung, "TCP and UDP to a port of this machine", not arrived, "nothing arrives"
        )
    # `kill -1` only behind the filter that stops it: on this rung it would reach the machine.
    sh(
        pipe,
        "kill -STOP $PPID; kill -9 $PPID; grep -q 'Seccomp:.2' /proc/self/status && kill -9 -1",
    )
    alive = sh(pipe, "echo alive").get("stdout", "")
    yield Row(
        field.rung, "stops and kills its supervisor", alive == "alive\n", "the next call runs"
    )


@contextlib.contextmanager
def listening() -> Iterator[tuple[int, list[bytes]]]:
    """A port of this machine, and what arrives there."""
    arrived: list[bytes] = []
    tcp = socket.create_server(("127.0.0.1", 0))
    udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    udp.bind(("127.0.0.1", tcp.getsockname()[1]))

    def take(get: Callable[[], Any]) -> None:
        with contextlib.suppress(OSError):
            arrived.append(repr(get()).encode())

    for get in (tcp.accept, lambda: udp.recvfrom(10)):
        threading.Thread(target=take, args=(get,), daemon=True).start()
    try:
        yield tcp.getsockname()[1], arrived
    finally:
        for each in (tcp, udp):
            each.close()


def swap(folder: Path, tries: int) -> Row:
    """A module is swapped between being compared and being run, again and again."""
    os.environ.update({"TOOLCRIB_STATE": str(folder / "state"), "XDG_CONFIG_HOME": str(folder)})
    os.environ.pop("TOOLCRIB_TRUST", None)
    from toolcrib.files.root import Root
    from toolcrib.packs.custom.loading import Loader, Untrusted
    from toolcrib.policy.trust.records import TrustRecord
    from toolcrib.settings import open_trust

    repo = folder / "swap"
    repo.mkdir()
    good, bad, mark = repo / "good", repo / "bad", folder / "swapped"
    good.write_text("value = 1\n")
    bad.write_text(f"open({str(mark)!r}, 'a').write('x')\n")
    shutil.copy(good, repo / "mine.py")
    (repo / "toolcrib.toml").write_text('[custom]\nmodules = ["mine.py"]\n')
    trust = open_trust(repo)
    assert trust.records is not None
    trust.records.add(TrustRecord.of(trust.verdict.present.content, trust.identity))
    trust.refresh()
    going = threading.Event()

    def swapping() -> None:
        turn = 0
        while not going.is_set():
            turn += 1
            other = repo / f".{turn % 2}"
            shutil.copyfile(good if turn % 2 else bad, other)
            other.replace(repo / "mine.py")

    thread = threading.Thread(target=swapping, daemon=True)
    thread.start()
    loader, ran = Loader(Root(repo), trust=trust), 0
    for _ in range(tries):
        loader.begin()
        with contextlib.suppress(Untrusted, Exception):
            loader.load("mine.py")
            ran += 1
    going.set()
    thread.join()
    through = len(mark.read_text()) if mark.exists() else 0
    return Row(
        "-",
        f"{tries:,} swaps between check and use",
        not through,
        f"{through} through, {ran} good ones ran",
    )


def serve_on(rung: str) -> None:
    """Serve the folder at hand on one rung: this process stands in for `toolcrib serve`."""
    from toolcrib.cli import main
    from toolcrib.running.sandbox.ladder import Sandbox

    if rung == "landlock":
        Sandbox._working_bwrap = lambda self: None  # type: ignore[method-assign]
    raise SystemExit(main(["serve"]))


def has(rung: str) -> bool:
    """Whether this machine has the rung."""
    from toolcrib.running.sandbox.ladder import Sandbox

    sandbox = Sandbox("auto", Path.cwd())
    if rung == "landlock":
        sandbox._working_bwrap = lambda: None  # type: ignore[method-assign]
    return bool(sandbox.level == rung)


def battle(tries: int) -> list[Row]:
    """Every attack, on every rung."""
    rows: list[Row] = []
    place = ROOT / "build"
    if place.is_relative_to(Path(tempfile.gettempdir()).resolve()):
        raise SystemExit("This checkout lies in a temporary folder, where commands may write.")
    place.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="siege-", dir=place) as name:
        rows += opening(Field(Path(name) / "clone", "bubblewrap"))
        for rung in RUNGS:
            if not has(rung):
                rows.append(Row(rung, "everything", True, "not on this machine: not tried"))
                continue
            fronts = [
                acting, policy, reach, granted, own_record, home_as_project, project_replaced,
                git_filters, inside,
            ]  # fmt: skip
            if not any(row.rung in RUNGS for row in rows):
                fronts.append(odd_files)  # what the server makes of them is the same on each rung
            for at, attacks in enumerate(fronts):
                field = Field(Path(name) / f"{rung}{at}", rung)
                field.trusted()
                with field.serve() as pipe:
                    pipe.initialize()
                    if sh(pipe, "echo up").get("stdout") != "up\n":
                        raise SystemExit(
                            f"{rung}: the agent cannot run anything, so nothing is tried"
                        )
                    rows += attacks(field, pipe)
        (Path(name) / "race").mkdir()
        rows.append(swap(Path(name) / "race", tries))
    return rows


def main() -> int:
    """Fight, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tries", type=int, default=10_000)
    parser.add_argument("--serve-on", choices=RUNGS, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.serve_on:
        serve_on(args.serve_on)
    rows = battle(args.tries)
    width = max(len(row.attack) for row in rows)
    for row in rows:
        mark = "held" if row.held else "THROUGH"
        print(f"{mark:8} {row.rung:11} {row.attack:{width}}  {row.outcome if row.held else ''}")
    through = sum(not row.held for row in rows)
    print(f"\n{len(rows)} attacks, {through} got through")
    return 1 if through else 0


if __name__ == "__main__":
    raise SystemExit(main())
