"""The reader of Markdown documents."""
