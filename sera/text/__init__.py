"""Texts: splitting into sentences, and analysis into index terms."""
