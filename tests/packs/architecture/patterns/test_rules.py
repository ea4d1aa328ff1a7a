from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.clock import assert_within
from toolcrib.files.markdown.document import parse
from toolcrib.packs.architecture.patterns.rules import read_rules

RULE = """# Pattern

```yaml rules
- id: no-print
  language: Python
  severity: warning
  message: Do not print.
  note: Use the logger.
  rule: {pattern: print($$$A)}
  fix: log($$$A)
  paths: [shop/**]
  ignores: shop/cli.py
  valid: log(1)
  invalid:
    - print(1)
    - |
      print(
          2)
```
"""


def read(text: str):
    return read_rules(parse("p.md", text.encode("utf-8", "replace")))


def problem(text: str) -> str:
    found = read(text)
    assert not found.rules
    (error,) = found.problems
    return str(error)


def block(yaml: str) -> str:
    return f"# P\n\n```yaml rules\n{yaml}\n```\n"


def test_a_rule_stands_in_a_fenced_block_with_all_that_it_has() -> None:
    """A-6: each with id, severity, message, fix, paths, expect, valid and invalid snippets."""
    found = read(RULE)
    assert not found.problems
    (rule,) = found.rules
    assert (rule.id, rule.language.name, rule.severity) == ("no-print", "python", "warning")
    assert (rule.message, rule.note, rule.fix) == ("Do not print.", "Use the logger.", "log($$$A)")
    assert (rule.paths, rule.ignores, rule.expect) == (("shop/**",), ("shop/cli.py",), "absent")
    assert [snippet.text for snippet in rule.valid] == ["log(1)"]
    assert [snippet.text for snippet in rule.invalid] == ["print(1)", "print(\n    2)\n"]
    assert (str(rule.place), rule.invalid[0].place.line) == ("p.md:4:3", 15)


def test_rules_may_stand_in_the_front_matter() -> None:
    """A-6: in a fenced block of the document or its front matter."""
    found = read(
        "---\ntitle: T\nrules:\n  - id: a\n    language: go\n    rule: {kind: x}\n---\n# T\n"
    )
    assert [rule.id for rule in found.rules] == ["a"]
    assert found.rules[0].place.line == 4


@pytest.mark.parametrize(
    "text",
    [
        "```yaml\nid: a\nlanguage: go\nrule:\n  pattern: x()\n```",
        "```ast-grep\nid: a\nlanguage: go\nrule: {pattern: x()}\n```",
        "```yaml rules\nrules:\n- {id: a, language: go, rule: {pattern: x()}}\n```",
    ],
)
def test_rules_of_the_engine_are_read_as_they_are(text: str) -> None:
    assert [rule.id for rule in read(text).rules] == ["a"]


def test_several_documents_in_a_block_are_several_rules_with_their_own_lines() -> None:
    text = block("id: a\nlanguage: go\nrule: {kind: x}\n---\nid: b\nlanguage: go\nrule: {kind: y}")
    assert [(rule.id, rule.place.line) for rule in read(text).rules] == [("a", 4), ("b", 8)]


def test_ordinary_yaml_is_no_rule() -> None:
    assert not read("```yaml\nname: x\nid: 3\n```\n\n```python\nid: rule\n```").rules


@pytest.mark.parametrize(
    ("yaml", "told"),
    [
        ("- id: a", "p.md:4:3: A rule needs 'rule'"),
        ("- {id: a, rule: {kind: x}}", "A rule needs 'language', as text"),
        ("- {language: go, rule: {kind: x}}", "A rule needs 'id', as text"),
        ("- {id: a, language: pyhton, rule: {kind: x}}", "did you mean 'python'"),
        ("- {id: a, language: go, rule: {kind: x}, mesage: m}", "did you mean 'message'"),
        ("- {id: a, language: go, rule: {kind: x}, severity: fatal}", "error or warning"),
        ("- {id: a, language: go, rule: {kind: x}, expect: maybe}", "present or absent"),
        ("- {id: a, language: go, rule: {kind: x}, valid: 3}", "'valid' is a text or a list"),
        ("- {id: a, language: go, rule: {kind: x}, fix: 3}", "'fix' is the text"),
        ("- just text", "A rule is a mapping"),
        ("just text", "Rules are a list of mappings"),
        ("- id: a\n\trule: x", "p.md:5"),
        ("a: &a [x]\nb: [*a, *b]", "Alias *b"),
    ],
)
def test_a_wrong_rule_is_told_with_its_place(yaml: str, told: str) -> None:
    """A-6: what is wrong is told with file:line:column and the nearest name."""
    assert told in problem(block(yaml))


