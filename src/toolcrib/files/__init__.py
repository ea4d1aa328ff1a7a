"""The only code that opens a file of the repo: confined, capped, decoded, cached, watched."""
