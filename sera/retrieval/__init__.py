"""Retrieval: engines, queries, and runs."""
