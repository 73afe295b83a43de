"""Word vectors: reading and writing their files, and learning them from an index."""
