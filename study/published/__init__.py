"""The published tables, and comparisons of results with them."""
