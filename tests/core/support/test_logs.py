from __future__ import annotations

import json
import logging

import pytest

from toolcrib.core.support.logs import TRACE, collected, get_logger, setup, speak_plainly


@pytest.fixture(autouse=True)
def quiet_afterwards():
    yield
    logger = get_logger()
    for handler in list(logger.handlers):
        logger.removeHandler(handler)
        logging.getLogger().removeHandler(handler)
        handler.close()
    logger.setLevel(logging.NOTSET)
    logger.propagate = True


def test_trace_is_a_named_level_below_debug():
    """K-10: TRACE is level 5, and named."""
    assert TRACE == 5
    assert logging.getLevelName(5) == "TRACE"


def test_a_logger_is_found_by_its_part_of_toolcrib():
    assert get_logger("tools").name == "toolcrib.tools"
    assert get_logger("toolcrib.tools") is get_logger("tools")
    assert get_logger().name == "toolcrib"


def test_nothing_below_warning_is_written_by_default(capfd):
    """S-9: off below WARNING by default, to stderr."""
    setup()
    get_logger("x").info("quiet")
    get_logger("x").warning("loud")
    out, err = capfd.readouterr()
    assert out == ""
    assert "loud" in err
    assert "quiet" not in err


def test_trace_lines_are_written_when_asked_for(capfd):
    """S-9: --log-level TRACE shows every call."""
    setup("trace")
    get_logger("x").log(TRACE, "every step")
    assert "TRACE toolcrib.x: every step" in capfd.readouterr().err


def test_a_json_log_has_one_object_per_line_with_the_extras(tmp_path):
    """S-9: --log-json."""
    log = tmp_path / "log.jsonl"
    setup("DEBUG", as_json=True, file=log)
    get_logger("x").debug("done\nand dusted", extra={"tool": "echo"})
    try:
        raise ValueError("boom")
    except ValueError:
        get_logger("x").exception("failed")
    first, second = (json.loads(line) for line in log.read_text().splitlines())
    assert first["message"] == "done\nand dusted"
    assert (first["tool"], first["level"], first["logger"]) == ("echo", "DEBUG", "toolcrib.x")
    assert "boom" in second["exception"]


def test_what_others_complain_of_has_the_same_form(tmp_path):
    """S-9: --log-json: every line is an object, also those of asyncio and of the SDK."""
    setup(as_json=True, file=tmp_path / "first.log")
    setup(as_json=True, file=tmp_path / "log.jsonl")
    logging.getLogger("asyncio").error("Task exception was never retrieved")
    logging.getLogger("mcp.server").info("quiet")
    get_logger("x").warning("ours, once")
    lines = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert [line["logger"] for line in lines] == ["asyncio", "toolcrib.x"]
    assert (tmp_path / "first.log").read_text() == ""


def test_setting_up_again_replaces_the_first(tmp_path, capfd):
    setup("INFO", file=tmp_path / "first.log")
    setup("INFO")
    get_logger("x").info("once")
    assert capfd.readouterr().err.count("once") == 1
    assert (tmp_path / "first.log").read_text() == ""


def test_an_unknown_level_names_the_known_ones():
    with pytest.raises(ValueError, match=r"'LOUD' is not one of: TRACE, DEBUG, INFO"):
        setup("LOUD")


HOSTILE = "a\x1b[31m\x9b31m\u202eevil\rb"


@pytest.mark.parametrize("as_json", [False, True])
def test_no_line_makes_a_terminal_do_anything(tmp_path, as_json):
    """T-6, issue: escapes of a repository are shown, not sent; JSON still means the same."""
    file = tmp_path / "log"
    setup(as_json=as_json, file=file)
    try:
        get_logger("x").warning("file %s", HOSTILE)
    finally:
        setup()
    text = file.read_text()
    assert not any(sign in text for sign in "\x1b\x9b\u202e\r")
    if as_json:
        assert json.loads(text)["message"] == f"file {HOSTILE}"
    else:
        assert "\\x1b[31m" in text


def test_a_warning_is_written_once(capsys: pytest.CaptureFixture[str]) -> None:
    """S-9: whoever asked for no log sees each warning once; another command begins anew."""
    for _ in range(2):
        speak_plainly()
        for _ in range(3):
            get_logger("guide.skills").warning("left out: %s", "x")
        get_logger("guide.skills").warning("left out: %s", "y")
        assert capsys.readouterr().err == "left out: x\nleft out: y\n"


def test_warnings_can_be_collected_instead(capsys: pytest.CaptureFixture[str]) -> None:
    """U-1: for a report that shows them itself."""
    speak_plainly()
    with collected() as said:
        for text in ("a", "b", "a"):
            get_logger("x").warning(text)
        get_logger("x").info("quiet")
    assert said == ["a", "b"] and capsys.readouterr().err == ""
    get_logger("x").warning("after")
    assert capsys.readouterr().err == "after\n"


def test_a_traceback_is_never_collected_in_silence(capsys: pytest.CaptureFixture[str]) -> None:
    """S-9: what crashes while a report is made, in any thread, is in the log."""
    speak_plainly()
    with collected() as said:
        try:
            raise ValueError("the bug")
        except ValueError:
            get_logger("web").exception("a page failed")
    assert said == []
    shown = capsys.readouterr().err
    assert "a page failed" in shown and "the bug" in shown
