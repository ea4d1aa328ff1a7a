"""What a command reaches: the network, sockets of the machine, its supervisor, the server."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.rungs import RUNGS, Rung, sandbox_on, tool
from toolcrib.running.network.hosts import FULL_NETWORK
from toolcrib.running.runtime import Runtime
from toolcrib.running.sandbox.profile import NOTHING, Access


@pytest.fixture(params=RUNGS)
def rung(request: pytest.FixtureRequest, tmp_path: Path) -> Rung:
    return Rung(sandbox_on(request.param, tmp_path), tmp_path)


class Listener:
    """Sockets of this machine that write down who comes."""

    def __init__(self, folder: Path) -> None:
        self.tcp = socket.create_server(("127.0.0.1", 0))
        self.udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.udp.bind(("127.0.0.1", 0))
        self.path = folder / "agent.sock"
        self.unix = socket.socket(socket.AF_UNIX)
        self.unix.bind(str(self.path))
        self.unix.listen()
        self.name = f"toolcrib-test-{os.getpid()}-{time.monotonic_ns()}"
        self.abstract = socket.socket(socket.AF_UNIX)
        self.abstract.bind("\0" + self.name)
        self.abstract.listen()

    @property
    def port(self) -> int:
        return int(self.tcp.getsockname()[1])

    def visitors(self) -> int:
        """How many have come, by any way."""
        found = 0
        for each in (self.tcp, self.unix, self.abstract):
            each.setblocking(False)
            try:
                each.accept()[0].close()
                found += 1
            except BlockingIOError:
                pass
        self.udp.setblocking(False)
        try:
            self.udp.recv(100)
            found += 1
        except BlockingIOError:
            pass
        return found

    def close(self) -> None:
        for each in (self.tcp, self.udp, self.unix, self.abstract):
            each.close()


@pytest.fixture
def listener(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Listener]:
    made = Listener(tmp_path_factory.mktemp("machine"))
    yield made
    made.close()


ATTEMPTS = """
import socket, time
ways = {{
    "tcp": lambda: socket.create_connection(("127.0.0.1", {port}), 2),
    "udp": lambda: socket.socket(type=socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", {udp})),
    "raw": lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1),
    "packet": lambda: socket.socket(17, socket.SOCK_RAW),
    "vsock": lambda: socket.socket(40, socket.SOCK_STREAM).connect((2, 1)),
    "unix": lambda: socket.socket(socket.AF_UNIX).connect("{unix}"),
    "abstract": lambda: socket.socket(socket.AF_UNIX).connect("\\0{abstract}"),
    "dns": lambda: socket.getaddrinfo("example.com", 80),
}}
began = time.monotonic()
for name, way in ways.items():
    try:
        way()
        print(name, "through")
    except OSError:
        print(name, "refused")
print("quick" if time.monotonic() - began < 5 else "slow")
"""


def attempts(listener: Listener, folder: Path) -> str:
    """A script that tries every way out."""
    code = ATTEMPTS.format(
        port=listener.port,
        udp=listener.udp.getsockname()[1],
        unix=listener.path,
        abstract=listener.name,
    )
    (folder / "attempts.py").write_text(code)
    return "exec python3 attempts.py"


def test_without_a_grant_nothing_leaves(rung: Rung, listener: Listener) -> None:
    """T-10, T-13: TCP, UDP, raw, DNS, abstract and other sockets fail at once; nothing arrives."""
    outcome = rung.run(attempts(listener, rung.project))
    lines = outcome.stdout.split("\n")
    through = [line for line in lines if line.endswith("through")]
    # A datagram into an empty network of one's own is sent and gets nowhere.
    assert [line for line in through if line != "udp through"] == [], outcome.text()
    assert "quick" in lines
    assert listener.visitors() == 0
    assert outcome.sandbox.network == "none"
    assert outcome.sandbox.sockets == "none"


def test_with_full_network_a_command_reaches_the_machine(rung: Rung, listener: Listener) -> None:
    """T-10: the opposite: `full` is what it says, and sockets are still refused."""
    outcome = rung.run(attempts(listener, rung.project), Access(FULL_NETWORK))
    assert "tcp through" in outcome.stdout, outcome.text()
    assert "unix refused" in outcome.stdout
    assert "abstract refused" in outcome.stdout


@pytest.mark.parametrize("rung", ["bubblewrap", "single"], indirect=True)
def test_a_loopback_of_its_own_works(rung: Rung) -> None:
    """T-10: a program's own server on 127.0.0.1 can be used inside."""
    code = (
        'import socket; s = socket.create_server(("127.0.0.1", 0)); '
        'c = socket.create_connection(s.getsockname()); print("met")'
    )
    assert rung.python(code).stdout == "met\n"


