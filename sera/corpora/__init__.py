"""Corpora: collections of articles that can be indexed, and how they are fetched."""
