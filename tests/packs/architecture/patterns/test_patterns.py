from __future__ import annotations

import asyncio
import time

import jsonschema_rs
import pytest

from support.clock import assert_within
from toolcrib.core.errors import InvalidArguments
from toolcrib.core.executor import ToolExecutor
from toolcrib.core.schema import check_definition
from toolcrib.core.tool import CallContext
from toolcrib.packs.architecture.patterns.patterns import find_pattern
from toolcrib.packs.architecture.tools import validate_against_pattern

REPOSITORY = """# Repository Pattern

```python
class OrderRepository:
    def get(self, number):
        return self.orders[number]
```

```yaml rules
- id: no-print
  language: python
  severity: warning
  message: Do not print.
  note: Use the logger.
  rule: {pattern: print($$$A)}
  fix: log($$$A)
  invalid: print(1)
- id: is-a-repository
  language: python
  message: There must be a class that ends in Repository.
  expect: present
  rule: {kind: class_definition, has: {field: name, regex: Repository$}}
  fix: Name the class after what it keeps.
  valid: "class OrderRepository: pass"
  invalid: "class Orders: pass"
```
"""
LANGUAGES = """# Logging

```yaml rules
- {id: py, language: python, rule: {pattern: print($$$A)}, invalid: print(1)}
- {id: ts, language: typescript, rule: {pattern: console.log($$$A)}, invalid: console.log(1)}
- id: go
  language: go
  rule: {pattern: {context: 'func t() { fmt.Println($$$A) }', selector: call_expression}}
  invalid: "func f() { fmt.Println(1) }"
- id: java
  language: java
  rule: {pattern: System.out.println($$$A)}
  invalid: "class A { void f() { System.out.println(1); } }"
```
"""
RUNAWAY = """# Slow

```yaml rules
- id: slow
  language: python
  rule:
    kind: parenthesized_expression
    inside: {kind: function_definition, stopBy: end}
  invalid: |
    def f():
        return (1)
- {id: py, language: python, rule: {pattern: print($$$A)}, invalid: print(1)}
```
"""
FILES = {
    "mcp/resources/patterns/repository-pattern.md": REPOSITORY,
    "mcp/resources/patterns/logging.md": LANGUAGES,
    "mcp/resources/patterns/words.md": "# Words\n\nHandlers must not use `sqlite3` directly.\n",
    "mcp/resources/patterns/prose.md": "# Prose\n\nBe kind to each other.\n",
    "mcp/resources/patterns/data/unit-of-work.md": "# Unit of Work\n\nNever use `commit`.\n",
}
CLASS = "class OrderRepository:\n    pass\n"


@pytest.fixture
def library(shelve):
    return shelve(FILES)


@pytest.fixture
def call(library):
    tool = validate_against_pattern.tool(library)
    schema = jsonschema_rs.Draft202012Validator(tool.output_schema)

    def called(code: str, pattern_name: str, **more: str):
        arguments = {"code": code, "pattern_name": pattern_name, **more}
        output = asyncio.run(ToolExecutor().run(tool, arguments, CallContext()))
        schema.validate(output.structured)
        return output.structured

    return called


def test_the_tool_has_the_schema_of_its_seed(library) -> None:
    """A-6: code ≤ 50,000, pattern_name, language optional."""
    tool = validate_against_pattern.tool(library)
    check_definition(tool)
    assert tool.name == "validate-against-pattern"
    assert tool.failures == "protocol"
    assert tool.input_schema["required"] == ["code", "pattern_name"]
    assert tool.input_schema["properties"]["code"]["maxLength"] == 50_000
    assert set(tool.input_schema["properties"]) == {"code", "pattern_name", "language"}


def test_rules_give_exact_places_snippets_and_fixes(call) -> None:
    """A-6: then the answer is exact, with places."""
    answer = call(CLASS + "\nprint('é', 1)\n", "repository-pattern")
    assert answer == {
        "compliant": False,
        "pattern": "repository-pattern",
        "mode": "rules",
        "violations": [
            {
                "rule": "no-print",
                "description": "Do not print.",
                "severity": "warning",
                "line": 4,
                "column": 1,
                "snippet": "print('é', 1)",
                "fix": "log('é', 1)",
            }
        ],
        "suggestions": ["no-print: Use the logger."],
    }


