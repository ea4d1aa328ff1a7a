"""Known things: kinds of software, their members, and what they are for."""
