"""Ranking for tools, documents and decisions alike: one index type, three users."""