def test_what_must_be_present_and_is_not_has_no_place(call) -> None:
    """A-6: expect: present; places only where known."""
    (violation,) = call("class Orders:\n    pass\n", "repository")["violations"]
    assert violation == {
        "rule": "is-a-repository",
        "description": "There must be a class that ends in Repository.",
        "severity": "error",
        "fix": "Name the class after what it keeps.",
    }


def test_code_without_a_violation_is_compliant(call) -> None:
    answer = call(CLASS, "repository")
    assert answer["compliant"] is True
    assert answer["violations"] == []


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("python", "def f(self):\n    print(1)\n"),
        ("typescript", "const f = (x: number): void => { console.log(x) }"),
        ("javascript", "const f = (x) => { console.log(x) };\nmodule.exports = f;"),
        ("tsx", "const F = (x: number) => { console.log(x); return <div/>; }"),
        ("go", "package a\n\nfunc f() {\n\tfmt.Println(1)\n}\n"),
        ("java", "public class A { void f() { System.out.println(1); } }"),
    ],
)
def test_every_language_is_checked_named_or_detected(call, language: str, code: str) -> None:
    """A-6: Python, TypeScript, Go, Java at least; the language is detected when absent."""
    for more in ({}, {"language": language}):
        (violation,) = call(code, "logging", **more)["violations"]
        assert "line" in violation


def test_words_are_judged_where_there_are_no_rules(call) -> None:
    """A-6: says `heuristic`, and quotes the sentence."""
    answer = call("import sqlite3\n", "words")
    assert (answer["mode"], answer["compliant"]) == ("heuristic", False)
    (violation,) = answer["violations"]
    assert "“Handlers must not use `sqlite3` directly.”" in violation["description"]
    assert (violation["line"], violation["column"]) == (1, 8)
    assert call("import json\n", "words")["compliant"] is True


@pytest.mark.parametrize(
    ("code", "language", "line"),
    [
        ("import json\ndef f(:\n    pass\n", "python", 2),
        ("class A { f(x: string {\n", "typescript", 1),
    ],
)
def test_code_that_does_not_read_is_not_compliant_by_words_either(
    call, code: str, language: str, line: int
) -> None:
    """A-6: a violation `unreadable` with the line from which on it does not read."""
    answer = call(code, "words", language=language)
    assert (answer["mode"], answer["compliant"]) == ("heuristic", False)
    assert [(each["rule"], each["line"]) for each in answer["violations"]] == [("unreadable", line)]


def test_nothing_to_check_is_said_and_is_not_compliance(call) -> None:
    """A-6: `mode: none`, `compliant: false`, one warning that says so and how to add rules."""
    answer = call("x = 1", "prose")
    assert (answer["mode"], answer["compliant"]) == ("none", False)
    (violation,) = answer["violations"]
    assert violation["severity"] == "warning"
    assert "Nothing was checked" in violation["description"]
    assert "```yaml rules" in answer["suggestions"][0]


def test_code_in_a_language_without_rules_is_not_called_compliant(call) -> None:
    answer = call('fn main() { println!("hi"); }', "logging")
    assert (answer["mode"], answer["compliant"]) == ("none", False)
    assert "the code is rust" in answer["violations"][0]["description"]
    answer = call("hello", "logging")
    assert "could not be detected" in answer["violations"][0]["description"]


@pytest.mark.parametrize(
    "name",
    [
        "repository-pattern",
        "repository",
        "Repository Pattern",
        "repository_pattern",
        "REPOSITORY",
        "repository-pattern.md",
        "architecture://patterns/repository-pattern",
        " repository ",
    ],
)
def test_a_pattern_is_found_under_each_of_its_names(library, name: str) -> None:
    """A-6: by file name with or without `-pattern`, title or uri."""
    assert find_pattern(library, name).stem == "repository-pattern"


