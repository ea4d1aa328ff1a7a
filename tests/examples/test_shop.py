"""U-2: the example is a real shop, and what its documents say of it is true."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

SHOP = Path(__file__).parents[2] / "examples" / "shop"
ADRS = sorted((SHOP / "mcp/resources/adr").glob("*.md"))

# ADR 0005 of the shop: who may import whom.
ALLOWED = {
    "handlers": {"handlers", "services", "dto", "domain"},
    "services": {"services", "repositories", "domain", "flags"},
    "repositories": {"repositories", "domain"},
    "dto": {"dto", "domain"},
    "domain": {"domain"},
}


def shop(*words: str, **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "shop", *words],
        cwd=SHOP,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **environ},
        capture_output=True,
        text=True,
        timeout=30,
    )


def test_the_shops_own_tests_pass():
    """U-2: examples/shop is runnable."""
    done = subprocess.run(
        [sys.executable, "-m", "unittest"], cwd=SHOP, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr


def test_the_command_answers_without_any_set_up(tmp_path):
    """U-2: the demo calls it on a fresh machine."""
    done = shop("orders", "list", "--status", "paid", "--format", "json")
    assert done.returncode == 0, done.stderr
    assert [row["number"] for row in json.loads(done.stdout)] == [1004, 1003]


def test_the_command_writes_once_there_is_a_database(tmp_path):
    """U-2: stock can be counted."""
    database = str(tmp_path / "shop.db")
    assert shop("init", SHOP_DATABASE=database).returncode == 0
    assert shop("stock", "count", "mug-ink", "9", SHOP_DATABASE=database).returncode == 0
    done = shop("stock", "list", "--format", "csv", SHOP_DATABASE=database)
    assert "mug-ink,Ink mug,9" in done.stdout


@pytest.mark.parametrize("layer", ALLOWED)
def test_imports_go_one_way(layer):
    """U-2: the code keeps the decision that it is an example of."""
    for file in (SHOP / "shop" / layer).glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("shop."):
                assert node.module.split(".")[1] in ALLOWED[layer], f"{file.name}: {node.module}"
            if isinstance(node, ast.Import) and layer != "repositories":
                assert "sqlite3" not in [name.name for name in node.names], file.name


def test_there_are_a_dozen_decisions_and_some_are_superseded():
    """U-2: decisions with a history."""
    assert len(ADRS) >= 12
    assert sum("Superseded by" in file.read_text() for file in ADRS) >= 3


@pytest.mark.parametrize("file", ADRS, ids=lambda file: file.stem[:4])
def test_decisions_link_to_decisions_that_are_there_and_link_back(file):
    """U-2: what supersedes is superseded by."""
    text = file.read_text()
    for target in re.findall(r"\]\((\d{4}-[^)]+\.md)\)", text):
        assert (file.parent / target).is_file()
    for word, back in (("Superseded by", "Supersedes"), ("Supersedes", "Superseded by")):
        for target in re.findall(rf"{word} \[[^\]]+\]\(([^)]+)\)", text):
            other = (file.parent / target).read_text()
            assert re.search(rf"{back} \[[^\]]+\]\({re.escape(file.name)}\)", other), target


def test_every_route_and_every_problem_is_in_the_documentation():
    """U-2: the guide's page on the API says what the code does."""
    page = (SHOP / "guide/docs/api.md").read_text()
    for method, path in re.findall(
        r'router\.add\("(\w+)", "([^"]+)"', (SHOP / "shop/app.py").read_text()
    ):
        assert f"{method} {path}" in page
    for slug in re.findall(r'slug = "([^"]+)"', (SHOP / "shop/domain/errors.py").read_text()):
        assert slug in page or slug == "shop-error"


def test_the_tools_are_commands_that_the_shop_has():
    """U-2: every tool of tools/shop.yaml runs with its defaults, or says what it misses."""
    import yaml

    for tool in yaml.safe_load((SHOP / "tools/shop.yaml").read_text())["tools"]:
        done = shop(*tool["command"].split(), "--help")
        assert done.returncode == 0, done.stderr
        for arg in tool["args"]:
            words = (
                arg.get("enum", [arg["name"]]) if arg.get("positional") else [f"--{arg['name']}"]
            )
            assert all(word in done.stdout for word in words), f"{tool['name']}: {words}"


def test_the_policy_fits_the_config():
    """U-2: a policy that names every tool but the one that only a person may use."""
    from toolcrib.packs.climax.config.config import load_configs
    from toolcrib.policy.check import check_policy
    from toolcrib.policy.reader import load_policy

    configs = load_configs(["tools/shop.yaml"], SHOP, strict=True).configs
    policy = load_policy(SHOP / "tools/policy.yaml")
    assert check_policy(policy, configs) == []
    refused = [tool.name for tool in configs[0].tools if policy.decide(tool.name) is None]
    assert refused == ["shop_orders_advance"]


def test_every_collection_finds_all_that_it_names(tmp_path):
    """U-2, G-1: the example's collections are whole, also where they name rules."""
    from toolcrib.packs.guide.content.content import ContentLibrary
    from toolcrib.packs.guide.settings import GuideSettings
    from toolcrib.packs.guide.state.factory import open_store

    library = ContentLibrary(SHOP, GuideSettings(), open_store(str(tmp_path / "guide.db")), "shop")
    for name in library.definitions().collections:
        assert library.select(name).missing == [], name
    assert "AGENTS.md" in [each.path for each in library.select("onboarding").documents]
