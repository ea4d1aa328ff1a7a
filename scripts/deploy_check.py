"""Check what stands in `deploy/` with the programs that it is written for.

    python scripts/deploy_check.py            every check, and a short run of several replicas
    python scripts/deploy_check.py --files    the files alone

A program that is missing is an error that names its package: nothing is taken for checked.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[1]
DEPLOY = ROOT / "deploy"
MOST_EXPOSURE = 3.0


class Failed(Exception):
    """What a check found."""


def run(*argv: str, package: str) -> str:
    """What a program says; raises where it is missing or not content."""
    program = shutil.which(argv[0]) or shutil.which(argv[0], path="/usr/sbin:/sbin")
    if program is None:
        raise Failed(f"{argv[0]} is missing: install {package}")
    done = subprocess.run(
        [program, *argv[1:]], capture_output=True, text=True, cwd=ROOT, check=False
    )
    said = f"{done.stdout}{done.stderr}".strip()
    if done.returncode:
        raise Failed(said)
    return said


def nginx() -> str:
    """`nginx -t` on the file as it is, with its limit, and on the block for TLS around it."""
    run("nginx", "-t", "-c", str(DEPLOY / "nginx.conf"), package="nginx")
    with tempfile.TemporaryDirectory() as folder:
        limited = with_limit(DEPLOY / "nginx.conf", Path(folder))
        run("nginx", "-t", "-c", str(limited), package="nginx")
        return _nginx_with_tls(Path(folder))


def with_limit(file: Path, folder: Path) -> Path:
    """A copy in which the three lines that limit how often an address may ask are no comments."""
    limited, count = re.subn(r"(?m)^( +)#(?=[a-z])", r"\1", file.read_text())
    if count != 3:
        raise Failed(f"{file.name}: {count} lines of a limit, 3 are meant")
    made = folder / f"limited-{file.name}"
    made.write_text(limited)
    return made


def _nginx_with_tls(folder: Path) -> str:
    key, certificate = folder / "key.pem", folder / "fullchain.pem"
    run(
        *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"),
        *("-nodes", "-subj", "/CN=tools.example.com", "-days", "1"),
        *("-keyout", str(key), "-out", str(certificate)),
        package="openssl",
    )
    tls = (DEPLOY / "nginx-tls.conf").read_text()
    tls = tls.replace("/etc/toolcrib/tls", str(folder))
    version = run("nginx", "-v", package="nginx")
    if tuple(map(int, re.findall(r"/(\d+)\.(\d+)\.(\d+)", version)[0])) < (1, 25, 1):
        tls = tls.replace("listen 443 ssl;\n    http2 on;", "listen 443 ssl http2;")
    plain = (DEPLOY / "nginx.conf").read_text()
    whole = folder / "nginx.conf"
    whole.write_text(plain.replace("    server {\n", f"{tls}\n    server {{\n", 1))
    run("nginx", "-t", "-c", str(whole), package="nginx")
    return version.split(": ")[-1]


def haproxy() -> str:
    """`haproxy -c`, on the file as it is and with its limit."""
    run("haproxy", "-c", "-f", str(DEPLOY / "haproxy.cfg"), package="haproxy")
    with tempfile.TemporaryDirectory() as folder:
        limited = with_limit(DEPLOY / "haproxy.cfg", Path(folder))
        run("haproxy", "-c", "-f", str(limited), package="haproxy")
    return run("haproxy", "-v", package="haproxy").splitlines()[0].split(" - ")[0]


def systemd() -> str:
    """`systemd-analyze verify`, and how exposed the service is."""
    unit = DEPLOY / "toolcrib.service"
    with tempfile.TemporaryDirectory() as folder:
        # The program is installed where the service runs, not here.
        here = Path(folder) / unit.name
        here.write_text(unit.read_text().replace("/opt/toolcrib/bin/toolcrib", sys.executable))
        said = run("systemd-analyze", "verify", str(here), package="systemd")
    if said:
        raise Failed(said)
    told = run("systemd-analyze", "security", "--offline=true", str(unit), package="systemd")
    match = re.search(r"Overall exposure level for \S+: ([\d.]+)", told)
    if match is None or float(match[1]) > MOST_EXPOSURE:
        raise Failed(f"exposure {match[1] if match else '?'}, at most {MOST_EXPOSURE} is meant")
    return f"exposure {match[1]}"


def kubernetes() -> str:
    """`kubernetes-validate --strict` on every file, and what no schema asks for."""
    files = sorted(DEPLOY.glob("kubernetes/*.yaml"))
    tool = str(Path(sys.executable).parent / "kubernetes-validate")
    run(tool, "--strict", *map(str, files), package="kubernetes-validate (PyPI)")
    text = "".join(file.read_text() for file in files)
    for wanted in (
        "readinessProbe",
        "livenessProbe",
        "secretKeyRef",
        "readOnlyRootFilesystem: true",
    ):
        if wanted not in text:
            raise Failed(f"no {wanted}")
    if "preStop:" in text:
        raise Failed("a preStop hook: the drain of the server replaces it")
    return f"{len(files)} files"


def compose() -> str:
    """The schema of the compose specification."""
    try:
        from compose_viz.spec.compose_spec import ComposeSpecification
        from pydantic import ValidationError
    except ImportError:
        raise Failed("compose-viz is missing: pip install -r requirements-deploy.txt") from None
    import yaml

    document = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    known = {key: value for key, value in document.items() if not key.startswith("x-")}
    try:
        ComposeSpecification(**known)
    except ValidationError as error:
        raise Failed(str(error)) from None
    for name, service in known["services"].items():
        if name != "postgres" and not service.get("read_only"):
            raise Failed(f"{name} has a root file system that can be written to")
    return f"{len(known['services'])} services"


def dockerfile() -> str:
    """What the image must be: another user than root, no compiler in its last stage."""
    last = re.split(r"^FROM ", (DEPLOY / "Dockerfile").read_text(), flags=re.MULTILINE)[-1]
    user = re.search(r"^USER (\S+)", last, re.MULTILINE)
    if user is None or user[1].split(":")[0] in ("0", "root"):
        raise Failed("it runs as root")
    found = re.search(r"\b(gcc|g\+\+|build-essential|make|cargo|rustc)\b", last)
    if found:
        raise Failed(f"its last stage installs {found[1]}")
    for source, _ in _copied():
        if not source.exists():
            raise Failed(f"COPY {source.relative_to(ROOT)}: no such file")
    return f"user {user[1]}"


def _copied() -> list[tuple[Path, str]]:
    """What the image copies out of the checkout, and to where."""
    text = (DEPLOY / "Dockerfile").read_text()
    lines = re.findall(r"^COPY (?!--from)(.+) (\S+)$", text, re.MULTILINE)
    return [(ROOT / each, target) for sources, target in lines for each in sources.split()]


def image_sources() -> str:
    """The wheel of the image is built of what the image copies, and of nothing else."""
    with tempfile.TemporaryDirectory() as folder:
        for source, target in _copied():
            place = Path(folder, "source", target)
            place.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, place)
            else:
                if target.endswith("/"):
                    place.mkdir(exist_ok=True)
                shutil.copy(source, place)
        words = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", folder]
        done = subprocess.run([*words, f"{folder}/source"], capture_output=True, text=True)
        made = [each.name for each in Path(folder).glob("*.whl")]
        if done.returncode or not made:
            raise Failed(f"it cannot be built: {done.stderr.strip()[-300:]}")
        return made[0]


def image_command() -> str:
    """What the image starts, as its user, where nothing but /tmp can be written: `/livez` answers.

    The image itself needs an engine; its program, environment and command are the same here.
    """
    text = (DEPLOY / "Dockerfile").read_text()
    command = " ".join(json.loads(re.findall(r"^CMD (.+)$", text, re.MULTILINE)[-1]))
    user = re.findall(r"^USER (\d+):(\d+)$", text, re.MULTILINE)[-1]
    env = dict(re.findall(r"^    ((?:TOOLCRIB|XDG|PYTHON)\w+)=(\S+)", text, re.MULTILINE))
    env |= {"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin"}
    env |= {"TOOLCRIB_HTTP_TOKENS": "0" * 64, "TOOLCRIB_HTTP_DRAIN": "0"}
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    words = _read_only(*user)
    if subprocess.run([*words, "true"], capture_output=True, check=False).returncode:
        return NO_NAMESPACES
    words += ["--clearenv", "--chdir", str(ROOT / "examples" / "shop")]
    for name, value in env.items():
        words += ["--setenv", name, value]
    words += ["toolcrib", *command.replace("0.0.0.0:8321", f"127.0.0.1:{port}").split()]
    process = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)
    try:
        _wait_until_live(process, port)
    finally:
        process.terminate()
        process.wait(30)
    return command


def _read_only(user: str, group: str) -> list[str]:
    """Run what follows as this user, where nothing but /tmp can be written."""
    program = shutil.which("bwrap")
    if program is None:
        raise Failed("bwrap is missing: install bubblewrap")
    words = [program, "--unshare-user", "--uid", user, "--gid", group, "--unshare-pid"]
    words += ["--die-with-parent", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]
    words += ["--tmpfs", "/tmp"]  # noqa: S108
    for place in (ROOT, sys.prefix, sys.base_prefix):  # which may lie in /tmp themselves
        words += ["--ro-bind", str(place), str(place)]
    return words


def _wait_until_live(process: subprocess.Popen[str], port: int) -> None:
    end = time.monotonic() + 60
    while True:
        with contextlib.suppress(OSError):
            urllib.request.urlopen(f"http://127.0.0.1:{port}/livez", timeout=5).close()
            return
        if process.poll() is not None or time.monotonic() > end:
            process.kill()
            raise Failed(f"it does not start: {process.stderr.read() if process.stderr else ''}")
        time.sleep(0.1)


NO_NAMESPACES = "not run: this machine gives no name spaces to its users"
NOT_RUN = "an image is not built, compose and a cluster are not started: that needs an engine"


def replicas() -> str:
    """Two replicas behind nginx on one PostgreSQL, with every fault, for some seconds each."""
    said = run(
        *(sys.executable, str(ROOT / "benchmarks" / "replicas.py"), "--short"),
        package="postgresql, pgbouncer and nginx",
    )
    return said.splitlines()[-1]


FILES: list[Callable[[], str]] = [
    nginx,
    haproxy,
    systemd,
    kubernetes,
    compose,
    dockerfile,
    image_sources,
    image_command,
]


def main() -> int:
    """Run the checks and print one line each; 1 if any failed."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--files", action="store_true", help="without the run of replicas")
    checks = FILES if parser.parse_args().files else [*FILES, replicas]
    failed = 0
    for check in checks:
        try:
            print(f"✓ {check.__name__:<13} {check()}", flush=True)
        except Failed as error:
            failed += 1
            print(f"✗ {check.__name__:<13} {error}", flush=True)
    print(f"– not run: {NOT_RUN}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
