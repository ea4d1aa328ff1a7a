"""The programs that agents live in, and how each is told about a server."""