def test_a_pattern_in_a_folder_is_found_with_and_without_it(library) -> None:
    for name in ("unit-of-work", "data/unit-of-work", "Unit of Work"):
        assert find_pattern(library, name).stem == "unit-of-work"


def test_an_unknown_pattern_is_told_with_the_nearest(call) -> None:
    """A-6: -32602 with the nearest names."""
    with pytest.raises(InvalidArguments, match="did you mean 'repository-pattern'") as caught:
        call("x", "repositry")
    assert caught.value.rpc_code == -32602
    assert caught.value.data["fields"] == ["pattern_name"]
    with pytest.raises(InvalidArguments, match="known: "):
        call("x", "zzz")


def test_an_ambiguous_name_lists_the_candidates(shelve) -> None:
    library = shelve(
        {"mcp/resources/patterns/a/log.md": "# A log", "mcp/resources/patterns/b/log.md": "# B log"}
    )
    with pytest.raises(InvalidArguments, match=r"patterns/a/log.*patterns/b/log"):
        find_pattern(library, "log")


@pytest.mark.parametrize("language", ["sql", "toml", "r", "perl", "text", "klingon", "pyhton"])
@pytest.mark.parametrize("pattern", ["logging", "words"])
def test_in_a_language_that_nothing_here_reads_nothing_is_sure(
    call, pattern: str, language: str
) -> None:
    """A-6: code in a language that no rule speaks of is `mode: none`."""
    answer = call("SELECT print(1);", pattern, language=language)
    assert (answer["mode"], answer["compliant"]) == ("none", False)
    (violation,) = answer["violations"]
    assert f"the code is {language}" in violation["description"]
    assert ("did you mean 'python'" in violation["description"]) is (language == "pyhton")


def test_words_for_a_language_that_cannot_be_read_find_what_is_missing(shelve) -> None:
    """A-6: nothing is called compliant that was not read."""
    document = "# P\n\nPerl modules must define `load`.\n"
    tool = validate_against_pattern.tool(shelve({"mcp/resources/patterns/p.md": document}))

    def answer(code: str, language: str):
        given = {"code": code, "pattern_name": "p", "language": language}
        return asyncio.run(tool.run(given, CallContext()))

    assert answer("sub save { 1 }", "perl")["violations"][0]["rule"] == "required: load"
    assert answer("sub load { 1 }", "perl")["mode"] == "none"
    assert answer("CREATE TABLE load (id INT);", "sql")["mode"] == "none"


NOT_CODE = (
    "BEGIN; COMMIT;",
    "-- comment\nVACUUM;",
    "[tool.black]\nline = 100\n",
    "ports: [80, 81]\n",
    'x <- read.csv("a")\n',
    "Fixed; tested (locally)",
    "Note: (see, below)",
)


@pytest.mark.parametrize("text", NOT_CODE)
@pytest.mark.parametrize(
    "document",
    [
        "```yaml rules\n- {id: p, language: python, rule: {pattern: print($$$A)},"
        " invalid: print(1)}\n```\n",
        "```yaml rules\n- {id: t, language: typescript, rule: {pattern: eval($A)},"
        " invalid: eval(1)}\n```\n",
        "Code must not call `print`.\n",
        "A repository must define `commit`.\n",
        "A handler must call `commit()`.\n",
    ],
    ids=["python", "typescript", "must not", "must define", "must call"],
)
def test_what_is_no_code_is_held_against_nothing(shelve, document: str, text: str) -> None:
    """A-6: SQL, settings and prose that happen to parse are `mode: none`, never compliant."""
    tool = validate_against_pattern.tool(
        shelve({"mcp/resources/patterns/p.md": f"# P\n\n{document}"})
    )
    answer = asyncio.run(tool.run({"code": text, "pattern_name": "p"}, CallContext()))
    assert (answer["mode"], answer["compliant"]) == ("none", False)


