"""Servers at a URL: over HTTP in both eras, and over the stream of events of the first one."""
