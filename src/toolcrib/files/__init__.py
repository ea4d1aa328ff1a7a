"""The only code that opens files of the repository: confined, limited, decoded, cached, watched."""
