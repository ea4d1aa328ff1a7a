"""Speaking to other MCP servers, by the official SDK's client: the only place that imports it."""
