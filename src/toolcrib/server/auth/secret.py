"""The secret shared by replicas, so that each can open what another sealed."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from toolcrib.core.errors import ConfigError, Place

VARIABLE: Final = "TOOLCRIB_SECRET"
SHORTEST: Final = 32
"""Bytes that a secret has at least."""


def shared_secret(
    project: Path, file: str | None, environment: Mapping[str, str] | None = None
) -> bytes | None:
    """The secret of the environment, else of `file`; None where there is neither."""
    given = (os.environ if environment is None else environment).get(VARIABLE)
    if given is not None:
        return _long_enough(os.fsencode(given), VARIABLE)
    if file is None:
        return None
    path = project / file
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ConfigError(
            "[server] secret_file cannot be read", where=Place(str(path)), why=error.strerror
        ) from error
    return _long_enough(content.removesuffix(b"\n").removesuffix(b"\r"), f"secret_file {file}")


def _long_enough(secret: bytes, what: str) -> bytes:
    if len(secret) < SHORTEST:
        raise ConfigError(
            f"{what} must have at least {SHORTEST} bytes, it has {len(secret)}",
            next="Make one: openssl rand -hex 32",
        )
    return secret
