"""Programs that configs need: what cannot be started is told before anybody calls it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from toolcrib.core.errors import ConfigError
from toolcrib.packs.climax.config.config_set import load_config_set
from toolcrib.packs.climax.config.validation import validate_files
from toolcrib.packs.climax.pack import ClimaxPack
from toolcrib.packs.climax.settings import ClimaxSettings

CONFIG = "command: {command}\ntools: [{{name: one, description: d}}]\n"
IN_CONTAINERS = "executor: {type: docker, image: alpine}\ndefault: enabled\n"
Write = Callable[..., Path]


def settings(policy: str | None = None, *, strict: bool = True) -> ClimaxSettings:
    return ClimaxSettings(configs=("one.yaml",), policy=policy, strict=strict)


def file_in(folder: Path, name: str, mode: int) -> Path:
    folder.mkdir(exist_ok=True)
    file = folder / name
    file.write_text("#!/bin/sh\n")
    file.chmod(mode)
    return file


def docker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, there: bool) -> None:
    programs = tmp_path / "programs"
    programs.mkdir()
    if there:
        file_in(programs, "docker", 0o755)
    monkeypatch.setenv("PATH", str(programs))


def test_what_only_the_image_needs_is_not_missed_under_strict(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C-8, C-11: a program in a container is no missing program of this machine."""
    write(CONFIG.format(command="only-in-the-image"), "one.yaml")
    write(IN_CONTAINERS, "policy.yaml")
    docker(tmp_path, monkeypatch, there=True)
    wanted = settings("policy.yaml")
    assert [each.file for each in load_config_set(tmp_path, wanted).configs] == ["one.yaml"]
    report = validate_files(tmp_path, wanted)
    assert report.valid, report.lines()
    texts = [each.text for each in ClimaxPack(tmp_path, wanted).health()]
    assert not any("only-in-the-image" in text for text in texts)
    with pytest.raises(ConfigError, match="only-in-the-image is not installed"):
        load_config_set(tmp_path, settings())


def test_containers_need_docker(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C-11: what is missing is named, once."""
    write(CONFIG.format(command="only-in-the-image"), "one.yaml")
    write(IN_CONTAINERS, "policy.yaml")
    docker(tmp_path, monkeypatch, there=False)
    with pytest.raises(ConfigError, match="docker is not installed"):
        load_config_set(tmp_path, settings("policy.yaml"))
    told = validate_files(tmp_path, settings("policy.yaml", strict=False)).lines()
    assert ("warning", "policy.yaml: The program 'docker' is not installed") in told
    assert sum("not installed" in text for _, text in told) == 1


def test_a_program_that_cannot_be_executed_is_an_error_under_strict(
    write: Write, tmp_path: Path
) -> None:
    """C-11, FAULTS: a folder, or a file that may not be executed, is none; a program is one."""
    (tmp_path / "folder").mkdir()
    file_in(tmp_path, "plain", 0o644)
    file_in(tmp_path, "program", 0o755)
    for command, why in (
        ("./folder", "is not a file that can be executed"),
        ("./plain", "may not be executed"),
        ("./absent", "is not installed"),
    ):
        write(CONFIG.format(command=command), "one.yaml")
        with pytest.raises(ConfigError, match=why) as caught:
            load_config_set(tmp_path, settings())
        assert command in caught.value.what
        assert not validate_files(tmp_path, settings()).valid
        assert validate_files(tmp_path, settings(strict=False)).valid
        load_config_set(tmp_path, settings(strict=False))
    write(CONFIG.format(command="./program"), "one.yaml")
    load_config_set(tmp_path, settings())
    assert validate_files(tmp_path, settings()).valid