@pytest.mark.parametrize("fence", ["```python", "~~~py", "```", "Here it is:\n\n```{.python}"])
def test_the_code_in_a_fence_is_checked_where_it_stands(call, fence: str) -> None:
    """A-6: language detected when absent, by what the fence says of it."""
    end = "~~~" if fence[0] == "~" else "```"
    answer = call(f"{fence}\n{CLASS}print(1)\n{end}\n", "repository")
    (violation,) = answer["violations"]
    assert violation["rule"] == "no-print"
    assert violation["line"] == fence.count("\n") + CLASS.count("\n") + 2
    assert call(f"{fence}\n{CLASS}{end}\n", "repository")["compliant"] is True
    assert call(f"{fence}\nimport sqlite3\n{end}\n", "words")["compliant"] is False


@pytest.mark.parametrize(
    "text",
    [
        "```sql\nSELECT 1\n```\n",
        "```python\nclass ARepository: pass\n```\n\n```sql\nSELECT 1\n```\n",
        "```\nJust some prose, no code.\n```\n",
        "```text\nclass ARepository: pass\n```\n",
        "```python\n```\n",
    ],
)
def test_a_fence_around_something_else_is_not_compliant(call, text: str) -> None:
    """A-6: code in a language that no rule speaks of is `mode: none`."""
    assert call(text, "repository")["compliant"] is False


def test_a_rule_that_is_unsound_is_named_and_never_counts_as_kept(shelve) -> None:
    """A-6: a rule that does not do what it says is reported."""
    text = LANGUAGES.replace("pattern: print($$$A)", "pattern: prnt($$$A)")
    tool = validate_against_pattern.tool(shelve({"mcp/resources/patterns/p.md": text}))
    answer = asyncio.run(tool.run({"code": "import a\n", "pattern_name": "p"}, CallContext()))
    assert answer["compliant"] is False
    assert answer["violations"][0]["rule"] == "py"
    assert "does not do what it says" in answer["violations"][0]["description"]


@pytest.mark.timing
def test_a_rule_that_runs_away_is_named_and_the_others_are_told(shelve) -> None:
    """A-6: a rule that runs away is stopped at its deadline and named."""
    tool = validate_against_pattern.tool(shelve({"mcp/resources/patterns/p.md": RUNAWAY}))
    code = "print(1)\nx = " + "(" * 24_000 + "1" + ")" * 24_000
    started = time.perf_counter()
    answer = asyncio.run(tool.run({"code": code, "pattern_name": "p"}, CallContext()))
    assert_within(9, time.perf_counter() - started)
    told = {each["rule"]: each["description"] for each in answer["violations"]}
    assert "stopped at its deadline" in told["slow"]
    assert told["py"] == "py"


def test_a_comment_on_the_first_line_selects_the_rules_of_that_file(shelve) -> None:
    """A-6: optional `paths`."""
    text = (
        "# P\n\n```yaml rules\n- {id: no-print, language: python, rule: {pattern: print($$$A)},"
        " paths: [shop/handlers/**], invalid: print(1)}\n```\n"
    )
    tool = validate_against_pattern.tool(shelve({"mcp/resources/patterns/p.md": text}))

    def answer(code: str):
        return asyncio.run(tool.run({"code": code, "pattern_name": "p"}, CallContext()))

    assert answer("# shop/services/a.py\nprint(1)\n")["compliant"] is True
    assert answer("# shop/handlers/a.py\nprint(1)\n")["compliant"] is False
    unknown = answer("import a\nprint(1)\n")
    assert unknown["compliant"] is False
    assert "first line" in unknown["suggestions"][0]


def test_code_that_does_not_parse_is_never_compliant(call) -> None:
    """A-6: a violation `unreadable` with the line, beside what could be checked before it."""
    answer = call(CLASS + "print(1)\nx = = ) 3\n", "repository")
    assert answer["compliant"] is False
    (found,) = [each for each in answer["violations"] if each["rule"] == "unreadable"]
    line = CLASS.count("\n") + 2
    assert (found["severity"], found["line"]) == ("error", line)
    assert f"does not read as python from line {line} on" in found["description"]
    assert "no-print" in {each["rule"] for each in answer["violations"]}


