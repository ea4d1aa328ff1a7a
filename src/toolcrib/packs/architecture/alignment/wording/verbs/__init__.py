"""What the verbs of a clause do to a thing: take it, put it to work, or part from it."""
