"""MCP clients, and how a server is registered with each of them."""