@pytest.mark.parametrize(
    "text",
    [
        "SELECT name FROM orders WHERE id = 3;\n",
        "Orders are kept in a repository. It has a method for each question.\n",
        CLASS + "print('a'\n",
        "class OrderRepository\n    pass\n",
    ],
)
def test_what_is_no_python_is_not_compliant_with_rules_for_python(call, text: str) -> None:
    """A-6: code that the rules' language cannot read is never compliant."""
    answer = call(text, "repository")
    assert answer["compliant"] is False
    assert "unreadable" in {each["rule"] for each in answer["violations"]}


TYPESCRIPT = """# Typed

```yaml rules
- {id: ts, language: typescript, rule: {pattern: console.log($$$A)}, invalid: console.log(1)}
```
"""


@pytest.mark.parametrize("language", [None, "python", "typescript"])
def test_python_does_not_pass_a_pattern_for_typescript(shelve, language: str | None) -> None:
    """A-6: code in a language that no rule speaks of is `mode: none`."""
    tool = validate_against_pattern.tool(shelve({"mcp/resources/patterns/typed.md": TYPESCRIPT}))
    arguments = {"code": "def f(): pass", "pattern_name": "typed"}
    if language:
        arguments["language"] = language
    answer = asyncio.run(tool.run(arguments, CallContext()))
    assert answer["compliant"] is False
    assert answer["mode"] == ("rules" if language == "typescript" else "none")


def test_prose_is_not_held_against_the_words_of_a_pattern(shelve) -> None:
    """A-6: with nothing to check, `mode: none` and not compliant."""
    document = "# P\n\nHandlers must not use `sqlite3` directly.\n"
    tool = validate_against_pattern.tool(shelve({"mcp/resources/patterns/p.md": document}))
    arguments = {"code": "We keep orders in a table.", "pattern_name": "p"}
    answer = asyncio.run(tool.run(arguments, CallContext()))
    assert (answer["mode"], answer["compliant"]) == ("none", False)


@pytest.mark.parametrize(
    "text",
    [
        "SELECT name FROM orders WHERE id = 3;\n",
        "INSERT INTO a VALUES (1);",
        "x = = 3",
        "def f(:\n  pass",
        "class A {\n  void f() {\n",
        "<html><body>x</body></html>",
        "key: value\nother:\n  - 1\n",
        "",
        "# only a comment\n",
    ],
)
def test_what_is_no_readable_code_is_not_compliant_by_words(call, text: str) -> None:
    """A-6: that nothing forbidden was found counts only for code that reads."""
    answer = call(text, "words")
    assert answer["compliant"] is False


@pytest.mark.parametrize("text", ["", " \n", "# only a comment\n"])
def test_where_there_is_no_code_nothing_was_checked(call, text: str) -> None:
    """A-6: with nothing to check, `mode: none` and not compliant."""
    answer = call(text, "logging", language="python")
    assert (answer["mode"], answer["compliant"]) == ("none", False)


def test_words_about_one_language_say_nothing_of_another(shelve) -> None:
    """A-6: code in a language that no rule speaks of is `mode: none`."""
    document = "# P\n\nNever call `eval`.\n\n```typescript\nconst a: number = 1;\n```\n"
    tool = validate_against_pattern.tool(shelve({"mcp/resources/patterns/p.md": document}))

    def answer(code: str):
        return asyncio.run(tool.run({"code": code, "pattern_name": "p"}, CallContext()))

    assert answer("def f(): pass\n")["mode"] == "none"
    assert answer("def f(): eval('1')\n")["violations"][0]["rule"] == "forbidden: eval"
    assert answer("const b: string = 'x';\n")["compliant"] is True


def test_suppressed_findings_are_mentioned(call) -> None:
    answer = call(CLASS + "# ast-grep-ignore\nprint(1)\n", "repository")
    assert "ast-grep-ignore" in answer["suggestions"][0]


