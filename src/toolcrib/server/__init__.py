"""The MCP server over stdio and HTTP, built from the packs' contributions."""
