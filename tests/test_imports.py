"""What modules import, also inside of functions: no cycles, nothing undeclared, no pack by name."""

from __future__ import annotations

import ast
import importlib.metadata
import re
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

import toolcrib

SOURCE = Path(toolcrib.__file__).parent
PROJECT = Path(__file__).parents[1]


def name_of(path: Path) -> str:
    parts = ("toolcrib", *path.relative_to(SOURCE).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {name_of(path): path for path in sorted(SOURCE.rglob("*.py"))}


def for_types_only(tree: ast.AST) -> set[int]:
    """What stands below `if TYPE_CHECKING:` is never executed."""
    return {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")
        for statement in node.body
        for inner in ast.walk(statement)
    }


def imported(path: Path) -> Iterator[str]:
    """Every module that is imported when everything in it has been used once."""
    tree = ast.parse(path.read_text())
    unused = for_types_only(tree)
    for node in ast.walk(tree):
        if id(node) in unused:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                yield full if full in MODULES else node.module


GRAPH = {
    name: {other for other in imported(path) if other in MODULES and other != name}
    for name, path in MODULES.items()
}


def cycle(graph: dict[str, set[str]]) -> list[str]:
    """One cycle of a graph, or nothing."""
    done: set[str] = set()

    def visit(name: str, way: list[str]) -> list[str]:
        if name in way:
            return [*way[way.index(name) :], name]
        if name in done:
            return []
        for other in sorted(graph[name]):
            found = visit(other, [*way, name])
            if found:
                return found
        done.add(name)
        return []

    return next((found for name in sorted(graph) if (found := visit(name, []))), [])


def test_no_lazy_import_hides_a_cycle() -> None:
    """HOUSE: modules stand in an order, whether they import at the top or in a function."""
    assert cycle({"a": {"b"}, "b": {"c"}, "c": {"a"}}) == ["a", "b", "c", "a"]
    assert cycle(GRAPH) == []


@pytest.mark.parametrize("name", [name for name in MODULES if name.startswith("toolcrib.server")])
def test_the_server_knows_no_pack_by_name(name: str) -> None:
    """HOUSE: packs are found by their settings; the server imports none."""
    packs = {path.name for path in (SOURCE / "packs").iterdir() if path.is_dir()}
    for other in imported(MODULES[name]):
        assert not other.startswith("toolcrib.packs."), f"{name} imports {other}"
    tree = ast.parse(MODULES[name].read_text())
    texts = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    assert not {text for text in texts if isinstance(text, str)} & (packs - {"__pycache__"})


def declared() -> set[str]:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]
    wanted = [*project["dependencies"]]
    for extra in project["optional-dependencies"].values():
        wanted += extra
    return {re.split(r"[^\w.-]", line, maxsplit=1)[0].lower().replace("_", "-") for line in wanted}


def test_what_is_imported_is_declared() -> None:
    """HOUSE: nothing is used that only happens to be installed with something else."""
    owners = importlib.metadata.packages_distributions()
    used = defaultdict(set)
    for name, path in MODULES.items():
        for other in imported(path):
            used[other.split(".")[0]].add(name)
    others = set(used) - set(sys.stdlib_module_names) - {"toolcrib"}
    for package in {name for name in others if not name.startswith("_")}:  # of another Python
        owned_by = {owner.lower().replace("_", "-") for owner in owners.get(package, [package])}
        assert owned_by & declared(), f"{package}, imported by {sorted(used[package])}"


@pytest.mark.parametrize("name", MODULES)
def test_blocking_code_runs_in_one_place(name: str) -> None:
    """HOUSE: core/support/workers, whose threads hold up neither each other nor the exit."""
    calls = {
        node.attr for node in ast.walk(ast.parse(MODULES[name].read_text()))
        if isinstance(node, ast.Attribute)
    }  # fmt: skip
    assert not calls & {"to_thread", "run_in_executor", "ThreadPoolExecutor"}


def test_a_word_names_one_class() -> None:
    """HOUSE: one name for one thing; a name with an underscore is its module's own affair."""
    homes = defaultdict(list)
    for name, path in MODULES.items():
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes[node.name].append(name)
    assert not {word: found for word, found in homes.items() if len(found) > 1}
