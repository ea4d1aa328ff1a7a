"""Tokens that people hand out."""

from __future__ import annotations

import asyncio
import hashlib
from pathlib import Path

import pytest

from toolcrib.core.errors import ConfigError
from toolcrib.server.auth.tokens import verifier_for
from toolcrib.settings import HttpSettings, load


def hashed(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def caller(settings: HttpSettings, project: Path, token: str) -> str | None:
    verifier = verifier_for(settings, project)
    assert verifier is not None
    return asyncio.run(verifier.caller(token))


def test_a_caller_goes_by_the_name_of_the_token(tmp_path: Path) -> None:
    """R-2: `alice:sha256…` in the file, a table in the settings: the caller is that name, also
    after the token was changed."""
    file = tmp_path / "tokens"
    file.touch(0o600)
    file.write_text(f"alice:sha256:{hashed('one')}\nbob:{hashed('two')}\nplain\n")
    settings = HttpSettings(token_file="tokens")
    assert caller(settings, tmp_path, "one") == "alice"
    assert caller(settings, tmp_path, "two") == "bob"
    assert caller(settings, tmp_path, "plain") == f"token:{hashed('plain')[:8]}"
    assert caller(settings, tmp_path, "alice") is None
    (tmp_path / "toolcrib.toml").write_text(f'[http.tokens]\ncarol = "{hashed("three")}"\n')
    assert caller(load(tmp_path).http, tmp_path, "three") == "carol"


@pytest.mark.parametrize("mode", [0o644, 0o604, 0o666])
def test_a_file_that_others_can_read_is_refused_with_its_mode(tmp_path: Path, mode: int) -> None:
    """S-6: a token file that others can read is an error that names its mode."""
    file = tmp_path / "tokens"
    file.write_text("secret\n")
    file.chmod(mode)
    with pytest.raises(ConfigError, match=f"{mode:04o}"):
        verifier_for(HttpSettings(token_file="tokens"), tmp_path)
    file.chmod(0o640)
    assert caller(HttpSettings(token_file="tokens"), tmp_path, "secret") is not None
