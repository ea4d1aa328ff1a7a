from __future__ import annotations

from pathlib import Path

import pytest

from toolcrib.files.root import Root
from toolcrib.packs.guide.content import answers
from toolcrib.packs.guide.errors import InvalidValue
from toolcrib.packs.guide.rules.rules import documentation, rules_for
from toolcrib.packs.guide.settings import welcomes


@pytest.fixture
def repo(write, library):
    write(
        {
            "AGENTS.md": "# Root\nBe brief.",
            "src/AGENTS.md": "# Src",
            "src/api/AGENTS.md": "# Api",
            "src/web/AGENTS.md": "# Web",
            "CLAUDE.md": "# Claude root",
            ".claude/CLAUDE.md": "# Claude hidden",
            "src/CLAUDE.md": "# Claude src",
            ".cursor/rules/always.mdc": "---\nalwaysApply: true\n---\nAlways.",
            ".cursor/rules/api.mdc": "---\nglobs: src/api/**,*.sql\nalwaysApply: false\n---\nApi.",
            ".cursor/rules/star.mdc": "---\nglobs: **/*.{py,pyi}\n---\nPython.",
            ".cursor/rules/ask.mdc": "---\ndescription: How to migrate\n---\nMigrate.",
            ".cursor/rules/manual.mdc": "---\n---\nManual.",
            "src/.cursor/rules/near.mdc": "---\nglobs: api/*.py\n---\nNear.",
            ".github/copilot-instructions.md": "# Copilot",
            ".github/instructions/py.instructions.md": '---\napplyTo: "**/*.py"\n---\nPy.',
            ".github/instructions/root.instructions.md": '---\napplyTo: "*.py"\n---\nRoot py.',
            ".github/instructions/two.instructions.md": "---\napplyTo: src/**,docs/**\n---\nTwo.",
            ".github/instructions/none.instructions.md": "---\ndescription: Ask\n---\nNone.",
            ".claude/rules/style.md": "# Style",
            ".claude/rules/deep/api.md": '---\npaths:\n  - "src/api/**/*.py"\n---\nPaths.',
            ".claude/rules/web.md": "---\npaths: src/web/**\n---\nWeb.",
            "node_modules/x/AGENTS.md": "# Not ours",
        }
    )
    return library.root


def applied(root, path: str) -> dict[str, str]:
    return {rule.expression: rule.applies for rule in rules_for(root, path)[0]}


def test_a_path_gets_what_each_tool_would_apply_nearest_first(repo):
    """G-6: rules_for_path returns what applies there, nearest first."""
    assert list(applied(repo, "src/api/users.py").items()) == [
        ("agents/src/api/AGENTS.md", "nearest"),
        ("cursor/src/near.mdc", "matches api/*.py"),
        ("agents/src/AGENTS.md", "above"),
        ("claude/src/CLAUDE.md", "nearest"),
        ("claude-rules/deep/api.md", "matches src/api/**/*.py"),
        ("copilot/py.instructions.md", "matches **/*.py"),
        ("copilot/two.instructions.md", "matches src/**"),
        ("cursor/api.mdc", "matches src/api/**"),
        ("cursor/star.mdc", "matches **/*.{py,pyi}"),
        ("agents/AGENTS.md", "above"),
        ("claude-rules/style.md", "always"),
        ("claude/.claude/CLAUDE.md", "above"),
        ("claude/CLAUDE.md", "above"),
        ("copilot/copilot-instructions.md", "always"),
        ("cursor/always.mdc", "always"),
    ]


def test_another_path_gets_others(repo):
    """G-6: globs, paths, applyTo, alwaysApply."""
    found = applied(repo, "setup.py")
    assert found["copilot/root.instructions.md"] == "matches *.py"
    assert found["agents/AGENTS.md"] == "nearest"
    assert not any("src" in each for each in found)
    found = applied(repo, "db/deep/x.sql")
    assert found["cursor/api.mdc"] == "matches **/*.sql"
    assert "copilot/py.instructions.md" not in found
    found = applied(repo, "src/web/index.html")
    assert found["claude-rules/web.md"] == "matches src/web/**"
    assert "agents/src/web/AGENTS.md" in found


def test_rules_on_request_are_offered_with_their_description(repo):
    """G-6: an agent-requested rule is named, not applied."""
    _, asked = rules_for(repo, "x.txt")
    assert [(rule.expression, rule.description) for rule in asked] == [
        ("copilot/none.instructions.md", "Ask"),
        ("cursor/ask.mdc", "How to migrate"),
    ]


