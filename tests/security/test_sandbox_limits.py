"""What a command may use in all, and that nothing of it is left in a kept sandbox."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from support.rungs import RUNGS, Rung, sandbox_on
from toolcrib.running.limits import MIB, Limits

SMALL = Limits(memory=96 * MIB, file=2048 * MIB, disk=64 * MIB)


@pytest.fixture(params=RUNGS)
def rung(request: pytest.FixtureRequest, tmp_path: Path) -> Rung:
    return Rung(sandbox_on(request.param, tmp_path), tmp_path)


def test_files_in_memory_count_as_memory(rung: Rung) -> None:
    """T-15: memfds do not get around the limit of memory."""
    code = (
        "import os, time; fds = [os.memfd_create(str(n)) for n in range(8)]; "
        "[os.write(fd, bytes(1 << 20)) for fd in fds for _ in range(40)]; time.sleep(20)"
    )
    outcome = rung.python(code, limits=SMALL)
    assert "more than 96 MiB of memory ([climax] max_memory)" in outcome.stderr, outcome.text()


def test_shared_memory_counts_as_memory(rung: Rung) -> None:
    """T-15: /dev/shm counts, and shared mappings do, each page once."""
    script = "head -c 300000000 /dev/zero > /dev/shm/toolcrib-test; sleep 20"
    outcome = rung.run(script, limits=SMALL)
    told = outcome.stderr + " ".join(outcome.notes)
    assert "memory" in told or "No space left" in told, outcome.text()
    if rung.sandbox.level == "bubblewrap":
        assert not Path("/dev/shm/toolcrib-test").exists()
    Path("/dev/shm/toolcrib-test").unlink(missing_ok=True)


def test_a_mapping_that_many_processes_share_counts_once(rung: Rung) -> None:
    """T-15: the opposite: what is shared by forks is not counted for each of them."""
    code = (
        "import mmap, os, time; m = mmap.mmap(-1, 40 << 20); m.write(bytes(40 << 20)); "
        "[os.fork() for _ in range(3)]; m[:1 << 20]; sum(m[::4096]); time.sleep(1); print(1)"
    )
    outcome = rung.python(code, limits=Limits(memory=256 * MIB))
    assert outcome.exit_code == 0, outcome.text()
    assert outcome.stdout.count("1") == 8


def test_many_files_count_together(rung: Rung) -> None:
    """T-15: `[climax] max_disk`: what one call may add in all."""
    script = "for n in 1 2 3 4 5 6; do head -c 20000000 /dev/zero > f$n; done; sleep 20"
    outcome = rung.run(script, limits=SMALL)
    assert "wrote more than 64 MiB in all ([climax] max_disk)" in outcome.stderr, outcome.text()


def test_what_others_write_is_not_counted(
    rung: Rung, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """T-15: the opposite: a fuller disk alone stops nobody."""
    other = Path.home() / f".toolcrib-test-filler-{time.monotonic_ns()}"
    try:
        other.write_bytes(bytes(100 * MIB))
        outcome = rung.run("sleep 1; echo done", limits=SMALL)
    finally:
        other.unlink()
    assert outcome.stdout == "done\n"


def test_a_file_limit_is_named(rung: Rung) -> None:
    """FAULTS: by its name, whether the program dies of it or says so itself."""
    limits = Limits(file=1 * MIB)
    outcome = rung.run("exec head -c 5000000 /dev/zero > big", limits=limits)
    assert "a file grew beyond 1 MiB ([climax] max_file)" in outcome.text()
    outcome = rung.python('open("big2", "wb").write(bytes(5 << 20))', limits=limits)
    assert "a command may write 1 MiB to one file ([climax] max_file)" in outcome.text()


def test_a_program_that_cannot_be_executed_is_named(rung: Rung) -> None:
    """FAULTS: exit 126 and 127 each with the program's name."""
    (rung.project / "script").write_text("#!/nonexistent/interpreter\n")
    (rung.project / "script").chmod(0o755)
    (rung.project / "plain").write_text("no program")

    from toolcrib.discovery.index import ToolIndex
    from toolcrib.running.program import CLIConfig, ToolDef, ToolTable
    from toolcrib.running.runtime import Runtime
    from toolcrib.running.sandbox.profile import NOTHING

    async def body(runtime: Runtime) -> list[str]:
        found = []
        for name in ("./script", "./plain"):
            config = CLIConfig(name, ToolTable.of([ToolDef("t")]), (name,))
            resolved = ToolIndex.from_configs([config], None).get("t")
            assert resolved is not None
            found.append((await runtime.run(resolved, {})).stderr)
        return found

    missing, forbidden = rung.session(body, NOTHING)
    assert "./script" in missing
    assert "./plain may not be executed: permission denied" in forbidden


