"""Where acting files lie, or would appear."""

from __future__ import annotations

from pathlib import Path

from toolcrib.policy.repository.acting_places import acting_places


def names(project: Path) -> list[str]:
    return [str(Path(path).relative_to(project)) for path in acting_places(project)]


def test_places_of_an_empty_repository_are_known(tmp_path: Path) -> None:
    """T-14: settings, servers and policies, before there is any."""
    found = names(tmp_path)
    assert {"toolcrib.toml", "mcp/servers.json", "climax/policy.yaml", "tools/policy.yml"} <= set(
        found
    )
    assert len(found) == len(set(found))


def test_configs_and_policies_of_any_name_are_places(tmp_path: Path) -> None:
    """T-14, T-5: also what looks like a policy; other files of a folder of tools are not."""
    for name, text in {
        ".climax/x.yml": "a: 1",
        "tools/Policies.json": "{}",
        "tools/config.yaml": "command: x\ntools:\n  - a\n",
        "tools/other.yaml": "a: 1",
        "tools/x.py": "",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    found = set(names(tmp_path))
    assert {".climax/x.yml", "tools/Policies.json", "tools/config.yaml"} <= found
    assert not {"tools/other.yaml", "tools/x.py"} & found