def test_pairs_of_sockets_work(rung: Rung) -> None:
    """T-13: `socketpair` works."""
    code = 'import socket; a, b = socket.socketpair(); a.send(b"x"); print(b.recv(1))'
    assert rung.python(code).stdout == "b'x'\n"


@pytest.mark.parametrize("rung", ["bubblewrap", "single"], indirect=True)
def test_a_granted_socket_is_the_only_one(
    rung: Rung, listener: Listener, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """T-13: a granted tool sees only the sockets that are named."""
    granted = tmp_path_factory.mktemp("granted") / "one.sock"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(granted))
        server.listen()
        connect = "import socket, sys; socket.socket(socket.AF_UNIX).connect(sys.argv[1])"
        script = f"""
            python3 -c '{connect}' {granted} && echo one
            python3 -c '{connect}' {listener.path} && echo two
        """
        outcome = rung.run(script, Access(sockets=(str(granted),)))
    assert outcome.stdout == "one\n", outcome.text()
    assert listener.visitors() == 0
    assert outcome.sandbox.sockets == "granted"


def test_variables_of_sockets_are_not_handed_over(
    rung: Rung, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T-13: SSH_AUTH_SOCK, DBUS_*, XDG_RUNTIME_DIR only with such a grant."""
    for name in ("SSH_AUTH_SOCK", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"):
        monkeypatch.setenv(name, "/nowhere/socket")
    assert "nowhere" not in rung.run("env").stdout
    granted = rung.run("env", Access(sockets=("ssh-agent",)))
    assert "SSH_AUTH_SOCK=/nowhere/socket" in granted.stdout
    assert "DBUS" not in granted.stdout


ON_SUPERVISOR = """
import ctypes, os, signal, resource
parent = os.getppid()
libc = ctypes.CDLL(None, use_errno=True)
def tried(name, way):
    try:
        answer = way()
    except OSError as error:
        answer = -1
    print(name, "through" if answer not in (-1, False) else "refused")
tried("stop", lambda: os.kill(parent, signal.SIGSTOP))
tried("kill", lambda: os.kill(parent, signal.SIGKILL))
tried("group", lambda: os.killpg(os.getpgid(parent), signal.SIGKILL) if parent != 1 else -1)
tried("thread", lambda: libc.syscall(234, parent, parent, 9))
tried("ptrace", lambda: libc.ptrace(16, parent, 0, 0))
tried("limit", lambda: resource.prlimit(parent, resource.RLIMIT_CPU, (0, 0)))
tried("pidfd", lambda: os.pidfd_open(parent))
for name in ("environ", "mem", "maps", "fd/0"):
    tried(name, lambda: open(f"/proc/{{parent}}/{{name}}", "rb").read(1) is None)
"""


def test_a_command_cannot_reach_its_supervisor(rung: Rung) -> None:
    """FAULTS: it cannot kill, stop, trace, limit or read it, and the next call is as before."""
    (rung.project / "attack.py").write_text(ON_SUPERVISOR.replace("{{", "{").replace("}}", "}"))
    first, second = rung.run_all(["exec python3 attack.py", "echo again"])
    assert "through" not in first.stdout, first.text()
    assert first.stdout.count("refused") == 11
    assert second.stdout == "again\n"


def test_a_command_cannot_reach_the_supervisor_of_another(rung: Rung) -> None:
    """FAULTS: what runs beside it goes on, whatever it signals."""
    attack = "for pid in $(seq 1 400); do kill -STOP $pid; done 2>/dev/null"
    if rung.sandbox.level == "landlock":
        if rung.sandbox._abi < 6:
            pytest.skip("this kernel's Landlock does not know signals")
        # Only what can be told to be a supervisor: without a namespace there are others to hit.
        attack = "for pid in $(pgrep -f running.supervisor); do kill -STOP $pid; done 2>/dev/null"

    async def body(runtime: Runtime) -> str:
        beside = asyncio.create_task(runtime.run(tool("sleep 1; echo finished"), {}))
        await asyncio.sleep(0.2)  # no event: the command beside it is under way
        await runtime.run(tool(f"({attack}); true", seconds=10), {})
        return (await beside).stdout

    assert rung.session(body, NOTHING) == "finished\n"


def test_the_servers_secrets_cannot_be_read(rung: Rung, monkeypatch: pytest.MonkeyPatch) -> None:
    """FAULTS: /proc of the server is closed, also to root."""
    server = subprocess.Popen(["sleep", "30"], env={"TOKEN": "very-secret"})
    try:
        script = f"cat /proc/{server.pid}/environ /proc/{os.getpid()}/environ /proc/*/environ"
        outcome = rung.run(f"({script}) 2>/dev/null | tr '\\0' '\\n' | grep -c very-secret")
    finally:
        server.kill()
        server.wait()
    assert outcome.stdout == "0\n"


OF_THE_KERNEL = """
import os
import signal
for place, folders, files in os.walk("/proc"):
    folders[:] = [name for name in folders if not name.isdigit()]
    for name in files if place != "/proc/self" else ():
        path = os.path.join(place, name)
        try:
            # The others have nothing that could be written.
            if os.lstat(path).st_mode & 0o222 and not os.path.islink(path):
                os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK))
                print(path)
        except OSError:
            pass
    if place == "/proc":
        folders[:] = [name for name in folders if not os.path.islink(f"/proc/{name}")]
