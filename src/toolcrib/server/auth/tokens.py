"""HTTP authentication: static bearer tokens, stored as hashes, and JWTs by JWKS."""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import stat
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toolcrib.core.errors import ConfigError, Place
from toolcrib.core.support.records import record
from toolcrib.server.auth.jwks import PublishedKeys
from toolcrib.settings import HttpSettings

if TYPE_CHECKING:
    from jwt import PyJWK

# Asymmetric only: with a shared secret, whoever can check a token could also make one.
_ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "ES256", "ES384", "EdDSA"]
_HASH = re.compile(r"(?:sha256:)?([0-9a-f]{64})", re.IGNORECASE)
_NAMED = re.compile(r"([A-Za-z0-9][A-Za-z0-9._@-]{0,63}):(sha256:.*|[0-9a-fA-F]{64})")
_OTHERS = stat.S_IROTH | stat.S_IWOTH
_LARGEST = 8192


@record
class Identity:
    """Who holds a token: a name, and of a JWT what its issuer says of them."""

    name: str
    claims: Mapping[str, Any] = field(default_factory=dict)


class Verifier(ABC):
    """Decides about a bearer token."""

    @abstractmethod
    async def identity(self, token: str) -> Identity | None:
        """The holder of the token, or None if it is not valid."""

    async def caller(self, token: str) -> str | None:
        """The name of whoever holds the token."""
        found = await self.identity(token)
        return None if found is None else found.name


class StaticTokens(Verifier):
    """Bearer tokens that an administrator issued; only their hashes are kept.

    `hashes` leads from the hash of each token to the name of its holder: the caller goes by that
    name, also after the token was changed. One without a name goes by the token.
    """

    def __init__(self, hashes: Mapping[str, str | None]) -> None:
        self._known = {hash: Identity(name or nameless(hash)) for hash, name in hashes.items()}

    async def identity(self, token: str) -> Identity | None:
        """Compare with each hash in constant time."""
        given = hash_of(token)
        found = [known for known in self._known if hmac.compare_digest(known, given)]
        return self._known[found[0]] if found else None


class JwtTokens(Verifier):
    """Tokens of an issuer, checked with the keys that it publishes."""

    def __init__(self, jwks_url: str, issuer: str, audience: str) -> None:
        self._keys = PublishedKeys(jwks_url)
        self._issuer = issuer
        self._audience = audience

    async def identity(self, token: str) -> Identity | None:
        """Check signature, issuer, audience and times; the keys may have to be fetched."""
        import jwt

        try:
            key = await self._keys.find(jwt.get_unverified_header(token).get("kid"))
            claims = self._claims(token, key) if key is not None else None
        except (jwt.PyJWTError, RecursionError):  # a header may be nested as deeply as it is long
            return None
        if claims is None:
            return None
        return Identity(f"jwt:{claims['iss']}:{claims['sub']}", claims)

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


class AnyOf(Verifier):
    """Whichever verifier knows the token."""

    def __init__(self, sources: Sequence[Verifier]) -> None:
        self._sources = sources

    async def identity(self, token: str) -> Identity | None:
        """Who holds the token; None where nobody knows it."""
        if not 0 < len(token) <= _LARGEST:
            return None
        for source in self._sources:
            found = await source.identity(token)
            if found is not None:
                return found
        return None


def verifier_for(settings: HttpSettings, project: Path) -> Verifier | None:
    """What the settings ask for, or None where nobody is asked for anything."""
    sources: list[Verifier] = []
    hashes = dict(named_hash(text) for text in (*settings.tokens, *settings.dashboard_tokens))
    if settings.token_file:
        hashes |= _hashes_of(project / settings.token_file)
    if hashes:
        sources.append(StaticTokens(hashes))
    if settings.jwks_url:
        if not (settings.issuer and settings.audience):
            raise ConfigError(
                "[http] jwks_url needs issuer and audience",
                why="a token that was issued for another audience must not be accepted here",
            )
        sources.append(JwtTokens(settings.jwks_url, settings.issuer, settings.audience))
    return AnyOf(sources) if sources else None


def hash_of(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).hexdigest()


def nameless(hashed: str) -> str:
    """What the holder of a token without a name is called."""
    return f"token:{hashed[:8]}"


def named_hash(text: str) -> tuple[str, str | None]:
    """The hash of a token, and the name of its holder if there is one before it."""
    named = _NAMED.fullmatch(text.strip())
    name, given = (named[1], named[2]) if named and named[1] != "sha256" else (None, text.strip())
    match = _HASH.fullmatch(given)
    if match is None:
        raise ConfigError(
            "[http] tokens holds SHA-256 hashes, not tokens",
            next="Hash a token with: printf %s TOKEN | sha256sum",
        )
    return match.group(1).lower(), name


def _hashes_of(file: Path) -> dict[str, str | None]:
    try:
        with file.open(encoding="utf-8") as opened:
            mode = os.fstat(opened.fileno()).st_mode
            lines = opened.read().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not UTF-8"
        raise ConfigError("Token file cannot be read", where=Place(str(file)), why=why) from error
    if mode & _OTHERS and os.name == "posix":
        raise ConfigError(
            f"Token file may be read by others: mode {stat.S_IMODE(mode):04o}",
            where=Place(str(file)),
            next=f"chmod 600 {file.name}",
        )
    tokens = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    if not tokens:
        raise ConfigError("Token file holds no token", where=Place(str(file)))
    return dict(_line(token) for token in tokens)


def _line(text: str) -> tuple[str, str | None]:
    """One line of a token file; only what says so is a hash: 64 hex digits are a usual token."""
    named = _NAMED.fullmatch(text)
    if text.startswith("sha256:") or named is not None:
        return named_hash(text)
    return hash_of(text), None
