"""A PostgreSQL server, a PgBouncer and a faulty link of a test's own, as processes and threads."""

from __future__ import annotations

import contextlib
import os
import pwd
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path


def postgres_binaries() -> Path | None:
    """Where initdb and pg_ctl are, if this machine has them."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if found:
        return found[-1].parent
    named = shutil.which("initdb")
    return Path(named).resolve().parent if named else None


def server_user() -> pwd.struct_passwd | None:
    """Whom to run a server as: PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            return pwd.getpwnam(name)
    raise RuntimeError("running as root, and no other user to start PostgreSQL as")


def free_port() -> int:
    """A port that nobody listens on, and that no connection of anybody's is given meanwhile."""
    dice = random.SystemRandom()
    while True:
        port = dice.randrange(15_000, 32_000)  # below those that the kernel gives away
        with socket.socket() as taken, contextlib.suppress(OSError):
            taken.bind(("127.0.0.1", port))
            return port


class Postgres:
    """A server in a folder of its own, on a socket that nobody else knows."""

    def __init__(self, binaries: Path, connections: int = 60) -> None:
        self._user = server_user()
        self._binaries = binaries
        self.folder = Path(tempfile.mkdtemp(prefix="tcpg", dir="/tmp"))
        if self._user is not None:
            os.chown(self.folder, self._user.pw_uid, self._user.pw_gid)
        self.socket = self.folder / ".s.PGSQL.5432"
        self.url = f"postgresql://toolcrib@/postgres?host={self.folder}"
        self._options = f"-k {self.folder} -h '' -F -c full_page_writes=off"
        self._options += f" -c max_connections={connections}"
        self._run("initdb", "-U", "toolcrib", "-A", "trust", "--no-sync")
        self.start()

    def start(self) -> None:
        self._run("pg_ctl", "-w", "-s", "-o", self._options, "-l", f"{self.folder}/log", "start")

    def stop(self, mode: str = "immediate") -> None:
        if (self.folder / "data" / "postmaster.pid").exists():
            self._run("pg_ctl", "-w", "-s", "-m", mode, "stop")

    @contextlib.contextmanager
    def frozen(self) -> Iterator[None]:
        """No process of the server moves inside."""
        pids = self._pids()
        for pid in pids:
            os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            for pid in reversed(pids):
                os.kill(pid, signal.SIGCONT)

    def close(self) -> None:
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def pid(self) -> int:
        return int((self.folder / "data" / "postmaster.pid").read_text().split()[0])

    def _pids(self) -> list[int]:
        main = self.pid
        children = Path(f"/proc/{main}/task/{main}/children").read_text().split()
        return [main, *map(int, children)]

    def _run(self, program: str, *arguments: str) -> None:
        who = {"user": self._user.pw_uid, "group": self._user.pw_gid} if self._user else {}
        argv = [str(self._binaries / program), "-D", str(self.folder / "data"), *arguments]
        subprocess.run(argv, check=True, cwd=self.folder, stdout=subprocess.DEVNULL, **who)


class PgBouncer:
    """A pooler in transaction mode before a server."""

    def __init__(self, postgres: Postgres, size: int = 5) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="tcpb", dir="/tmp"))
        self.port = free_port()
        (self.folder / "users").write_text('"toolcrib" ""\n')
        (self.folder / "ini").write_text(
            f"[databases]\npostgres = host={postgres.folder} port=5432\n"
            f"[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {self.port}\n"
            f"auth_type = trust\nauth_file = {self.folder}/users\npool_mode = transaction\n"
            f"default_pool_size = {size}\nmax_client_conn = 500\nunix_socket_dir =\n"
            f"logfile = {self.folder}/log\npidfile = {self.folder}/pid\n"
        )
        user = server_user()
        if user is not None:
            for each in (self.folder, *self.folder.iterdir()):
                os.chown(each, user.pw_uid, user.pw_gid)
        self.url = f"postgresql://toolcrib@127.0.0.1:{self.port}/postgres"
        self.start()

    def start(self) -> None:
        user = server_user()
        who = {"user": user.pw_uid, "group": user.pw_gid} if user else {}
        self._process = subprocess.Popen(
            [shutil.which("pgbouncer") or "/usr/sbin/pgbouncer", "-q", str(self.folder / "ini")],
            cwd=self.folder,
            **who,
        )
        wait_for_port(self.port)

    def kill(self) -> None:
        """End it at once; every connection through it breaks."""
        self._process.kill()
        self._process.wait(10)
        (self.folder / "pid").unlink(missing_ok=True)

    @property
    def pid(self) -> int:
        return self._process.pid

    def close(self) -> None:
        self._process.terminate()
        self._process.wait(10)
        shutil.rmtree(self.folder, ignore_errors=True)


def wait_for_port(port: int, seconds: float = 10.0) -> None:
    """Return when something listens there."""
    end = time.monotonic() + seconds
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.02)  # no event: somebody else's server begins to listen
        else:
            return


class FaultyLink:
    """A TCP proxy to a Unix socket that can hang, be cut, or swallow what it is given.

    `hang()` keeps every byte until `heal()`, then delivers it; `swallow()` never delivers it.
    With `only_known`, connections that are made later pass as if nothing were wrong.
    """

    def __init__(self, target: Path) -> None:
        self._target = str(target)
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._server.getsockname()[1])
        self.url = f"postgresql://toolcrib@127.0.0.1:{self.port}/postgres?sslmode=disable"
        self._open = threading.Event()
        self._open.set()
        self._swallows = False
        self._stuck_from = -1
        self._made = 0
        self._pairs: list[tuple[socket.socket, socket.socket]] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def hang(self, *, only_known: bool = False) -> None:
        """Pass nothing on until healed."""
        self._stuck_from = self._made if only_known else -1
        self._open.clear()

    def swallow(self, *, only_known: bool = False) -> None:
        """Lose everything from now on."""
        self._swallows = True
        self.hang(only_known=only_known)

    def heal(self) -> None:
        """Deliver what was kept, and pass everything on."""
        self._stuck_from = -1
        self._open.set()
        self._swallows = False

    def cut(self) -> None:
        """Close every connection that stands."""
        pairs, self._pairs = self._pairs, []
        for pair in pairs:
            for each in pair:
                with contextlib.suppress(OSError):
                    each.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self._server.close()
        self.heal()
        self.cut()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._server.accept()
                number = self._made
                self._made += 1
                threading.Thread(target=self._serve, args=(client, number), daemon=True).start()

    def _serve(self, client: socket.socket, number: int) -> None:
        if not self._passes(number):
            client.close()
            return
        server = socket.socket(socket.AF_UNIX)
        try:
            server.connect(self._target)
        except OSError:
            client.close()
            return
        self._pairs.append((client, server))
        for one, other in ((client, server), (server, client)):
            threading.Thread(target=self._pass_on, args=(one, other, number), daemon=True).start()

    def _pass_on(self, one: socket.socket, other: socket.socket, number: int) -> None:
        with contextlib.suppress(OSError):
            while data := one.recv(65536):
                if not self._passes(number):
                    break
                other.sendall(data)
        for each in (one, other):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def _passes(self, number: int) -> bool:
        """Wait while this connection hangs; whether what it was given is delivered at all."""
        if self._open.is_set() or 0 <= self._stuck_from <= number:
            return True
        lost = self._swallows
        self._open.wait()
        return not lost
