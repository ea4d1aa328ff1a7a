"""Turns what the packs contribute into a protocol server, over stdio and over HTTP."""
