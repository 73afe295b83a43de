"""The tables of single papers."""
