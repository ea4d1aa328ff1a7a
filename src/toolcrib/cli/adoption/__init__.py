"""Moving the servers that a person's clients have behind toolcrib, and back."""
