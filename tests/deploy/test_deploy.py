"""R-17: what stands in `deploy/` is checked by the programs that it is written for."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"


def checks():
    spec = importlib.util.spec_from_file_location("deploy_check", ROOT / "scripts/deploy_check.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


CHECKS = checks()


@pytest.mark.parametrize(
    ("name", "program"),
    [("nginx", "nginx"), ("haproxy", "haproxy"), ("systemd", "systemd-analyze")],
)
def test_a_configuration_is_taken_by_its_own_program(name, program):
    """R-17: nginx -t, haproxy -c, systemd-analyze verify and an exposure of at most 3.0."""
    if shutil.which(program) is None and shutil.which(program, path="/usr/sbin:/sbin") is None:
        pytest.skip(f"no {program} on this machine")
    assert getattr(CHECKS, name)()


def test_the_image_is_not_root_and_brings_no_compiler():
    """R-17: Dockerfile: non-root, no compiler; every file that it copies is there."""
    assert CHECKS.dockerfile() == "user 10001:10001"


def test_a_unit_that_is_more_exposed_is_found(tmp_path, monkeypatch):
    """R-17: the check can fail."""
    if shutil.which("systemd-analyze") is None:
        pytest.skip("no systemd-analyze on this machine")
    text = (DEPLOY / "toolcrib.service").read_text()
    (tmp_path / "toolcrib.service").write_text(
        re.sub(r"^(Protect|Private|System|Restrict|Capability|NoNew).*\n", "", text, flags=re.M)
    )
    monkeypatch.setattr(CHECKS, "DEPLOY", tmp_path)
    with pytest.raises(CHECKS.Failed, match="exposure"):
        CHECKS.systemd()


def test_nginx_has_one_upstream_one_listener_and_needs_no_other_file():
    """R-17: a whole file for `nginx -c`, plain HTTP; no replica is put aside while it restarts."""
    text = (DEPLOY / "nginx.conf").read_text()
    code = re.sub(r"#.*", "", text)
    assert len(re.findall(r"^\s*upstream ", code, re.MULTILINE)) == 1
    assert len(re.findall(r"^\s*listen ", code, re.MULTILINE)) == 1
    assert not re.search(r"^\s*(include|daemon|pid|user)\b", code, re.MULTILINE)
    servers = re.findall(r"^\s*server \S+:\d+([^;]*);", code, re.MULTILINE)
    assert len(servers) == 2
    assert all("max_fails=0" in each for each in servers)
    assert "non_idempotent" not in code  # a call is never sent twice


def test_no_file_holds_a_secret():
    """R-17: Secret references; the example of an environment is empty where it matters."""
    assert "DATABASE_PASSWORD=\n" in (DEPLOY / "example.env").read_text()
    for file in DEPLOY.rglob("*.yaml"):
        text = file.read_text()
        assert not re.search(r"(?i)(password|secret|token)\w*: *['\"]?[0-9a-f]{16,}", text)


def test_drain_and_grace_fit_into_what_the_platform_allows():
    """R-8, R-17: a replica is not killed while its calls still have time."""
    kubernetes = (DEPLOY / "kubernetes" / "deployment.yaml").read_text()
    allowed = int(re.search(r"terminationGracePeriodSeconds: (\d+)", kubernetes)[1])
    drain, grace = (
        float(re.search(rf'TOOLCRIB_HTTP_{name}, value: "(\d+)"', kubernetes)[1])
        for name in ("DRAIN", "GRACE")
    )
    assert drain + grace < allowed
    unit = (DEPLOY / "toolcrib.service").read_text()
    seconds = [
        float(re.search(rf"{name}=(\d+)", unit)[1])
        for name in ("TOOLCRIB_HTTP_DRAIN", "TOOLCRIB_HTTP_GRACE", "TimeoutStopSec")
    ]
    assert seconds[0] + seconds[1] < seconds[2]


@pytest.mark.slow
def test_two_replicas_survive_every_fault_without_a_lost_write():
    """R-17, FAULTS "Several machines": the short form of `make replicas`."""
    for program in ("nginx", "pgbouncer"):
        if shutil.which(program) is None and shutil.which(program, path="/usr/sbin") is None:
            pytest.skip(f"no {program} on this machine")
    if not list(Path("/usr/lib/postgresql").glob("*/bin/initdb")):
        pytest.skip("no PostgreSQL server binaries on this machine")
    done = subprocess.run(
        [sys.executable, "benchmarks/replicas.py", "--short"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert "acknowledged writes lost, refused writes that appeared: 0" in done.stdout
    assert done.returncode == 0, done.stdout + done.stderr
