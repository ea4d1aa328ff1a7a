"""How sentences are read: their words, their clauses, what they deny and what they name."""
