"""Proposals compared with the decisions on record."""
