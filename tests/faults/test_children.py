"""Children that misbehave: everything in FAULTS.md's table of child processes."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest

from support.clock import assert_within
from support.waiting import until, until_async
from toolcrib.running.environment import child_environment
from toolcrib.running.limits import Limits
from toolcrib.running.outcome import Outcome
from toolcrib.running.runner import Job, Runner, running
from toolcrib.running.sandbox.ladder import Confinement, Sandbox
from toolcrib.running.sandbox.profile import Spec

T = TypeVar("T")
MIB = 2**20
LINUX = sys.platform == "linux"


class Ward:
    """A runner on one rung of the sandbox, and a marker by which its children are known."""

    def __init__(self, sandbox: Sandbox, folder: Path) -> None:
        self.sandbox = sandbox
        self.folder = folder
        self.marker = f"toolcrib-test-{os.getpid()}-{time.monotonic_ns()}"

    def job(self, script: str, seconds: float = 20, tool: str = "t", **more: Any) -> Job:
        argv = ["sh", "-c", script, self.marker]
        confined = self.sandbox.confine(argv, "/bin/sh")
        env = child_environment({"MARKER": self.marker})
        return Job(tool, confined, env, str(self.folder), seconds, **more)

    def run(self, script: str, seconds: float = 20, limits: Limits | None = None) -> Outcome:
        """Run one script to its end."""

        async def session(runner: Runner) -> Outcome:
            return await runner.run_command(self.job(script, seconds))

        return self.session(session, limits)

    def session(self, body: Callable[[Runner], Awaitable[T]], limits: Limits | None = None) -> T:
        """Do something with a runner, in an event loop of its own."""

        async def whole() -> T:
            async with running(limits) as runner:
                await runner.run_command(self.job(":"))  # deadlines are not about start-up
                return await body(runner)

        return asyncio.run(whole())

    def survivors(self) -> list[str]:
        """Processes that carry the marker, whatever became of their parents."""
        found = []
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                with contextlib.suppress(OSError):
                    if self.marker.encode() in (entry / "environ").read_bytes():
                        found.append((entry / "cmdline").read_text())
        return found

    async def seen(self) -> None:
        """Wait until a child is there."""
        await until_async(self.survivors)


@pytest.fixture(params=["off", "landlock", "bubblewrap"])
def ward(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Ward]:
    """The same faults without a sandbox and in each one that this machine has."""
    sandbox = Sandbox("off" if request.param == "off" else "auto", tmp_path)
    if request.param == "landlock":
        sandbox._working_bwrap = lambda: None  # type: ignore[method-assign]
    if sandbox.level != request.param:
        pytest.skip(f"{request.param} cannot be used here: {sandbox.reason}")
    ward = Ward(sandbox, tmp_path)
    yield ward
    assert ward.survivors() == []


@pytest.fixture
def bare(tmp_path: Path) -> Ward:
    """Without a sandbox."""
    return Ward(Sandbox("off", tmp_path), tmp_path)


@pytest.fixture
def limited(tmp_path: Path) -> Ward:
    """With limits alone, as on a machine that has no better sandbox."""
    sandbox = Sandbox("auto", tmp_path)
    sandbox._working_bwrap = lambda: None  # type: ignore[method-assign]
    sandbox._landlock = lambda: 0  # type: ignore[method-assign]
    assert sandbox.level == "rlimits"
    return Ward(sandbox, tmp_path)


@pytest.fixture(params=["bubblewrap", "landlock", "rlimits"])
def rung(request: pytest.FixtureRequest, tmp_path: Path) -> Ward:
    """On each rung that has limits, where this machine has it."""
    sandbox = Sandbox("auto", tmp_path)
    if request.param != "bubblewrap":
        sandbox._working_bwrap = lambda: None  # type: ignore[method-assign]
    if request.param == "rlimits":
        sandbox._landlock = lambda: 0  # type: ignore[method-assign]
    if sandbox.level != request.param:
        pytest.skip(f"this machine has no {request.param}")
    return Ward(sandbox, tmp_path)


@pytest.mark.timing
def test_a_child_that_ignores_sigterm_is_killed(
    ward: Ward, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C-10: TERM, a grace, then KILL; the result says that it was killed after the deadline."""
    monkeypatch.setattr("toolcrib.running.runner.GRACE", 0.3)
    started = time.monotonic()
    outcome = ward.run("trap '' TERM; echo printed; while :; do sleep 0.05; done", 0.3)
    assert_within(3, time.monotonic() - started)
    assert outcome.exit_code == -1
    assert outcome.stdout == "printed\n"
    assert outcome.stderr == (
        "Command timed out after 0.3s\n"
        "It did not stop when asked to (SIGTERM) and was killed (SIGKILL) 0.3 s later."
    )


