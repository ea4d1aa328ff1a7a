from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest

from toolcrib.core.errors import UsageError
from toolcrib.packs.architecture.patterns.check import add_arguments, run

PATTERN = """# Handlers

```yaml rules
- id: no-sql
  language: python
  message: No SQL here.
  note: Ask a service.
  paths: [shop/handlers/**]
  rule: {pattern: $C.execute($$$A)}
  fix: service.ask($$$A)
  invalid: c.execute("x")
- id: no-print
  language: python
  severity: warning
  rule: {pattern: print($$$A)}
  invalid: print(1)
- id: has-docstring
  language: python
  expect: present
  paths: [shop/handlers/**]
  message: A module begins with its docstring.
  rule: {kind: module, has: {kind: expression_statement, has: {kind: string}}}
  valid: "'Doc.'"
  invalid: x = 1
```
"""
GOOD = '"""Orders."""\n\nanswer = service.ask()\n'
BAD = '"""Orders."""\n\n\ndef show(c):\n\treturn c.execute("é")\n'


@pytest.fixture
def project(write) -> Path:
    return write(
        {
            "mcp/resources/patterns/handlers.md": PATTERN,
            "shop/handlers/good.py": GOOD,
            "shop/handlers/bad.py": BAD,
            "shop/services/sql.py": BAD,
            "shop/readme.txt": "text",
        }
    )


@pytest.fixture
def check(project, capsys):
    def checked(*words: str) -> tuple[int, str]:
        parser = argparse.ArgumentParser()
        add_arguments(parser)
        parser.add_argument("--json", action="store_true")
        given = [each if "-" in each else str(project / each) for each in words]
        args = parser.parse_args(given)
        args.project = project
        code = run(args)
        return code, capsys.readouterr().out

    return checked


def test_a_clean_file_passes(check) -> None:
    assert check("shop/handlers/good.py") == (0, "1 file: 0 errors, 0 warnings\n")


def test_a_violation_is_shown_at_its_place_with_a_caret(check) -> None:
    code, text = check("shop/handlers/bad.py")
    assert code == 1
    assert text.splitlines() == [
        "shop/handlers/bad.py:5:9: error: No SQL here. [handlers/no-sql]",
        '  5 | \treturn c.execute("é")',
        "    | \t       ^^^^^^^^^^^^^^",
        "  note: Ask a service.",
        '  fix:  service.ask("é")',
        "1 file: 1 error, 0 warnings",
    ]


def test_paths_of_rules_are_respected_and_folders_are_looked_through(check) -> None:
    code, text = check("shop")
    assert code == 1
    assert "shop/services/sql.py" not in text
    assert text.endswith("3 files: 1 error, 0 warnings\n")


def test_a_missing_element_is_told_for_each_file_that_needs_it(check, write) -> None:
    write({"shop/handlers/plain.py": "x = 1\n"})
    code, text = check("shop/handlers/plain.py")
    assert (code, "A module begins with its docstring." in text) == (1, True)


def test_warnings_pass_unless_strict(check, write) -> None:
    write({"shop/a.py": "print(1)\n"})
    assert check("shop/a.py")[0] == 0
    assert check("shop/a.py", "--strict")[0] == 1


def test_json_has_every_finding(check) -> None:
    code, text = check("shop", "--json")
    answer = json.loads(text)
    assert (code, answer["compliant"], answer["files"]) == (1, False, 3)
    (violation,) = answer["violations"]
    assert violation["file"] == "shop/handlers/bad.py"
    assert violation["pattern"] == "handlers"
    assert (violation["line"], violation["column"], violation["rule"]) == (5, 9, "no-sql")


