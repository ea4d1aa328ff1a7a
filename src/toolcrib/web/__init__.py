"""The page for people, and the reader of the record that it shares with `toolcrib calls`."""