def test_a_child_that_obeys_sigterm_can_clean_up(ward: Ward) -> None:
    """C-10: TERM comes first, and what it prints then is not lost."""
    outcome = ward.run("trap 'echo cleaned; exit 0' TERM; sleep 30 & wait", 0.3)
    assert outcome.stdout == "cleaned\n"
    assert outcome.stderr == "Command timed out after 0.3s"


def test_what_escaped_by_setsid_and_double_fork_dies_with_the_call(ward: Ward) -> None:
    """C-10: killed until none is left, also outside of the process group."""
    script = """
        setsid sh -c '(setsid sleep 300 >/dev/null 2>&1 </dev/null &) ; sleep 300' &
        (env -i setsid sleep 301 >/dev/null 2>&1 &)
        sleep 300
    """
    outcome = ward.run(script, 0.4)
    assert outcome.timed_out
    assert ward.survivors() == []
    found = subprocess.run(["pgrep", "-f", "^sleep 301"], capture_output=True, check=False)
    assert found.stdout == b""


@pytest.mark.timing
def test_a_background_child_that_holds_the_pipe_is_reported_and_killed(bare: Ward) -> None:
    """C-10: reported after a grace period, group killed; the call does not wait for it."""
    started = time.monotonic()
    outcome = bare.run("sleep 300 & echo done")
    assert_within(5, time.monotonic() - started)
    assert (outcome.stdout, outcome.exit_code) == ("done\n", 0)
    assert outcome.notes == (
        "it left processes running in the background, which were killed: sleep",
    )
    assert bare.survivors() == []


def test_a_background_child_dies_with_its_sandbox(ward: Ward) -> None:
    """C-10: whatever the sandbox, nothing is left in the background."""
    assert ward.run("(sleep 300 >/dev/null 2>&1 &); echo done").stdout == "done\n"


def test_a_short_helper_in_the_background_may_finish(bare: Ward) -> None:
    """C-10: there is a grace period: what ends by itself is not worth a word."""
    outcome = bare.run("(sleep 0.1; echo late) & echo early")
    assert outcome.stdout == "early\nlate\n"
    assert outcome.notes == ()


@pytest.mark.timing
def test_a_fork_bomb_is_stopped_and_others_are_answered_meanwhile(limited: Ward) -> None:
    """C-10: a cap on processes, also for root; others get an answer within a second or so."""
    # It ends by itself at 512 processes: a test that fails must not take the machine with it.
    bomb = "b() { [ $1 -gt 0 ] && { b $(($1 - 1)) & b $(($1 - 1)) & }; sleep 30; }; b 8"

    async def session(runner: Runner) -> tuple[Outcome, Outcome, float]:
        attack = asyncio.create_task(runner.run_command(limited.job(bomb, 15, tool="bomb")))
        await until_async(lambda: attack.done() or limited.survivors())  # it may be over already
        started = time.monotonic()
        other = await runner.run_command(limited.job("echo ok", tool="other"))
        spent = time.monotonic() - started
        return await attack, other, spent

    attack, other, spent = limited.session(session, Limits(processes=60))
    assert other.stdout == "ok\n"
    assert_within(5, spent)
    assert "more than 60 processes ([climax] max_processes)" in attack.stderr or (
        "Cannot fork" in attack.stderr
    )
    assert limited.survivors() == []


