"""What the commands share: words, output, the local server."""
