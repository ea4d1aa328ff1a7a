"""Where an import reads from: man pages and shell completions."""