@pytest.mark.skipif(not LINUX, reason="the limits of memory are Linux's")
def test_too_much_memory_in_one_go_fails_and_the_limit_is_named(limited: Ward) -> None:
    """C-10: huge memory: the message names the limit."""
    script = f"{sys.executable} -S -c 'x = bytearray(2**31)'"
    outcome = limited.run(script, limits=Limits(memory=300 * MIB))
    assert outcome.exit_code == 1
    assert "MemoryError" in outcome.stderr
    assert outcome.notes == ("a command may use 300 MiB of memory ([climax] max_memory)",)


@pytest.mark.skipif(not LINUX, reason="the limits of memory are Linux's")
def test_many_processes_cannot_share_out_too_much_memory(limited: Ward) -> None:
    """C-10: the limit is for the command and all that it starts."""
    eater = f"{sys.executable} -S -c 'x = bytearray(120 << 20); import time; time.sleep(30)'"
    outcome = limited.run(f"{eater} & {eater} & {eater} & wait", limits=Limits(memory=200 * MIB))
    assert "Stopped: it used more than 200 MiB of memory ([climax] max_memory)" in outcome.stderr
    assert limited.survivors() == []


def test_a_huge_file_is_stopped_and_the_limit_is_named(rung: Ward) -> None:
    """C-10: huge file: never `signal 25`, on each rung."""
    outcome = rung.run("exec head -c 50000000 /dev/zero > big", limits=Limits(file=MIB))
    assert (rung.folder / "big").stat().st_size == MIB
    assert outcome.exit_code != 0
    assert "a file grew beyond 1 MiB ([climax] max_file)" in " ".join(outcome.notes)


@pytest.mark.parametrize(
    "script",
    [
        f'{sys.executable} -S -c \'open("big", "wb").write(bytes(9 << 20))\'',
        "head -c 50000000 /dev/zero > big; echo afterwards",
        "head -c 50000000 /dev/zero > big",
    ],
)
def test_a_limit_that_only_a_part_of_the_command_met_is_named(rung: Ward, script: str) -> None:
    """C-10: huge file: also where a program says it in its own words, and a shell goes on."""
    outcome = rung.run(script, limits=Limits(file=MIB))
    assert (rung.folder / "big").stat().st_size <= MIB
    assert "1 MiB" in " ".join(outcome.notes)
    assert "[climax] max_file" in " ".join(outcome.notes)


DD = "dd if=/dev/zero of=big bs=65536 count=40"
WRITE = 'open("big", "wb").write(bytes(2 << 20))'


def python(*lines: str) -> str:
    """A shell's word for a Python program."""
    return f"{sys.executable} -S -c '{chr(10).join(lines)}'"


@pytest.mark.parametrize(
    "script",
    [
        f"exec sh -c '{DD} 2>/dev/null; exit $?'",
        f"exec find . -maxdepth 0 -exec {DD} \\; 2>&1",
        f"exec timeout 9 {DD} 2>/dev/null",
        f"{DD} 2>/dev/null | cat; rm -f nothing; exit 0",
        f"({DD} 2>/dev/null & wait $!); rm big; exit 153",
        f"({DD} 2>/dev/null &) ; while ! [ -e big ]; do :; done; exit 0",
        python("import subprocess, sys", f"sys.exit(subprocess.call({json.dumps(DD.split())}))"),
    ],
    ids=["shell", "find", "timeout", "pipe", "code", "orphan", "python"],
)
def test_a_limit_that_a_childs_child_met_is_named(rung: Ward, script: str) -> None:
    """FAULTS: huge file: the message names the limit, whoever was stopped and whoever tells it."""
    outcome = rung.run(script, limits=Limits(file=MIB))
    assert "1 MiB" in " ".join(outcome.notes), (script, outcome)
    assert "[climax] max_file" in " ".join(outcome.notes)


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        (("import sys", f"try: {WRITE}", "except OSError as e: print(e.strerror); sys.exit(3)"), 3),
        (("import sys", f"try: {WRITE}", "except OSError as e: sys.exit(1)"), 1),
        (("import sys", f"try: {WRITE}", "except OSError as e: print(e, file=sys.stderr)"), 0),
        (
            (
                "import os, sys",
                'f = open("big", "wb")',
                "try: os.truncate(f.fileno(), 2 << 20)",
                'except OSError as e: sys.exit(str(e) + chr(10) + "x" * 9000)',
            ),
            1,
        ),
    ],
    ids=["stdout", "silent", "success", "far above"],
)
def test_a_limit_that_a_program_tells_in_its_own_way_is_named(
    rung: Ward, lines: tuple[str, ...], code: int
) -> None:
    """FAULTS: huge file: in stdout, with success, far from the end of stderr, or not at all."""
    outcome = rung.run(python(*lines), limits=Limits(file=MIB))
    assert outcome.exit_code == code
    assert "1 MiB" in " ".join(outcome.notes), outcome
    assert "[climax] max_file" in " ".join(outcome.notes)


