"""Static word vectors: the model, and the vectors of an index."""
