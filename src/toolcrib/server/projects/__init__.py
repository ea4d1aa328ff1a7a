"""Several projects behind one HTTP server, each under a name of its own."""
