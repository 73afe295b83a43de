"""Retrieval: queries from summaries, search engines, and runs."""
