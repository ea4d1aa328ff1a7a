"""D-6: the methods of older clients."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from toolcrib.core.errors import InvalidParams, MethodFailed
from toolcrib.packs.directive.bundles import build_template_bundle, open_root
from toolcrib.packs.directive.methods import make_methods
from toolcrib.packs.directive.pack import DirectivePack
from toolcrib.packs.directive.settings import DirectiveSettings


def ask(project: Path, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
    async def scenario() -> dict[str, Any]:
        return await make_methods(open_root(project), 1_000_000)[method](params or {})

    return asyncio.run(scenario())


def test_the_methods_keep_their_names(project: Path) -> None:
    """D-6: custom JSON-RPC methods stay."""
    methods = DirectivePack(project, DirectiveSettings()).contribute().methods
    assert sorted(methods) == [
        "directive.file.get",
        "directive.files.list",
        "impact.template",
        "spec.template",
        "tdr.template",
    ]


def test_they_answer_the_bare_objects(project: Path) -> None:
    """D-6: answering the bare objects of D-2."""
    assert len(ask(project, "directive.files.list")["files"]) == 5
    path = "directive/templates/tdr_template.md"
    assert ask(project, "directive.file.get", {"path": path}) == {
        "path": path,
        "content": "# tdr\n",
    }
    for word in ("spec", "impact", "tdr"):
        expected = build_template_bundle(open_root(project), f"{word}_template.md")
        assert ask(project, f"{word}.template") == expected


@pytest.mark.parametrize("path", ["directive/nope.md", "secret.md", "directive/../secret.md"])
def test_a_missing_file_and_a_path_outside_are_1001(project: Path, path: str) -> None:
    """D-6: missing file, and a path outside: code 1001."""
    with pytest.raises(MethodFailed) as caught:
        ask(project, "directive.file.get", {"path": path})
    assert caught.value.rpc_code == 1001
    assert str(caught.value).startswith(f"No such file: {path}")


def test_a_missing_template_is_1001(project: Path) -> None:
    """D-6: missing template: code 1001."""
    (project / "directive" / "templates" / "spec_template.md").unlink()
    with pytest.raises(MethodFailed, match="directive update") as caught:
        ask(project, "spec.template")
    assert caught.value.rpc_code == 1001


def test_a_missing_folder_is_1001(tmp_path: Path) -> None:
    """D-6: missing folder: code 1001."""
    for method in ("directive.files.list", "tdr.template"):
        with pytest.raises(MethodFailed, match="toolcrib directive init") as caught:
            ask(tmp_path, method)
        assert caught.value.rpc_code == 1001


@pytest.mark.parametrize(
    ("params", "text"),
    [
        ({}, "Missing required parameter 'path': expected a string"),
        ({"path": 7}, "Parameter 'path' must be a string, got int"),
    ],
)
def test_wrong_parameters_are_the_caller_s_to_correct(
    project: Path, params: dict[str, Any], text: str
) -> None:
    with pytest.raises(InvalidParams, match=text):
        ask(project, "directive.file.get", params)
