"""The tools of one server, as search sees them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from packs.gateway.conftest import Project, odd


def test_a_group_says_what_it_has_and_when_it_became_another(
    project: Project, tmp_path: Path
) -> None:
    """X-6: name, category mcp, labels as tags, the first sentence of the instructions."""
    state = tmp_path / "suffix"
    project.write(
        odd=odd({"labels": ["private"], "env": {"ODD_STATE": str(state)}, "changes": "allow"})
    )

    async def work(pack: Any) -> Any:
        await pack.servers.seen("odd")
        (group,) = pack.contribute().unlisted.groups
        texts, entry, stamp = list(group.texts()), group.entry("odd__t0").as_dict(), group.stamp
        await pack.servers.refresh("odd")
        same = group.stamp == stamp
        state.write_text(" anew")
        await pack.servers.refresh("odd")
        return texts, entry, same, group.stamp == stamp, group.description, "odd__t1" in group

    texts, entry, same, after, description, has = project.run(work)
    assert [text.name for text in texts] == ["odd__t0", "odd__t1"] and has
    assert texts[0].tags == ("private",) and texts[0].category == "mcp"
    assert entry["cli_name"] == "odd" and entry["category"] == "mcp"
    assert entry["tags"] == ["private"] and description == "Odd things."
    assert same is True and after is False


def test_a_description_is_cut_for_search_and_its_hidden_characters_are_gone(
    project: Project,
) -> None:
    """X-22: at most 4,096 characters; no zero-width or bidi characters."""
    text = "a\u200bb\u202e" + "x" * 5000
    project.write(odd=odd(extra={"description": text}))

    async def work(pack: Any) -> tuple[str, str]:
        await pack.servers.seen("odd")
        (group,) = pack.contribute().unlisted.groups
        whole = pack.contribute().unlisted.get("odd__t0").description
        return group.entry("odd__t0").description, whole

    shown, whole = project.run(work)
    assert len(shown) == 4096 and shown.startswith("abx") and len(whole) == 5002
