"""Corpora: collections of articles to index and how to download them, and summaries from users."""
