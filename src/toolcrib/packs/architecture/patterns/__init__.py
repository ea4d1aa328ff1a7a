"""Patterns and their rules, and code checked against them."""