@pytest.mark.parametrize("rung", ["bubblewrap"], indirect=True)
def test_nothing_is_left_in_a_kept_sandbox(rung: Rung) -> None:
    """FAULTS: mounts, IPC, /dev/shm: the next call starts in a fresh one."""
    leave = (
        "import ctypes; libc = ctypes.CDLL(None); "
        "print(libc.msgget(0x1234, 0o1600) >= 0, libc.semget(0x1234, 1, 0o1600) >= 0, "
        "libc.shmget(0x1234, 4096, 0o1600) >= 0)"
    )
    look = (
        "import ctypes; libc = ctypes.CDLL(None); "
        "print(libc.msgget(0x1234, 0o600) >= 0, libc.semget(0x1234, 1, 0o600) >= 0, "
        "libc.shmget(0x1234, 4096, 0o600) >= 0)"
    )
    scripts = [
        f"touch /dev/shm/left; python3 -c '{leave}'",
        f"ls /dev/shm; python3 -c '{look}'; mount -t tmpfs x /tmp 2>/dev/null && echo mounted",
    ]
    first, second = rung.run_all(scripts)
    assert first.stdout == "True True True\n", first.text()
    assert second.stdout == "False False False\n", second.text()


@pytest.mark.parametrize("rung", ["bubblewrap", "single"], indirect=True)
def test_a_command_has_no_new_rights_inside(rung: Rung) -> None:
    """T-13: no namespaces of its own, no mounts, no_new_privs, no capability that undoes a wall."""
    script = (
        "grep -E 'NoNewPrivs|Seccomp:' /proc/self/status; "
        "unshare -Ur true 2>/dev/null && echo namespace; "
        "mount -t tmpfs x /tmp 2>/dev/null && echo mounted; "
        "umount /proc 2>/dev/null && echo unmounted; "
        "awk '/CapEff/ {print $2}' /proc/self/status"
    )
    *walls, capabilities = rung.run(script).stdout.splitlines()
    assert walls == ["NoNewPrivs:\t1", "Seccomp:\t2"]
    assert int(capabilities, 16) & ~0b1011 == 0


def test_a_fork_bomb_hurts_itself_alone(rung: Rung) -> None:
    """C-10: the message names the limit, and the server answers others at once."""
    import asyncio

    from support.rungs import tool
    from toolcrib.running.runtime import Runtime
    from toolcrib.running.sandbox.profile import NOTHING

    async def body(runtime: Runtime) -> tuple[str, float]:
        bomb = asyncio.create_task(
            runtime.run(tool("f() { f & f & wait; }; f; sleep 5", seconds=6), {})
        )
        await asyncio.sleep(0.3)  # no event: the bomb is under way
        began = time.monotonic()
        await runtime.run(tool("echo hi"), {})
        spent = time.monotonic() - began
        return (await bomb).text(), spent

    text, _ = rung.session(body, NOTHING, Limits(processes=60))
    assert "max_processes" in text or "Cannot fork" in text, text


@pytest.mark.skipif(os.geteuid() != 0, reason="the kernel limits the processes of everybody else")
def test_a_supervisor_of_root_is_ahead_of_the_processes_it_counts(rung: Rung) -> None:
    """C-10: nothing but its turn lets it stop a thousand processes, and no command inherits it."""
    code = "import os; print(os.sched_getscheduler(os.getppid()), os.sched_getscheduler(0))"
    ahead, plain = os.SCHED_RR | os.SCHED_RESET_ON_FORK, os.SCHED_OTHER
    assert rung.python(code).stdout == f"{ahead} {plain}\n"
