"""Who may come in over HTTP: static bearer tokens, kept as hashes, and JWTs by JWKS."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from toolcrib.core.errors import ConfigError, Place
from toolcrib.server.auth.jwks import PublishedKeys
from toolcrib.settings import HttpSettings

if TYPE_CHECKING:
    from jwt import PyJWK

# Asymmetric only: with a shared secret, whoever can check a token could also make one.
_ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "ES256", "ES384", "EdDSA"]
_HASH = re.compile(r"(?:sha256:)?([0-9a-f]{64})", re.IGNORECASE)
_LARGEST = 8192


class Verifier(Protocol):
    """Decides about a bearer token."""

    async def caller(self, token: str) -> str | None:
        """A name for whoever holds the token, or None where it is worth nothing."""


class StaticTokens:
    """Tokens that were handed out by a person; only their hashes are kept."""

    def __init__(self, hashes: Iterable[str]) -> None:
        self._hashes = sorted(set(hashes))

    async def caller(self, token: str) -> str | None:
        """Compare with each hash in constant time."""
        given = hashlib.sha256(token.encode()).hexdigest()
        found = [known for known in self._hashes if hmac.compare_digest(known, given)]
        return f"token:{found[0][:8]}" if found else None


class JwtTokens:
    """Tokens of an issuer, checked with the keys that it publishes."""

    def __init__(self, jwks_url: str, issuer: str, audience: str) -> None:
        self._keys = PublishedKeys(jwks_url)
        self._issuer = issuer
        self._audience = audience

    async def caller(self, token: str) -> str | None:
        """Check signature, issuer, audience and times; the keys may have to be fetched."""
        import jwt

        try:
            key = await self._keys.find(jwt.get_unverified_header(token).get("kid"))
            claims = self._claims(token, key) if key is not None else None
        except (jwt.PyJWTError, RecursionError):  # a header may be nested as deeply as it is long
            return None
        return None if claims is None else f"jwt:{claims['sub']}"

    def _claims(self, token: str, key: PyJWK) -> dict[str, Any]:
        import jwt

        claims: dict[str, Any] = jwt.decode(
            token,
            key,
            algorithms=_ALGORITHMS,
            issuer=self._issuer,
            audience=self._audience,
            options={"require": ["exp", "iss", "aud", "sub"]},
        )
        return claims


class AnyOf:
    """Whichever verifier knows the token."""

    def __init__(self, verifiers: list[Verifier]) -> None:
        self._verifiers = verifiers

    async def caller(self, token: str) -> str | None:
        """Ask one after the other."""
        if not 0 < len(token) <= _LARGEST:
            return None
        for verifier in self._verifiers:
            found = await verifier.caller(token)
            if found is not None:
                return found
        return None


def verifier_for(settings: HttpSettings, project: Path) -> Verifier | None:
    """What the settings ask for, or None where nobody is asked for anything."""
    verifiers: list[Verifier] = []
    hashes = [_hash(text) for text in settings.tokens]
    if settings.token_file:
        hashes += _hashes_of(project / settings.token_file)
    if hashes:
        verifiers.append(StaticTokens(hashes))
    if settings.jwks_url:
        if not (settings.issuer and settings.audience):
            raise ConfigError(
                "[http] jwks_url needs issuer and audience",
                why="a token that was meant for somebody else must not open this door",
            )
        verifiers.append(JwtTokens(settings.jwks_url, settings.issuer, settings.audience))
    return AnyOf(verifiers) if verifiers else None


def _hash(text: str) -> str:
    match = _HASH.fullmatch(text.strip())
    if match is None:
        raise ConfigError(
            "[http] tokens holds SHA-256 hashes, not tokens",
            next="Hash a token with: printf %s TOKEN | sha256sum",
        )
    return match.group(1).lower()


def _hashes_of(file: Path) -> list[str]:
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not UTF-8"
        raise ConfigError("Token file cannot be read", where=Place(str(file)), why=why) from error
    tokens = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    if not tokens:
        raise ConfigError("Token file holds no token", where=Place(str(file)))
    # Only what says so is a hash: 64 hexadecimal digits are a very usual token.
    return [
        _hash(token) if token.startswith("sha256:") else hashlib.sha256(token.encode()).hexdigest()
        for token in tokens
    ]
