"""The client for other MCP servers; the only package that imports the official SDK."""
