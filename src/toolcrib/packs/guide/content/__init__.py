"""Categories, collections, and what an expression selects."""