def test_a_limit_that_nobody_met_is_not_named(rung: Ward) -> None:
    """FAULTS: huge file: what a command prints about files, and a smaller file, are no evidence."""
    for script in (
        "echo 'OSError: [Errno 27] File too large'",
        "echo 'HTTP 413: file too large for upload' >&2; exit 1",
        "head -c 900000 /dev/zero > small; exit 1",
        "echo 'signal 9'; exit 25",
    ):
        assert rung.run(script, limits=Limits(file=MIB)).notes == ()


def test_endless_cpu_is_stopped_and_the_limit_is_named(limited: Ward) -> None:
    """C-10: endless CPU."""
    outcome = limited.run("while :; do :; done", limits=Limits(cpu=1))
    assert outcome.exit_code != 0
    assert "CPU time ([climax] max_cpu)" in " ".join(outcome.notes)


def test_a_flood_is_capped_while_memory_stays_flat(bare: Ward) -> None:
    """C-10: `yes`: head and tail kept, how much was cut is stated, RSS stays flat."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    outcome = bare.run("yes 'some words' & yes errors >&2", 1.0)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 40_000
    assert outcome.truncated
    assert len(outcome.stdout) < 1.1 * MIB
    assert "bytes left out …]" in outcome.stdout
    assert [note.split(":")[0] for note in outcome.notes] == ["stdout was cut", "stderr was cut"]
    assert outcome.stderr.endswith("Command timed out after 1s")


def test_others_are_answered_while_one_floods(bare: Ward) -> None:
    """C-10: a flood does not take all the time there is."""

    async def session(runner: Runner) -> float:
        flood = asyncio.create_task(runner.run_command(bare.job("yes", 3, tool="flood")))
        await bare.seen()
        started = time.monotonic()
        assert (await runner.run_command(bare.job("echo ok", tool="other"))).stdout == "ok\n"
        spent = time.monotonic() - started
        flood.cancel()
        return spent

    assert bare.session(session) < 2


def test_binary_and_control_characters_are_stated(ward: Ward) -> None:
    """C-10: binary, invalid UTF-8, ANSI, NUL."""
    outcome = ward.run(r"printf '\033[1mbold\033[0m \000nul \377bad'")
    assert outcome.stdout == "bold nul \ufffdbad"
    assert len(outcome.notes) == 2


@pytest.mark.timing
@pytest.mark.parametrize(
    "script",
    [
        "cat",
        "read line; echo got nothing",
        "exec 3<>/dev/tty",
        "test -t 0 || test -t 1 || exit 9",
    ],
)
def test_what_waits_for_a_person_fails_at_once(ward: Ward, script: str) -> None:
    """C-10: stdin is /dev/null and there is no terminal."""
    started = time.monotonic()
    outcome = ward.run(script)
    assert_within(5, time.monotonic() - started)
    assert not outcome.timed_out


@pytest.mark.parametrize("script", ["git commit --allow-empty", "git log"])
def test_git_opens_neither_editor_nor_pager(bare: Ward, script: str) -> None:
    """C-10: `GIT_PAGER=cat`, no editor: fails fast or prints."""
    setup = (
        "git init -q . && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m one && "
    )
    outcome = bare.run(setup + "git config user.name a && git config user.email a@b && " + script)
    assert not outcome.timed_out
    assert "one" in outcome.stdout if "log" in script else outcome.exit_code != 0


@pytest.mark.parametrize(
    ("script", "code", "note"),
    [
        ("kill -SEGV $$", -11, "killed by signal 11 (SIGSEGV)"),
        ("kill -KILL $$", -9, "killed by signal 9 (SIGKILL)"),
        ("exit 126", 126, "exit code 126 usually means that a program was found but"),
        ("nosuchprogram", 127, "exit code 127 usually means that a program it needs was not found"),
    ],
)
def test_each_kind_of_end_has_its_own_words(bare: Ward, script: str, code: int, note: str) -> None:
    """C-10: exit by signal, 126, 127."""
    outcome = bare.run(script)
    assert outcome.exit_code == code
    assert note in outcome.notes[-1]


def started_as(ward: Ward, program: str, argv: list[str], cwd: str | None = None) -> Outcome:
    async def session(runner: Runner) -> Outcome:
        job = Job(
            "t", Confinement(Spec("off"), tuple(argv), program), {}, cwd or str(ward.folder), 10
        )
        return await runner.run_command(job)

    return ward.session(session)


def test_what_cannot_be_started_has_its_own_words(bare: Ward) -> None:
    """C-10: ENOENT, EACCES, ENOEXEC, E2BIG, cwd gone."""
    script = bare.folder / "script"
    script.write_text("echo no first line\n")
    assert "Command not found" in started_as(bare, "/nope/x", ["x"]).stderr
    denied = started_as(bare, str(script), ["x"])
    assert (denied.exit_code, "permission denied" in denied.stderr) == (126, True)
    script.chmod(0o755)
    assert "a script needs a first line with #!" in started_as(bare, str(script), ["x"]).stderr
    script.write_text("#!/nope/interpreter\n")
    assert "the interpreter in its first line" in started_as(bare, str(script), ["x"]).stderr
    long = started_as(bare, "/bin/true", ["true", "x" * 3_000_000])
    assert (long.exit_code, "too long for this system" in long.stderr) == (126, True)
    gone = started_as(bare, "/bin/true", ["true"], str(bare.folder / "gone"))
    assert gone.stderr == "The working directory does not exist."


def test_a_hundred_calls_at_once_all_come_back(bare: Ward) -> None:
    """C-10: 100 calls at once: limited, queued, each with its own answer."""
    peak = 0

    async def session(runner: Runner) -> list[Outcome]:
        nonlocal peak

        async def one(number: int) -> Outcome:
            return await runner.run_command(bare.job(f"echo {number}", 60, tool=f"t{number % 10}"))

        calls = [asyncio.create_task(one(number)) for number in range(100)]
        while not all(call.done() for call in calls):
            peak = max(peak, len(runner._children))
            await asyncio.sleep(0)
        return await asyncio.gather(*calls)

    outcomes = bare.session(session, Limits(concurrency=8, per_tool=2))
    assert [outcome.stdout for outcome in outcomes] == [f"{number}\n" for number in range(100)]
    assert 1 < peak <= 8


def test_one_tool_cannot_take_all_places(bare: Ward) -> None:
    """C-10: per-tool limits."""

    async def session(runner: Runner) -> Outcome:
        hogs = [
            asyncio.create_task(runner.run_command(bare.job("sleep 30", tool="hog")))
            for _ in range(10)
        ]
        await bare.seen()
        async with asyncio.timeout(10):
            other = await runner.run_command(bare.job("echo in", tool="other"))
        for hog in hogs:
            hog.cancel()
        return other

    assert bare.session(session, Limits(concurrency=4, per_tool=2)).stdout == "in\n"


def test_the_deadline_counts_while_a_call_waits(bare: Ward) -> None:
    """C-10: queued, deadline counts while queued."""

    async def session(runner: Runner) -> Outcome:
        first = asyncio.create_task(runner.run_command(bare.job("sleep 30")))
        await bare.seen()
        second = await runner.run_command(bare.job("echo never", 0.2))
        first.cancel()
        return second

    outcome = bare.session(session, Limits(per_tool=1))
    assert (
        outcome.stderr == "Command timed out after 0.2s\nIt was still waiting for others to finish."
    )
    assert (outcome.stdout, outcome.exit_code) == ("", -1)
    assert outcome.timed_out


@pytest.mark.timing
def test_a_cancelled_call_takes_its_whole_tree_along(ward: Ward) -> None:
    """C-10: cancellation reaches the child process, and what escaped from it."""

    async def session(runner: Runner) -> None:
        script = "setsid sleep 300 & sleep 300"
        call = asyncio.create_task(runner.run_command(ward.job(script)))
        await ward.seen()
        started = time.monotonic()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert_within(0.5, time.monotonic() - started)
        await until_async(lambda: not ward.survivors(), 5)

    ward.session(session)


def test_a_cancelled_call_gives_its_place_back(bare: Ward) -> None:
    """C-10: a limit that leaked would stop everything in the end."""

    async def session(runner: Runner) -> Outcome:
        for _ in range(5):
            call = asyncio.create_task(runner.run_command(bare.job("sleep 300")))
            await bare.seen()
            call.cancel()
            await asyncio.wait([call])
        return await runner.run_command(bare.job("echo free", 10))

    assert bare.session(session, Limits(concurrency=1, per_tool=1)).stdout == "free\n"


def test_closing_stops_everything_within_two_seconds(ward: Ward) -> None:
    """C-10: when the server must go, TERM and a second later KILL."""

    async def session(runner: Runner) -> float:
        script = "trap '' TERM; sleep 300 & while :; do sleep 0.1; done"
        call = asyncio.create_task(runner.run_command(ward.job(script, 60)))
        await ward.seen()
        started = time.monotonic()
        await runner.close()
        call.cancel()
        return time.monotonic() - started

    assert ward.session(session) < 2


def test_no_zombies_and_no_open_files_are_left(bare: Ward) -> None:
    """C-10: 10,000 calls: 0 zombies, the number of open files constant (a short form)."""

    def open_files() -> int:
        return len(list(Path("/proc/self/fd").iterdir()))

    def zombies(*parents: int) -> set[str]:
        found = set()
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                with contextlib.suppress(OSError):
                    state = (entry / "stat").read_text().rpartition(")")[2].split()
                    if state[0] == "Z" and int(state[1]) in parents:
                        found.add(entry.name)
        return found

    async def session(runner: Runner) -> None:
        others = zombies(os.getpid())  # of tests that ran before in this process
        jobs = [bare.job(":", tool=f"t{number}") for number in range(10)]
        await asyncio.gather(*map(runner.run_command, jobs))
        before = open_files()
        for _ in range(20):
            await asyncio.gather(*map(runner.run_command, jobs))
        assert open_files() <= before
        (supervisor,) = runner.pool.first_processes()
        assert zombies(os.getpid(), supervisor) <= others

    bare.session(session)


def test_a_killed_supervisor_is_replaced_and_its_command_does_not_stay(bare: Ward) -> None:
    """C-10: even kill -9 of our own helper leaves nothing behind and no call without an answer."""

    async def session(runner: Runner) -> tuple[Outcome, Outcome]:
        call = asyncio.create_task(runner.run_command(bare.job("sleep 300")))
        await bare.seen()
        (main,) = runner.pool.first_processes()
        (worker,) = Path(f"/proc/{main}/task/{main}/children").read_text().split()
        os.kill(int(worker), signal.SIGKILL)
        first = await call
        await until_async(lambda: not bare.survivors(), 5)
        # What forked it goes with it: it may be in the hands of whoever killed the worker.
        await until_async(lambda: not runner.pool.first_processes(), 5)
        return first, await runner.run_command(bare.job("echo again"))

    first, second = bare.session(session)
    assert "supervises commands was killed" in first.stderr
    assert first.exit_code == -1
    assert second.stdout == "again\n"


SERVER = """
import asyncio, json, sys
from pathlib import Path
from toolcrib.running.runner import Job, Runner
from toolcrib.running.sandbox.ladder import Confinement
from toolcrib.running.sandbox.profile import Spec