"""


def test_no_setting_of_the_kernel_can_be_written(rung: Rung) -> None:
    """T-13, T-14: not by root either: `core_pattern` is a program that runs outside."""
    (rung.project / "walk.py").write_text(OF_THE_KERNEL)
    outcome = rung.run("exec python3 walk.py")
    assert outcome.exit_code == 0 and outcome.stdout == "", outcome.text()


def test_a_stopped_supervisor_does_not_hang_a_call(rung: Rung) -> None:
    """FAULTS: a watchdog in the server: if all else fails, the call ends, with its processes."""

    async def body(runtime: Runtime) -> tuple[str, str]:
        call = asyncio.create_task(runtime.run(tool("touch started; sleep 60", seconds=2), {}))
        while not (rung.project / "started").exists() and not call.done():
            await asyncio.sleep(0.01)  # no event: a file of the command
        first = runtime._runner.pool.first_processes()
        from toolcrib.running.supervisor.processes import descendants

        for pid in [each for one in first for each in (one, *descendants(one))]:
            with contextlib.suppress(ProcessLookupError):  # touch, or whatever ended meanwhile
                os.kill(pid, signal.SIGSTOP)
        outcome = await asyncio.wait_for(call, 15)
        return outcome.stderr, (await runtime.run(tool("echo again"), {})).stdout

    stderr, again = rung.session(body, NOTHING)
    assert "timed out" in stderr or "supervises" in stderr
    assert again == "again\n"


def test_threads_beside_a_call_do_not_matter(rung: Rung) -> None:
    """C-10: a sandbox that was started from one thread lives when that thread ends."""
    found: list[str] = []
    worker = threading.Thread(target=lambda: found.append(rung.run("echo hi").stdout))
    worker.start()
    worker.join()
    assert found == ["hi\n"]
