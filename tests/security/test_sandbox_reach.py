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
        self.datagrams = folder / "log.sock"
        self.log = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.log.bind(str(self.datagrams))

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
        for each in (self.udp, self.log):
            each.setblocking(False)
            try:
                each.recv(100)
                found += 1
            except BlockingIOError:
                pass
        return found

    def close(self) -> None:
        for each in (self.tcp, self.udp, self.unix, self.abstract, self.log):
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
    "pair": lambda: socket.socketpair(type=socket.SOCK_DGRAM)[0].sendto(b"x", "{datagrams}"),
    "turned": lambda: socket.socketpair(type=socket.SOCK_DGRAM)[0].connect("{datagrams}"),
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
        datagrams=listener.datagrams,
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
    assert "pair refused" in outcome.stdout
    assert "turned refused" in outcome.stdout


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


WITH_DEAF_SOCKETS = """
import ctypes, os, socket, sys
libc = ctypes.CDLL(None, use_errno=True)
UNIX, STREAM, DATAGRAM, PACKETS = socket.AF_UNIX, socket.SOCK_STREAM, socket.SOCK_DGRAM, 5
own = socket.socket(UNIX, STREAM)
own.bind("own.sock")
own.listen()
own.setblocking(False)
hidden = socket.socket(UNIX, STREAM)
hidden.bind("\\0{abstract}-inside")
hidden.listen()
print("listens")
open("ready", "w").close()
near = "{near}"
ways = {{
    "near": lambda: socket.socket(UNIX).connect(near),
    "path": lambda: socket.socket(UNIX).connect("{unix}"),
    "abstract": lambda: socket.socket(UNIX).connect("\\0{abstract}"),
    "own": lambda: socket.socket(UNIX).connect("own.sock"),
    "own abstract": lambda: socket.socket(UNIX).connect("\\0{abstract}-inside"),
    "stream sendto": lambda: socket.socket(UNIX).sendto(b"x", "{unix}"),
    "stream sendmsg": lambda: socket.socket(UNIX).sendmsg([b"x"], [], 0, "{unix}"),
    "bound sendmsg": lambda: own.sendmsg([b"x"], [], 0, "{unix}"),
    "datagram": lambda: socket.socket(UNIX, DATAGRAM),
    "raw": lambda: socket.socket(UNIX, socket.SOCK_RAW),
    "packets": lambda: socket.socket(UNIX, PACKETS),
    "pair": lambda: socket.socketpair(UNIX, DATAGRAM)[0].sendto(b"x", "{datagrams}"),
    "turned pair": lambda: socket.socketpair(UNIX, STREAM)[0].connect("{unix}"),
    "named pair": lambda: socket.socketpair(UNIX, PACKETS)[0].connect("{datagrams}"),
    "tcp": lambda: socket.create_connection(("127.0.0.1", {port}), 2),
    "udp": lambda: socket.socket(type=DATAGRAM),
    "tcp6": lambda: socket.socket(socket.AF_INET6),
    "netlink": lambda: socket.socket(16, socket.SOCK_RAW, 0),
    "packet": lambda: socket.socket(17, socket.SOCK_RAW),
    "vsock": lambda: socket.socket(40, STREAM),
    "io_uring": lambda: ctypes.get_errno() if libc.syscall(425, 8, bytes(120)) < 0 else None,
    "accept": lambda: own.accept(),
    "read": lambda: own.recv(100),
}}
if len(sys.argv) > 1:
    print(sys.stdin.readline().strip())
for name, way in ways.items():
    try:
        print(name, "refused" if way() == 1 else "through")
    except OSError:
        print(name, "refused")
"""


def with_deaf_sockets(listener: Listener, near: Path) -> str:
    """A script that listens, and then tries to be heard."""
    return WITH_DEAF_SOCKETS.format(
        near=near,
        port=listener.port,
        unix=listener.path,
        datagrams=listener.datagrams,
        abstract=listener.name,
    )


def test_a_deaf_socket_can_be_listened_on_and_reaches_nobody(
    rung: Rung, listener: Listener
) -> None:
    """T-13: what questions of an import may have; every way from there to anybody fails."""
    near = rung.project / "near.sock"
    with socket.socket(socket.AF_UNIX) as beside:
        beside.bind(str(near))
        beside.listen()
        (rung.project / "deaf.py").write_text(with_deaf_sockets(listener, near))
        outcome = rung.run("exec python3 deaf.py", Access(deaf_sockets=True))
        beside.setblocking(False)
        with pytest.raises(BlockingIOError):
            beside.accept()
    lines = outcome.stdout.splitlines()
    assert lines[0] == "listens", outcome.text()
    assert [line for line in lines[1:] if not line.endswith("refused")] == []
    assert len(lines) == 24
    assert listener.visitors() == 0
    assert outcome.sandbox.sockets == "none"


def test_who_calls_on_a_deaf_socket_is_not_heard(rung: Rung, listener: Listener) -> None:
    """T-13: a socket that lies where others look for theirs takes nothing from who finds it."""
    (rung.project / "deaf.py").write_text(with_deaf_sockets(listener, listener.path))
    os.mkfifo(rung.project / "go")

    async def body(runtime: Runtime) -> str:
        command = tool("exec python3 deaf.py wait < go")
        call = asyncio.create_task(runtime.run(command, {}))
        # Opens when the command does, and the command reads from it when it listens.
        go = await asyncio.to_thread((rung.project / "go").open, "w")
        with go, socket.socket(socket.AF_UNIX) as visitor:
            while not (rung.project / "ready").exists() and not call.done():
                await asyncio.sleep(0.01)  # no event: a file of the command
            visitor.connect(str(rung.project / "own.sock"))
            visitor.send(b"password")
            go.write("go\n")
            go.flush()
            return (await call).stdout

    printed = rung.session(body, Access(deaf_sockets=True))
    assert "accept refused" in printed
    assert "read refused" in printed
    assert "password" not in printed
    assert "through" not in printed


def test_a_tool_has_no_deaf_sockets(rung: Rung) -> None:
    """T-13: `socket(AF_UNIX)` fails for every tool without a grant, listening or not."""
    for kind in ("STREAM", "DGRAM", "SEQPACKET"):
        outcome = rung.python(f"import socket; socket.socket(socket.AF_UNIX, socket.SOCK_{kind})")
        assert "PermissionError" in outcome.stderr


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
