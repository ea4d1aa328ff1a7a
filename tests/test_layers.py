"""The layers: who may know whom, and what start-up may cost."""

from __future__ import annotations

import ast
import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import toolcrib
from support.unmeasured import unmeasured

SOURCE = Path(toolcrib.__file__).parent


def layers() -> ModuleType:
    """The script that draws the layers; their order is written down there alone."""
    file = Path(__file__).parents[1] / "scripts" / "layers.py"
    spec = importlib.util.spec_from_file_location("layers", file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


ORDER = layers().ORDER
MODULES = sorted(SOURCE.rglob("*.py"))


def imports(module: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(module.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{module}: relative import"
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def layer(name: str) -> int | None:
    parts = name.split(".")
    if parts[0] != "toolcrib" or len(parts) < 2 or parts[1] not in ORDER:
        return None
    return ORDER.index(parts[1])


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_layer_knows_only_those_to_its_left(module: Path) -> None:
    """HOUSE: a layer imports only what stands before it in the order; never back."""
    own = layer(".".join(("toolcrib", *module.relative_to(SOURCE).with_suffix("").parts)))
    if own is None:
        return
    for name in imports(module):
        other = layer(name)
        assert other is None or other <= own, f"{module.name} imports {name}"


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_mcp_is_imported_in_one_place_only(module: Path) -> None:
    """ARCHITECTURE: `mcp` speaks to other servers, in `client/`, and is used nowhere else."""
    if module.relative_to(SOURCE).parts[0] != "client":
        assert not {name.split(".")[0] for name in imports(module)} & {"mcp", "mcp_types"}


@pytest.mark.parametrize(
    "pack", ["directive", "architecture", "guide", "climax", "gateway", "custom"]
)
def test_packs_never_import_each_other(pack: str) -> None:
    """ARCHITECTURE: packs never import each other."""
    for module in (SOURCE / "packs" / pack).rglob("*.py"):
        for name in imports(module):
            parts = name.split(".")
            if parts[:2] == ["toolcrib", "packs"] and len(parts) > 2:
                assert parts[2] == pack, f"{module} imports {name}"


def loaded_by(*words: str) -> set[str]:
    code = (
        "import sys, toolcrib.cli\n"
        f"try: toolcrib.cli.main({list(words)!r})\n"
        "except SystemExit: pass\n"
        "print(*{name.split('.')[0] for name in sys.modules}, file=sys.stderr)"
    )
    words = [sys.executable, "-c", code]
    done = subprocess.run(words, capture_output=True, text=True, check=True, env=unmeasured())
    return set(done.stderr.split())


def test_the_version_is_printed_without_loading_anything() -> None:
    """U-1, ARCHITECTURE: `toolcrib --version` imports neither `mcp` nor pydantic."""
    heavy = {
        "mcp",
        "pydantic",
        "asyncio",
        "argparse",
        "yaml",
        "jsonschema_rs",
        "re2",
        "dataclasses",
    }
    assert not loaded_by("--version") & heavy


def test_the_public_face_is_sorted_small_and_real() -> None:
    """ARCHITECTURE: what tool authors import, at most 30 names, each of them there."""
    names = toolcrib.__all__
    assert names == sorted(names) and len(names) <= 30
    for name in names:
        assert getattr(toolcrib, name) is not None
    assert set(dir(toolcrib)) == set(names)
    with pytest.raises(AttributeError, match="nothing_here"):
        _ = toolcrib.nothing_here


def test_the_picture_of_the_layers_is_not_stale() -> None:
    """HOUSE: drawn from the packages and their docstrings: make pictures."""
    assert layers().TARGET.read_text() == layers().picture()


def test_every_package_is_a_layer() -> None:
    """HOUSE: nothing stands outside of the order."""
    found = {path.parent.name for path in SOURCE.glob("*/__init__.py")}
    found |= {path.stem for path in SOURCE.glob("*.py")} - {"__init__", "__main__"}
    assert found <= set(ORDER)