async def main():
    runner = Runner()
    script = "trap '' TERM; setsid sleep 300 & while :; do sleep 1; done"
    how = Confinement(Spec("off"), ("sh", "-c", script), "/bin/sh")
    job = Job("t", how, {"MARKER": sys.argv[1]}, "/", 60)
    await runner.run_command(job)

asyncio.run(main())
"""


@pytest.mark.skipif(not LINUX, reason="needs /proc")
def test_a_server_that_is_killed_takes_its_children_along(bare: Ward) -> None:
    """C-10: kill -9 of the server itself: nothing survives it."""
    server = subprocess.Popen([sys.executable, "-c", SERVER, bare.marker])
    try:
        until(lambda: len(bare.survivors()) >= 2, 20)
    finally:
        server.kill()
        server.wait()
    until(lambda: not bare.survivors(), 5)


def test_few_open_files_are_enough(tmp_path: Path) -> None:
    """C-10: with a limit of 64 open files, calls wait for each other instead of failing."""
    code = """
import asyncio, resource, sys
resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
from toolcrib.running.limits import Limits
from toolcrib.running.runner import Job, running
from toolcrib.running.sandbox.ladder import Confinement
from toolcrib.running.sandbox.profile import Spec

async def main():
    async with running(Limits(concurrency=50, per_tool=50)) as runner:
        job = Job("t", Confinement(Spec("off"), ("echo", "ok"), "/bin/echo"), {}, "/", 60)
        outcomes = await asyncio.gather(*(runner.run_command(job) for _ in range(40)))
    print(sum(outcome.stdout == "ok\\n" for outcome in outcomes))