def test_one_wrong_rule_does_not_hide_the_others() -> None:
    good = "- {id: a, language: go, rule: {kind: x}}\n"
    found = read(block(good + "- {id: b}\n- {id: a, language: go, rule: {kind: y}}"))
    assert [rule.id for rule in found.rules] == ["a"]
    assert ["needs 'rule'" in str(found.problems[0]), "line 4" in str(found.problems[1])] == [1, 1]


@pytest.mark.timing
def test_hostile_rules_are_refused_in_no_time() -> None:
    """FAULTS: alias bomb, deep nesting, many rules."""
    bomb = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "\n".join(
        f"{c}: &{c} [{','.join(f'*{p}' for _ in range(9))}]"
        for p, c in zip("abcdefgh", "bcdefghi", strict=True)
    )
    many = "".join(f"- {{id: r{n}, language: go, rule: {{kind: x}}}}\n" for n in range(2_000))
    started = time.perf_counter()
    for yaml in (bomb, "- " * 50_000, "[" * 50_000, "{" * 5_000):
        assert not read(block(yaml)).rules
    found = read(block(many))
    assert (len(found.rules), len(found.problems)) == (100, 1)
    assert_within(3, time.perf_counter() - started)


def test_paths_select_files() -> None:
    """A-6: optional `paths`."""

    def applies(path: str, paths: str, ignores: str = "") -> bool:
        yaml = (
            f"- {{id: a, language: go, rule: {{kind: x}}, paths: [{paths}], ignores: [{ignores}]}}"
        )
        return read(block(yaml)).rules[0].applies_to(path)

    assert applies("shop/handlers/a.py", "shop/handlers/**")
    assert applies("shop/handlers/x/a.py", "shop/handlers/**")
    assert applies("shop/handlers/a.py", "shop/handlers/")
    assert applies("a/b/c.py", "'**/*.py'")
    assert applies("c.py", "'**/*.py'")
    assert applies("a/b/c.py", "'*.py'")
    assert not applies("shop/services/a.py", "shop/handlers/**")
    assert not applies("old/shop/handlers/a.py", "shop/handlers/**")
    assert not applies("shop/handlers/a.py", "shop/handlers/**", "a.py")
    assert applies("anything.py", "")


@settings(max_examples=50, deadline=None)
@given(st.text(alphabet="ab-: []{}\n&*!|>'\"#%@", max_size=120))
def test_any_block_is_read_without_a_crash(yaml: str) -> None:
    found = read(block(yaml))
    assert all(error.where is not None for error in found.problems)


@given(
    st.lists(st.sampled_from(["a", "b", "*", "**", "a*", "?"]), min_size=1, max_size=12),
    st.lists(st.sampled_from(["a", "b", "ab"]), min_size=1, max_size=12),
)
def test_globs_take_no_time_and_stars_cover_everything(pattern: list[str], path: list[str]) -> None:
    yaml = f"- {{id: a, language: go, rule: {{kind: x}}, paths: ['{'/'.join(pattern)}']}}"
    (rule,) = read(block(yaml)).rules
    fits = rule.applies_to("/".join(path))
    if set(pattern) == {"**"}:
        assert fits
    if "**" not in pattern and len(pattern) > 1 and len(pattern) != len(path):
        assert not fits
