"""Findings as SARIF 2.1.0, the format in which code hosts show them beside the code."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from toolcrib.core.errors import ConfigError

if TYPE_CHECKING:
    from toolcrib.packs.architecture.patterns.check import CheckFinding

JSON = dict[str, Any]

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_ROOT = "PROJECT"


def sarif_log(
    findings: Sequence[CheckFinding], problems: Sequence[ConfigError], version: str
) -> JSON:
    """One run with all findings; what is wrong with the rules themselves are notifications."""
    rules = list(dict.fromkeys(finding.name for finding in findings))
    described = {finding.name: _rule(finding) for finding in findings}
    driver: JSON = {
        "name": "toolcrib",
        "version": version,
        "rules": [described[name] for name in rules],
    }
    run: JSON = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {_ROOT: {"description": {"text": "The root of the repository."}}},
        "invocations": [
            {
                "executionSuccessful": not problems,
                "toolConfigurationNotifications": [_notification(each) for each in problems],
            }
        ],
        "results": [_result(finding, rules.index(finding.name)) for finding in findings],
    }
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(finding: CheckFinding) -> JSON:
    rule: JSON = {
        "id": finding.name,
        "shortDescription": {"text": finding.violation.description},
        "defaultConfiguration": {"level": finding.violation.severity},
    }
    if finding.note:
        rule["help"] = {"text": finding.note}
    return rule


def _result(finding: CheckFinding, index: int) -> JSON:
    violation = finding.violation
    result: JSON = {
        "ruleId": finding.name,
        "ruleIndex": index,
        "level": violation.severity,
        "message": {"text": violation.description},
        "locations": [{"physicalLocation": _place(finding)}],
        "partialFingerprints": {"toolcrib/v1": _fingerprint(finding)},
    }
    if violation.fix and violation.end_line:
        result["fixes"] = [_fix(finding)]
    return result


def _artifact(file: str) -> JSON:
    return {"uri": quote(file), "uriBaseId": _ROOT}


def _place(finding: CheckFinding) -> JSON:
    place: JSON = {"artifactLocation": _artifact(finding.file)}
    region = _region(finding)
    if region:
        if finding.violation.snippet:
            region["snippet"] = {"text": finding.violation.snippet}
        place["region"] = region
    return place


def _region(finding: CheckFinding) -> JSON:
    violation = finding.violation
    members = {
        "startLine": violation.line,
        "startColumn": violation.column,
        "endLine": violation.end_line,
        "endColumn": violation.end_column,
    }
    return {name: value for name, value in members.items() if value is not None}


def _fix(finding: CheckFinding) -> JSON:
    replacement = {
        "deletedRegion": _region(finding),
        "insertedContent": {"text": finding.violation.fix},
    }
    change = {"artifactLocation": _artifact(finding.file), "replacements": [replacement]}
    return {"artifactChanges": [change]}


def _fingerprint(finding: CheckFinding) -> str:
    """The same for the same finding when the lines above it have changed."""
    parts: Iterable[str] = (finding.name, finding.file, finding.violation.snippet or "")
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:32]


def _notification(problem: ConfigError) -> JSON:
    notification: JSON = {"level": "error", "message": {"text": problem.what}}
    if problem.where:
        place: JSON = {"artifactLocation": _artifact(problem.where.file)}
        if problem.where.line:
            place["region"] = {"startLine": problem.where.line}
        notification["locations"] = [{"physicalLocation": place}]
    return notification