def test_the_path_need_not_exist_and_rules_are_never_stale(repo, write):
    """G-6."""
    assert "agents/new/AGENTS.md" not in applied(repo, "new/file.py")
    write({"new/AGENTS.md": "# New"})
    assert next(iter(applied(repo, "new/file.py"))) == "agents/new/AGENTS.md"


@pytest.mark.parametrize("path", ["src/api", "src/api/", "./src/api"])
def test_to_a_folder_applies_what_applies_to_whatever_is_in_it(repo, path):
    """G-6: `rules_for_path(path)` returns what applies there, nearest first."""
    found = applied(repo, path)
    assert next(iter(found)) == "agents/src/api/AGENTS.md"
    assert found["cursor/api.mdc"] == "matches src/api/**"
    assert "copilot/two.instructions.md" in found
    assert "cursor/star.mdc" not in found
    assert "agents/later/AGENTS.md" not in applied(repo, "later/")
    assert applied(repo, "") == applied(repo, ".") == applied(repo, "./")
    assert next(iter(applied(repo, ""))).startswith("agents/AGENTS.md")


@pytest.mark.parametrize("path", ["../x", "/etc/passwd", "~/x", "a/../../b", "a\0b"])
def test_a_path_out_of_the_project_is_refused(repo, path):
    """FAULTS: `..`, absolute, NUL: refused."""
    with pytest.raises(InvalidValue, match="must be relative to the root of the project"):
        rules_for(repo, path)


def test_an_absolute_path_inside_of_the_project_is_understood(repo, library, project):
    answer = answers.rules(library, str(project / "src/api/users.py"))
    assert answer["path"] == "src/api/users.py"
    assert answer["rules"][0]["content"] == "# Api"


def test_rules_are_read_only_categories_without_any_set_up(repo, library):
    """G-6: as read-only categories."""
    library.forget()
    known = library.definitions().categories
    assert {name for name, each in known.items() if each.origin == "rules"} == {
        "agents",
        "claude",
        "claude-rules",
        "copilot",
        "cursor",
    }
    names = [d.key for d in library.select("agents").documents]
    assert names == [
        "agents/AGENTS.md",
        "agents/src/AGENTS.md",
        "agents/src/api/AGENTS.md",
        "agents/src/web/AGENTS.md",
    ]
    assert [d.key for d in library.select("cursor/src/near,copilot/py.*").documents] == [
        "cursor/src/near.mdc",
        "copilot/py.instructions.md",
    ]


def test_rules_too_long_to_show_say_where_they_are(repo, write, library):
    write({"AGENTS.md": "word " * 20_000})
    answer = answers.rules(library, "src/x.py")
    root = next(each for each in answer["rules"] if each["path"] == "AGENTS.md")
    assert "get_content('agents/AGENTS.md') has all of it]" in root["content"]
    assert any(each.get("omitted") for each in answer["rules"])


def test_one_unreadable_or_odd_rule_harms_no_other(repo, write, project):
    """FAULTS: one bad file never fails the rest."""
    write(
        {
            ".cursor/rules/bad.mdc": b"\x00\x01",
            ".cursor/rules/glob.mdc": "---\nglobs: 'src/[x'\n---\nBad glob.",
            ".cursor/rules/many.mdc": "---\nglobs: '" + "{a,b}" * 20 + "'\n---\nToo many.",
            ".cursor/rules/list.mdc": "---\nglobs: [1, 'src/**', null]\n---\nList.",
        }
    )
    found = applied(repo, "src/a.py")
    assert found["cursor/list.mdc"] == "matches src/**"
    assert "cursor/always.mdc" in found
    assert not {"cursor/bad.mdc", "cursor/glob.mdc", "cursor/many.mdc"} & set(found)


def test_a_link_to_a_file_that_is_served_is_not_served_twice(bare):
    """G-9: CLAUDE.md is often a link to AGENTS.md; the shorter name is kept."""
    library = bare({"AGENTS.md": "# Agents", "src/AGENTS.md": "# Src"}).library
    root = library.root.path
    (root / "CLAUDE.md").symlink_to("AGENTS.md")
    (root / "src" / "CLAUDE.md").symlink_to("../AGENTS.md")
    served = [document.key for document in library.documents()]
    assert served == ["agents/AGENTS.md", "agents/src/AGENTS.md"]
    applying, _ = rules_for(library.root, "src/x.py")
    assert [rule.path for rule in applying] == ["src/AGENTS.md", "src/CLAUDE.md"]
    applying, _ = rules_for(library.root, "x.py")
    assert [rule.path for rule in applying] == ["AGENTS.md"]


