"""The guide's tools: their functions, and the list that is served of them."""
