"""The pages: from an address to what is shown."""
