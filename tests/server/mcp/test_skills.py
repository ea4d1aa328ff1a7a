"""`skills/list` and `skills/get` over the skills of all packs."""

from __future__ import annotations

from support.pipe import Pipe, toolcrib


def test_where_no_pack_has_skills_the_methods_are_unknown(tmp_path) -> None:
    """G-6: the extension is declared only where it is there."""
    with Pipe(toolcrib("serve", "directive", "--project", str(tmp_path))) as pipe:
        about = pipe.result("server/discover", modern=True)
        assert "extensions" not in about["capabilities"]
        assert pipe.error("skills/list", modern=True)["code"] == -32601
        assert (
            pipe.error("skills/get", {"uri": "skill://a/SKILL.md"}, modern=True)["code"] == -32601
        )


def test_a_wrong_cursor_or_no_uri_is_an_invalid_parameter(tmp_path) -> None:
    """G-6: as for the other lists."""
    with Pipe(toolcrib("serve", "guide", "--project", str(tmp_path))) as pipe:
        assert pipe.result("skills/list", modern=True)["skills"] == []
        assert pipe.error("skills/list", {"cursor": "?"}, modern=True)["code"] == -32602
        assert pipe.error("skills/get", modern=True)["code"] == -32602
