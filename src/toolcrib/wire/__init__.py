"""What a server and a client of MCP share: messages, framing, versions and eras."""
