"""Static word vectors: the model, and the vectors of an index."""

from typing import Final

WIDTH: Final = 256
"""How many numbers a vector has."""
