"""What a server and a client of MCP share: messages and framing."""
