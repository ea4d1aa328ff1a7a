"""R-17: what stands in `deploy/` is checked by the programs that it is written for."""

from __future__ import annotations

import argparse
import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support.databases import free_port, wait_for_port

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"


def module_of(path):
    spec = importlib.util.spec_from_file_location(Path(path).stem, ROOT / path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


CHECKS = module_of("scripts/deploy_check.py")


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


def test_the_image_is_built_of_what_it_copies(tmp_path, monkeypatch):
    """R-17: the Dockerfile copies all that the wheel is made of, and the check can fail."""
    assert CHECKS.image_sources().startswith("toolcrib-")
    text = (DEPLOY / "Dockerfile").read_text().replace("COPY examples/shop examples/shop\n", "")
    (tmp_path / "Dockerfile").write_text(text)
    monkeypatch.setattr(CHECKS, "DEPLOY", tmp_path)
    with pytest.raises(CHECKS.Failed, match="examples/shop"):
        CHECKS.image_sources()


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


def test_haproxy_starts_with_the_descriptors_that_this_machine_allows(tmp_path):
    """R-17: the file is started, not only checked: `haproxy -c` asks for no descriptors."""
    program = shutil.which("haproxy") or shutil.which("haproxy", path="/usr/sbin:/sbin")
    if program is None:
        pytest.skip("no haproxy on this machine")
    port = free_port()
    text = (DEPLOY / "haproxy.cfg").read_text().replace("bind :8080", f"bind 127.0.0.1:{port}")
    (tmp_path / "haproxy.cfg").write_text(text)
    process = subprocess.Popen([program, "-f", str(tmp_path / "haproxy.cfg")])
    try:
        wait_for_port(port)
        assert process.poll() is None
    finally:
        process.terminate()
        process.wait(10)


def test_no_request_is_refused_for_how_often_its_address_asks_unless_somebody_says_so(tmp_path):
    """FAULTS: 0 errors behind the file as it is, also where all clients have one address; R-15:
    rates are the proxy's work, by a recipe that it takes."""
    for name in ("nginx.conf", "haproxy.cfg"):
        code = re.sub(r"(?m)^\s*#.*", "", (DEPLOY / name).read_text())
        assert "limit_req" not in code and "deny_status 429" not in code
        assert "429" in CHECKS.with_limit(DEPLOY / name, tmp_path).read_text()


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


def test_the_run_of_replicas_fails_for_a_lost_write_and_for_an_error_in_peace(capsys):
    """R-17, FAULTS "Several machines": `make replicas-short`, which CI runs alone, can fail."""
    replicas = module_of("benchmarks/replicas.py")
    options = argparse.Namespace(replicas=2, clients=8)

    def verdict(phase: str, count: str, broken: str = "") -> int:
        ledger = replicas.Ledger()
        ledger.begin(phase)
        ledger.now.counts[count] += 1
        ledger.broken += [broken] if broken else []
        return replicas.report(ledger, options)

    assert verdict("rolling restart", "http") == verdict("quiet", "plain errors") == 1
    assert verdict("kill -9 of one replica", "http") == verdict("quiet", "calls") == 0
    assert verdict("kill -9 of one replica", "http", "x was acknowledged, y is there") == 1
    assert "x was acknowledged, y is there" in capsys.readouterr().out
    assert "make replicas-short" in (ROOT / ".ci" / "run").read_text()


def test_the_image_s_own_command_starts_where_nothing_can_be_written():
    """R-17: another user than root, a read-only root file system; `/livez` answers."""
    if shutil.which("bwrap") is None:
        pytest.skip("no bubblewrap on this machine")
    said = CHECKS.image_command()
    if said == CHECKS.NO_NAMESPACES:
        pytest.skip(said)
    assert said == "serve --http 0.0.0.0:8321 --log-json"
