"""A repository with a `directive/` folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolcrib.files.root import Root
from toolcrib.packs.directive.bundles import open_root

PROCEDURE = "# Procedure\n\nDo not write code until the TDR is approved.\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The plain layout, with a secret outside of `directive/`."""
    templates = tmp_path / "directive" / "templates"
    templates.mkdir(parents=True)
    for name in ("spec", "impact", "tdr"):
        (templates / f"{name}_template.md").write_text(f"# {name}\n")
    (tmp_path / "directive" / "agent_operating_procedure.md").write_text(PROCEDURE)
    (tmp_path / "directive" / "agent_context.md").write_bytes(b"\xef\xbb\xbf# Context\r\n\tok \r\n")
    (tmp_path / "secret.md").write_text("secret")
    return tmp_path


@pytest.fixture
def root(project: Path) -> Root:
    return open_root(project)
