"""Pages of results, and their figures."""
