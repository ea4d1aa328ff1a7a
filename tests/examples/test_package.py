"""U-2: what is installed from a wheel works, and its demo passes there."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PARTS = (
    "src",
    "examples",
    "docs",
    "tests",
    "pyproject.toml",
    "setup.py",
    "MANIFEST.in",
    "README.md",
)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel and an sdist, built from a copy so that the checkout stays clean."""
    folder = tmp_path_factory.mktemp("build")
    source = folder / "source"
    source.mkdir()
    for name in (*PARTS, "LICENSE"):
        part = ROOT / name
        ignored = shutil.ignore_patterns("__pycache__", "*.egg-info", "var")
        if part.is_dir():
            shutil.copytree(part, source / name, ignore=ignored)
        else:
            shutil.copy(part, source / name)
    code = (
        "import sys; from setuptools import build_meta as b; "
        f"b.build_sdist({str(folder)!r}); b.build_wheel({str(folder)!r})"
    )
    tools = folder / "tools"
    _run(
        sys.executable, "-m", "pip", "install", "-q", "--target", tools, "setuptools>=77", cwd=ROOT
    )
    _run(sys.executable, "-c", code, cwd=source, PYTHONPATH=str(tools))
    return folder


def test_the_wheel_has_the_manual_page_where_man_looks(built):
    """U-3: `man toolcrib` works after an install with pipx."""
    (wheel,) = built.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert [name for name in names if name.endswith("/data/share/man/man1/toolcrib.1")]


def test_the_wheel_has_the_example_with_its_dot_files(built):
    """U-2: toolcrib demo works after an install."""
    (wheel,) = built.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    shop = {name for name in names if name.startswith("toolcrib/examples/shop/")}
    for part in ("toolcrib.toml", ".cursor/rules/money.mdc", ".claude/skills/release/SKILL.md"):
        assert f"toolcrib/examples/shop/{part}" in shop
    assert not [name for name in names if "__pycache__" in name or name.startswith("tests")]


def test_the_sdist_can_build_the_same_wheel(built):
    """U-2: the source distribution is whole."""
    (archive,) = built.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        names = {name.partition("/")[2] for name in opened.getnames()}
    assert {"setup.py", "pyproject.toml", "examples/shop/toolcrib.toml"} <= names


def test_the_demo_passes_where_the_wheel_is_installed(built, tmp_path):
    """U-2: version 0.1.0 installs in a clean environment, and its demo passes there."""
    (wheel,) = built.glob("*.whl")
    venv = tmp_path / "venv"
    _run(sys.executable, "-m", "venv", "--without-pip", venv, cwd=tmp_path)
    python = venv / "bin" / "python"
    _run(
        *(sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-deps", wheel),
        cwd=tmp_path,
    )
    # The dependencies are those of the tests; only toolcrib itself is the installed one.
    engine = Path(sysconfig.get_path("scripts"), "ast-grep")
    (venv / "bin" / engine.name).symlink_to(engine)
    there = {"PYTHONPATH": sysconfig.get_path("purelib"), "PYTHONNOUSERSITE": "1"}
    found = _run(python, "-c", "import toolcrib; print(toolcrib.__file__)", cwd=tmp_path, **there)
    assert str(venv) in found
    text = _run(venv / "bin" / "toolcrib", "demo", cwd=tmp_path, **there)
    assert "11/11  Your turn" in text


def _run(*argv: object, cwd: Path, **environ: str) -> str:
    done = subprocess.run(
        list(map(str, argv)),
        cwd=cwd,
        env={**os.environ, **environ},
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
