"""Claims about metrics: the sentences of papers, and their check."""