asyncio.run(main())
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "40\n", done.stderr


def test_secrets_of_the_server_are_not_in_a_childs_environment(
    bare: Ward, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C-10: children get an allowlist plus what the config names."""
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "very-secret")
    outcome = bare.run("env; cat /proc/$PPID/environ")
    assert "very-secret" not in outcome.stdout
    assert bare.marker in outcome.stdout


def test_a_child_gets_no_files_of_ours(bare: Ward) -> None:
    """C-10: nothing but the three streams is open in a child."""
    with open("/etc/hostname") as kept:
        os.set_inheritable(kept.fileno(), True)
        outcome = bare.run("ls -l /proc/self/fd")
    lines = [line for line in outcome.stdout.splitlines() if " -> " in line]
    assert len(lines) == 4  # the fourth is the folder that ls itself reads
    assert "socket" not in outcome.stdout


def test_signals_that_python_ignores_work_in_a_child(bare: Ward) -> None:
    """C-10: SIGPIPE ends a writer whose reader is gone, as everybody expects."""
    outcome = bare.run("(yes; echo $? >&2) | head -n 1")
    assert outcome.stdout == "y\n"
    assert "Broken pipe" not in outcome.stderr


def test_what_a_child_is_told_reaches_it_whole(bare: Ward) -> None:
    """C-2: a large standard input, and words with every character there is."""
    text = "".join(map(chr, range(1, 0x300))) + "😀\n'\"\\$`"

    async def session(runner: Runner) -> tuple[Outcome, Outcome]:
        big = await runner.run_command(bare.job("wc -c", stdin="x" * 5_000_000))
        words = ("printf", "%s", text)
        job = Job("t", Confinement(Spec("off"), words, "/usr/bin/printf"), {}, "/", 10)
        return big, await runner.run_command(job)

    big, echoed = bare.session(session)
    assert big.stdout.strip() == "5000000"
    assert json.dumps(echoed.stdout[-9:]) == json.dumps(text[-9:])