def test_what_belongs_to_a_skill_is_no_rule_beside_it(bare):
    """G-9: one file is served once; a rule for all skills lies beside them."""
    library = bare(
        {
            ".agents/skills/react/SKILL.md": "---\nname: react\n---\n# React\n",
            ".agents/skills/react/AGENTS.md": "# All of it in one file\n",
            ".agents/skills/AGENTS.md": "# How we write skills\n",
            "skills/team/review/SKILL.md": "---\nname: review\n---\n# Review\n",
            "skills/team/review/AGENTS.md": "# All of it in one file\n",
            "skills/team/AGENTS.md": "# The team's skills\n",
        }
    ).library
    named = [each.key for each in library.documents() if each.key.startswith("agents/")]
    assert named == ["agents/.agents/skills/AGENTS.md", "agents/skills/team/AGENTS.md"]


def test_a_file_that_only_imports_what_is_served_is_not_served_beside_it(bare):
    """G-9: `@AGENTS.md` is how Claude Code is pointed there; one that says more is a rule."""
    library = bare(
        {
            "AGENTS.md": "# All\n",
            "CLAUDE.md": "@AGENTS.md\n",
            "src/CLAUDE.md": "@../AGENTS.md\n",
            "lib/AGENTS.md": "# Lib\n",
            "lib/CLAUDE.md": "@./AGENTS.md\n\n@../AGENTS.md",
            "app/CLAUDE.md": "@AGENTS.md\n",
            "web/CLAUDE.md": "@../AGENTS.md\nMore.\n",
            "doc/CLAUDE.md": "\n",
            "far/CLAUDE.md": "@../lib/AGENTS.md\n",
        }
    ).library
    named = [each.key for each in library.documents() if each.key.startswith("claude/")]
    assert named == ["claude/app/CLAUDE.md", "claude/doc/CLAUDE.md", "claude/web/CLAUDE.md"]

    def told(path):
        return [each.path for each in rules_for(library.root, path)[0]]

    assert told("src/x.py") == ["AGENTS.md"]
    assert told("lib/x.py") == ["lib/AGENTS.md", "AGENTS.md"]
    assert told("web/x.py") == ["web/CLAUDE.md", "AGENTS.md"]
    assert told("far/x.py") == ["far/CLAUDE.md", "AGENTS.md"], "what it names is not told else"


def test_documentation_is_a_read_only_category(bare):
    """G-9: docs/, doc/, README and CONTRIBUTING, text files only."""
    library = bare(
        {
            "docs/deep/page.md": "# Page",
            "docs/logo.png": b"\x89PNG",
            "doc/old.rst": "Old",
            "README.md": "# Shop",
            "CONTRIBUTING": "How to",
            "other/README.md": "# Not at the root",
        }
    ).library
    category = library.definitions().categories["docs"]
    assert category.origin == "rules"
    names = [document.name for document in library.index(category).documents]
    assert names == ["CONTRIBUTING", "README.md", "doc/old.rst", "docs/deep/page.md"]
    assert library.select("docs/docs/deep/page").documents[0].path == "docs/deep/page.md"


def test_a_page_of_the_docs_is_found_by_its_path_too(bare):
    """G-9: `docs/setup` is the file docs/setup.md; a name of the category comes first."""
    library = bare(
        {"docs/README.md": "# In", "docs/setup.md": "# Set up", "README.md": "# Top"}
    ).library

    def paths(expression: str) -> list[str]:
        return [document.path for document in library.select(expression).documents]

    assert paths("docs/setup") == ["docs/setup.md"]
    assert paths("docs/README+setup") == ["README.md", "docs/setup.md"]
    assert paths("docs/set*") == ["docs/setup.md"]
    missed = library.select("docs/setup+gone").missing
    assert [each.expression for each in missed] == ["docs/gone"]


def test_a_category_of_that_name_wins(bare):
    """G-9: who has a category `docs` keeps it."""
    library = bare({"docs/page.md": "# Page", "guide/docs/own.md": "# Own"}).library
    category = library.definitions().categories["docs"]
    assert [document.name for document in library.index(category).documents] == ["own.md"]


def test_a_readme_in_any_language_is_served_and_other_files_of_the_root_are_not(
    tmp_path: Path,
) -> None:
    """G-9: README* and CONTRIBUTING*, text files only."""
    served = ("README.md", "README_CN.md", "readme.zh-CN.rst", "CONTRIBUTING.de.md", "README-ja")
    others = ("README.png", "readmes.md", "CONTRIBUTORS.md", "LICENSE", "sub/README.md")
    (tmp_path / "sub").mkdir()
    for name in (*served, *others):
        (tmp_path / name).write_text("# Words\n")
    assert {name for name, _ in documentation(Root(tmp_path))} == set(served)
    assert welcomes(tmp_path) == sorted(served)
