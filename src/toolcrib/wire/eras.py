"""The two eras of the protocol, and the envelope of the stateless one."""

from __future__ import annotations

from typing import Final, Literal

Era = Literal["legacy", "modern"]
"""Which protocol a request speaks: with a handshake, or stateless."""

LEGACY: Final = "legacy"
MODERN: Final = "modern"

VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities"
CLIENT_KEY = "io.modelcontextprotocol/clientInfo"
LOG_LEVEL_KEY = "io.modelcontextprotocol/logLevel"
SERVER_KEY = "io.modelcontextprotocol/serverInfo"
SUBSCRIPTION_KEY = "io.modelcontextprotocol/subscriptionId"