def test_many_violations_are_cut_and_counted(call) -> None:
    answer = call(CLASS + "print(1)\n" * 1_000, "repository")
    assert len(answer["violations"]) == 100
    assert "900 further violations" in " ".join(answer["suggestions"])


def test_code_is_never_executed(call, tmp_path) -> None:
    """A-6: the code is never executed."""
    flag = tmp_path / "flag"
    call(f"open({str(flag)!r}, 'w').close()\n{CLASS}", "repository")
    assert not flag.exists()


def test_strange_code_is_answered(call) -> None:
    for code in ("", "\ud800", "\x00", "\ufeffprint(1)", "\r\nprint(1)\r\n", "💥" * 1_000):
        assert call(code, "repository", language="python")["mode"] == "rules"


@pytest.mark.parametrize(
    ("document", "code"),
    [
        (
            "# Service\n\n```typescript\nexport async function load() { return 1; }\n```\n\n"
            "Each service must define `load`. Always use `async` functions.\n",
            "async def load():\n    return None\n",
        ),
        (
            "# Handler\n\nHandlers are written in Go. A handler must define `ServeHTTP`.\n",
            "def ServeHTTP(self):\n    return None\n",
        ),
    ],
)
def test_a_name_in_another_language_than_the_document_speaks_of_is_no_compliance(
    shelve, document: str, code: str
) -> None:
    """A-6: code in a language that no rule speaks of is `mode: none`."""
    tool = validate_against_pattern.tool(shelve({"mcp/resources/patterns/one.md": document}))
    arguments = {"code": code, "pattern_name": "one"}
    answer = asyncio.run(ToolExecutor().run(tool, arguments, CallContext())).structured
    assert (answer["mode"], answer["compliant"]) == ("none", False)
    assert "the code is python" in answer["violations"][0]["description"]


@pytest.mark.parametrize(
    "document",
    [
        "# P\n\nA TypeScript store must define `load`.\n",
        "# P\n\nA TypeScript store must define `load`. It must not use `eval`.\n",
        "# P\n\nGo handlers must define `missing`.\n",
        "---\nlanguage: typescript\n---\n# P\n\nA store must define `load`.\n",
        "---\nlanguages: [go]\n---\n# P\n\nA store must define `missing`.\n",
        "# P\n\nThis pattern is for TypeScript.\n\nA store must define `load`.\n",
        "# P\n\n## TypeScript\n\nA store must define `load`.\n",
        "# P\n\n```{.typescript}\nconst load = () => 1;\n```\n\nA store must define `load`.\n",
    ],
)
def test_python_is_not_judged_by_words_for_another_language(shelve, document: str) -> None:
    """A-6: code in a language that no rule speaks of is `mode: none`, whatever it lacks."""
    tool = validate_against_pattern.tool(shelve({"mcp/resources/patterns/p.md": document}))
    arguments = {"code": "def load(self):\n    return 1\n", "pattern_name": "p"}
    answer = asyncio.run(tool.run(arguments, CallContext()))
    assert (answer["mode"], answer["compliant"]) == ("none", False)
    assert "the code is python" in answer["violations"][0]["description"]


@pytest.mark.parametrize(
    "document",
    [
        "# P\n\nA store must define `load`. The API is also used from TypeScript clients.\n",
        "# P\n\nPython stores must define `load`. TypeScript stores must define `init`.\n",
        "---\nlanguages: [go, python]\n---\n# P\n\nA store must define `load`.\n",
    ],
)
def test_words_for_python_or_for_any_language_judge_python(shelve, document: str) -> None:
    """A-6: each sentence is held against code in the language of which it speaks."""
    tool = validate_against_pattern.tool(shelve({"mcp/resources/patterns/p.md": document}))
    arguments = {"code": "def load(self):\n    return 1\n", "pattern_name": "p"}
    answer = asyncio.run(tool.run(arguments, CallContext()))
    assert (answer["mode"], answer["compliant"]) == ("heuristic", True)
