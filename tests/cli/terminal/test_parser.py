"""U-1: a mistyped command line is told in the one shape of errors, with the nearest word."""

from __future__ import annotations

import pytest

from toolcrib.cli.terminal.parser import Parser


@pytest.mark.parametrize(
    ("words", "what", "next_step"),
    [
        (["serv"], "Unknown command: serv; did you mean 'serve'", "Known: init, serve"),
        (["list", "--clasic"], "Unknown word: --clasic; did you mean '--classic'?", "list --help"),
        (["list", "tols"], "Unknown kind: tols; did you mean 'tools'?", "Known: tools"),
        (["policy", "explian"], "Unknown action: explian; did you mean 'explain'?", "Known:"),
        (["serve", "--names", "saef"], "Unknown --names: saef; did you mean 'safe'?", "exact"),
        (["call"], "The following arguments are required: TOOL", "toolcrib call --help"),
        (["demo", "--keep"], "Argument --keep: expected one argument", "toolcrib demo --help"),
    ],
)
def test_a_slip_names_what_was_meant_and_the_next_step(words, what, next_step, toolcrib):
    """U-1: exit code 2, nearest names, the next command."""
    ran = toolcrib(*words)
    assert ran.code == 2 and ran.out == ""
    assert f"error[usage]: {what}" in ran.err
    assert next_step in ran.err.split("next:")[1]


@pytest.mark.parametrize("words", [["serv"], ["list", "--clasic"], ["policy", "explian"]])
def test_scripts_get_it_as_json(words, toolcrib):
    """U-1: --json everywhere, for mistakes too."""
    ran = toolcrib(*words, "--json")
    assert ran.code == 2 and ran.err == ""
    assert ran.json["error"]["code"] == "usage"


def test_a_tool_that_is_not_there_has_its_own_code(shop, toolcrib):
    """U-1: `explain` can be asked for the code that is shown."""
    ran = toolcrib("call", "shop_orders_lst")
    assert ran.code == 1
    assert "error[tool_not_found]: Unknown tool: shop_orders_lst" in ran.err
    assert "did you mean 'shop_orders_list'" in ran.err


@pytest.mark.parametrize(("words", "shown"), [(["help"], "COMMAND"), (["help", "list"], "--names")])
def test_help_is_a_command_too(words, shown, toolcrib):
    """U-1: what people type first."""
    ran = toolcrib(*words)
    assert ran.code == 0 and shown in ran.out


@pytest.mark.parametrize(("columns", "widest"), [("40", 40), ("200", 200)])
def test_help_is_as_wide_as_the_terminal(
    columns: str, widest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """U-1: help that fits, without loading what argparse would load to find out."""
    monkeypatch.setenv("COLUMNS", columns)
    parser = Parser(prog="x", description="many words " * 30)
    lines = parser.format_help().splitlines()
    assert widest - 20 < max(map(len, lines)) <= widest
