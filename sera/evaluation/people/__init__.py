"""Several judges, and people's preferences."""
