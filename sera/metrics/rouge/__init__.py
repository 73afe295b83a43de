"""ROUGE: its measures, and what they are made of."""
