"""Prompts: their files, and how they are filled in."""
