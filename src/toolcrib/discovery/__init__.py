"""The two meta-tools over all tools that are not listed."""
