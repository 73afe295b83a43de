"""The published tables, and comparisons of results with them."""

PAPERS_BENCHMARK = "tac2014"
"""The benchmark of the published numbers."""

FIGURE1 = {"figure1": "spearman", "figure1_pearson": "pearson", "figure1_kendall": "kendall"}
"""Figure 1 and its twins, which the paper describes as "very similar graphs", by the coefficient."""