def test_sarif_is_written_for_code_hosts(check, project) -> None:
    code, text = check("shop", "--sarif")
    log = json.loads(text)
    assert (code, log["version"]) == (1, "2.1.0")
    (ran,) = log["runs"]
    (result,) = ran["results"]
    assert result["ruleId"] == "handlers/no-sql"
    assert ran["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == "handlers/no-sql"
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "shop/handlers/bad.py"
    assert place["region"]["startLine"] == 5
    assert (place["region"]["startColumn"], place["region"]["endColumn"]) == (9, 23)
    change = result["fixes"][0]["artifactChanges"][0]["replacements"][0]
    assert change["insertedContent"]["text"] == 'service.ask("é")'
    assert ran["invocations"][0]["executionSuccessful"] is True


def test_sarif_may_go_to_a_file_and_the_text_to_the_screen(check, project) -> None:
    out = project / "out-1.sarif"
    code, text = check("shop", "--sarif", f"{out}")
    assert (code, "1 error" in text) == (1, True)
    assert json.loads(out.read_text())["runs"][0]["results"]


def test_a_rule_that_cannot_be_used_fails_the_check(check, write) -> None:
    """A-6: a rule that does not do what it says is reported."""
    broken = PATTERN.replace("print($$$A)}", "prnt($$$A)}")
    write({"mcp/resources/patterns/broken.md": broken})
    code, text = check("shop/handlers/good.py")
    assert code == 1
    assert "error[config]: Rule 'no-print' does not do what it says" in text
    assert "--> mcp/resources/patterns/broken.md:" in text
    log = json.loads(check("shop/handlers/good.py", "--sarif")[1])
    (told,) = log["runs"][0]["invocations"][0]["toolConfigurationNotifications"]
    assert "no-print" in told["message"]["text"]


def test_a_demand_on_every_file_is_left_out_and_said(check, write) -> None:
    head, tail = PATTERN.split("  expect: present\n  paths: [shop/handlers/**]\n")
    everywhere = f"{head}  expect: present\n{tail}"
    write({"mcp/resources/patterns/handlers.md": everywhere})
    code, text = check("shop/handlers/good.py")
    assert (code, "names no 'paths'" in text) == (0, True)


def test_files_in_no_known_language_are_left_out_and_said(check) -> None:
    code, text = check("shop/readme.txt")
    assert code == 0
    assert "readme.txt: left out" in text


def test_a_file_that_is_not_text_does_not_stop_the_rest(check, project) -> None:
    (project / "shop/handlers/binary.py").write_bytes(b"\x00\x01")
    _, text = check("shop/handlers")
    assert "binary.py: left out" in text
    assert text.endswith("2 files: 1 error, 0 warnings\n")


def test_a_missing_file_and_one_outside_are_wrong_usage(check, tmp_path_factory) -> None:
    with pytest.raises(UsageError, match="No such file"):
        check("shop/nothing.py")
    other = tmp_path_factory.mktemp("other") / "x-1.py"
    other.write_text("x = 1")
    with pytest.raises(UsageError, match="--project"):
        check(str(other))


def test_odd_names_are_checked_as_any_other(check, write) -> None:
    write({"shop/handlers/a b — ü.py": BAD})
    log = json.loads(check("shop/handlers/a b — ü.py", "--sarif")[1])
    place = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "shop/handlers/a%20b%20%E2%80%94%20%C3%BC.py"


def test_a_rule_for_typescript_reads_the_whole_family(check, write) -> None:
    write(
        {
            "mcp/resources/patterns/log.md": "# L\n\n```yaml rules\n- {id: log,"
            " language: typescript, rule: {pattern: console.log($$$A)},"
            " invalid: console.log(1)}\n```\n",
            "web/a.ts": "console.log(1 as number)\n",
            "web/b.tsx": "const A = () => { console.log(1); return <p/>; }\n",
            "web/c.js": "console.log(1)\n",
        }
    )
    _, text = check("web")
    assert [line.split(":")[0] for line in text.splitlines() if "[log/log]" in line] == [
        "web/a.ts",
        "web/b.tsx",
        "web/c.js",
    ]
