"""Claims about metrics, as formulas, and their check."""
