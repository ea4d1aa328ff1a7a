"""D-2 … D-4, D-7: files, bundles, layouts, and what lies outside."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from toolcrib.core.errors import FileRefused, FileUnreadable
from toolcrib.files.root import Root, RootUnavailable
from toolcrib.packs.directive.bundles import (
    build_template_bundle,
    list_directive_files,
    list_templates,
    open_root,
    read_directive_file,
)


def test_a_bundle_holds_everything_that_drafting_needs(root: Root) -> None:
    """D-2: primer, procedure, context, template, resources."""
    assert build_template_bundle(root, "spec_template.md") == {
        "primer": "Do not write code until the TDR is approved.",
        "agentOperatingProcedure": {
            "path": "directive/agent_operating_procedure.md",
            "content": "# Procedure\n\nDo not write code until the TDR is approved.\n",
        },
        "agentContext": {
            "path": "directive/agent_context.md",
            "content": "\ufeff# Context\r\n\tok \r\n",
        },
        "template": {"path": "directive/templates/spec_template.md", "content": "# spec\n"},
        "resources": [
            {"path": "directive/agent_operating_procedure.md"},
            {"path": "directive/agent_context.md"},
            {"path": "directive/templates/spec_template.md"},
        ],
    }


def test_the_reference_layout_works_alone(project: Path, root: Root) -> None:
    """D-4: the same files under `directive/reference/`."""
    folder = project / "directive"
    folder.rename(project / "moved")
    folder.mkdir()
    (project / "moved").rename(folder / "reference")
    bundle = build_template_bundle(root, "tdr_template.md")
    assert [each["path"] for each in bundle["resources"]] == [
        "directive/reference/agent_operating_procedure.md",
        "directive/reference/agent_context.md",
        "directive/reference/templates/tdr_template.md",
    ]


def test_reference_wins_where_both_have_a_file(project: Path, root: Root) -> None:
    """D-4: `reference/` wins where both exist; what it lacks comes from the other."""
    reference = project / "directive" / "reference" / "templates"
    reference.mkdir(parents=True)
    (reference / "spec_template.md").write_text("# better\n")
    bundle = build_template_bundle(root, "spec_template.md")
    assert bundle["template"]["content"] == "# better\n"
    assert bundle["agentContext"]["path"] == "directive/agent_context.md"
    assert list_templates(root) == [
        "directive/reference/templates/spec_template.md",
        "directive/templates/impact_template.md",
        "directive/templates/tdr_template.md",
    ]


def test_a_team_s_own_template_makes_a_bundle_too(project: Path, root: Root) -> None:
    """D-8: `bundle NAME` takes any template."""
    (project / "directive" / "templates" / "rfc_template.md").write_text("# rfc\n")
    bundle = build_template_bundle(root, "rfc_template.md")
    assert bundle["template"]["content"] == "# rfc\n"


@pytest.mark.parametrize(
    ("name", "cure"),
    [("agent_operating_procedure.md", "directive update"), ("agent_context.md", "directive init")],
)
def test_a_missing_part_is_named_with_its_cure(
    project: Path, root: Root, name: str, cure: str
) -> None:
    """D-5: what is missing, and the command that restores it."""
    (project / "directive" / name).unlink()
    with pytest.raises(FileUnreadable) as caught:
        build_template_bundle(root, "spec_template.md")
    assert f"Missing file: directive/{name}" in str(caught.value)
    assert cure in str(caught.value)


@pytest.mark.parametrize(
    "path",
    [
        "secret.md",
        "directive/../secret.md",
        "../secret.md",
        "directive/templates/../../secret.md",
        "{project}/secret.md",
        "{project}/directive/agent_context.md",
        "directive_evil/x.md",
        "directive%2fagent_context.md",
        "directive/agent_context.md\0",
        "directive/",
        "directive",
        "",
        "directive/link.md",
        "directive/link/secret.md",
        "Directive/agent_context.md",
    ],
)
def test_what_lies_outside_has_the_words_of_what_is_missing(
    project: Path, root: Root, path: str
) -> None:
    """D-7, D-5: paths strictly below `directive/`; the same words for missing and outside."""
    (project / "directive" / "link.md").symlink_to("../secret.md")
    (project / "directive" / "link").symlink_to("..")
    (project / "directive_evil").mkdir()
    (project / "directive_evil" / "x.md").write_text("secret")
    path = path.replace("{project}", str(project))
    with pytest.raises(FileRefused) as caught:
        read_directive_file(root, path)
    assert str(caught.value).startswith(f"No such file: {path}. ")


def test_a_harmless_spelling_is_understood(root: Root) -> None:
    assert read_directive_file(root, "./directive/agent_context.md")["path"] == (
        "directive/agent_context.md"
    )


def test_when_nothing_is_near_the_list_is_pointed_to(root: Root) -> None:
    with pytest.raises(FileRefused, match=r"directive/files\.list"):
        read_directive_file(root, "ZZZ")


def test_a_directive_folder_that_leads_out_of_the_repo_is_unavailable(
    project: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """D-7: the folder itself may be a hostile link."""
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "agent_context.md").write_text("secret")
    (project / "directive").rename(project / "real")
    (project / "directive").symlink_to(elsewhere)
    with pytest.raises(RootUnavailable, match="toolcrib directive init"):
        list_directive_files(open_root(project))
    (project / "directive").unlink()
    (project / "directive").symlink_to("real")
    assert read_directive_file(open_root(project), "directive/templates/tdr_template.md")


def test_nothing_is_ever_written(project: Path, root: Root) -> None:
    """D-7: strictly read-only."""

    def state() -> dict[str, tuple[int, int]]:
        return {
            str(path): (path.stat().st_mtime_ns, path.stat().st_ctime_ns)
            for path in project.rglob("*")
        }

    before = state()
    list_directive_files(root)
    build_template_bundle(root, "spec_template.md")
    assert state() == before


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text() | st.text(alphabet="./directv", max_size=30).map("directive/".__add__))
def test_any_path_is_a_file_of_the_folder_or_refused(root: Root, path: str) -> None:
    """D-7: whatever is asked for."""
    try:
        found = read_directive_file(root, path)
    except (FileRefused, FileUnreadable):
        return
    assert found["path"] in list_directive_files(root)
