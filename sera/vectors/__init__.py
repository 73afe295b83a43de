"""Word vectors: their files, and learning them from an index."""
