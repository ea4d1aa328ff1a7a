"""Standard streams and HTTP."""
