"""The import guard: a file of the project that nobody has trusted is not imported."""

from __future__ import annotations

import py_compile
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

SETTINGS = '[custom]\nmodules = ["mine.py"]\n'
MODULE = '''
import importlib, importlib.util, sys
from toolcrib import Result, ToolArguments

class Way(ToolArguments):
    """A way to import."""

@ToolArguments.declare
def load(args: Way) -> Result[str]:
    """Import something that was not there."""
    try:
        {way}
        return Result.ok("imported")
    except ImportError as error:
        return Result.ok(str(error))
'''


def _source(repo: Path) -> None:
    (repo / "late.py").write_text("X = 1\n")


def _package(repo: Path) -> None:
    (repo / "late").mkdir()
    (repo / "late" / "__init__.py").write_text("X = 1\n")


def _bytecode(repo: Path) -> None:
    (repo / "source.txt").write_text("X = 1\n")
    py_compile.compile(str(repo / "source.txt"), cfile=str(repo / "late.pyc"))


def _archive(repo: Path) -> None:
    with zipfile.ZipFile(repo / "late.zip", "w") as archive:
        archive.writestr("late.py", "X = 1\n")


BY_NAME = "importlib.import_module('late')"
BY_PLACE = (
    "spec = importlib.util.spec_from_file_location('late', __file__.replace('mine', 'late')); "
    "module = importlib.util.module_from_spec(spec); spec.loader.exec_module(module)"
)
BY_ARCHIVE = "sys.path.insert(0, __file__.replace('mine.py', 'late.zip')); import late"
WAYS: dict[str, tuple[str, Callable[[Path], None], str]] = {
    "by name": (BY_NAME, _source, "late.py"),
    "as a package": (BY_NAME, _package, "late/__init__.py"),
    "by its place": (BY_PLACE, _source, "late.py"),
    "bytecode": (BY_NAME, _bytecode, "late.pyc"),
    "an archive": (BY_ARCHIVE, _archive, "late.zip"),
}


def _toolcrib(repo: Path, *words: str, python: str = sys.executable) -> str:
    command = [python, "-m", "toolcrib", *words]
    done = subprocess.run(command, cwd=repo, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("TOOLCRIB_TRUST", "CLAUDECODE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TOOLCRIB_STATE", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path


@pytest.mark.parametrize("way", WAYS)
def test_what_is_not_in_the_record_is_not_imported(alone: Path, way: str) -> None:
    """T-2: however a trusted module tries, with the words that name the file."""
    code, make, name = WAYS[way]
    repo = alone / "repo"
    repo.mkdir()
    (repo / "toolcrib.toml").write_text(SETTINGS)
    (repo / "mine.py").write_text(MODULE.format(way=code))
    _toolcrib(repo, "trust", "--yes")
    make(repo)
    assert f"{name} is not trusted: toolcrib trust" in _toolcrib(repo, "call", "load")


def test_a_project_below_the_environment_is_guarded_too(alone: Path) -> None:
    """T-2: `/usr/src/app` lies below the prefix of the system's Python, and is a project."""
    environment = alone / "environment"
    make = [sys.executable, "-m", "venv", "--without-pip", str(environment)]
    subprocess.run(make, check=True)
    site = next(environment.glob("lib/python*/site-packages"))
    own = [path for path in sys.path if path.endswith(("site-packages", "src"))]
    (site / "all.pth").write_text("\n".join(own))
    repo = environment / "src" / "app"
    repo.mkdir(parents=True)
    (repo / "toolcrib.toml").write_text(SETTINGS)
    (repo / "mine.py").write_text(MODULE.format(way=BY_NAME))
    python = str(environment / "bin" / "python")
    _toolcrib(repo, "trust", "--yes", python=python)
    _source(repo)
    told = _toolcrib(repo, "call", "load", python=python)
    assert "late.py is not trusted: toolcrib trust" in told
