"""What a tool is and how it runs: no MCP package and no pack is known here."""
