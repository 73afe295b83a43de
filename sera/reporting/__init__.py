"""The report, its figures, and the record of what made the results."""
