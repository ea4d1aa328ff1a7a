"""Other MCP servers, behind the same two meta-tools."""
