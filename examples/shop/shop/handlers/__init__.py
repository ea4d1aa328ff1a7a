"""The web: requests in, responses out, and nothing that a shop would do without the web."""
