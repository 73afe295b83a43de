"""The published tables, and comparisons of results with them."""

PAPERS_BENCHMARK, RELEASED_BENCHMARK = "tac2014", "tac2014_scores"
"""The benchmark of the published numbers, and that of its released scores."""

RELEASED = f"resources/released/{PAPERS_BENCHMARK}"  # the folder of the released scores, in a checkout

KINDS_RELEASED = "resources/released/pooled_kinds.tsv"
"""How well kinds of metrics follow people, pooled over releases, in a checkout."""

MATRIX_RELEASED = tuple(
    f"{name}.tsv" for name in ("pooled", "releases", "pooled_kinds", "choices", "shown", "benchmarks")
)
"""The released tables of the matrix, which have every number of docs/matrix.md."""

POOLED_RELEASED = "resources/released/pooled.tsv"
"""SERA less ROUGE, pooled over releases, in a checkout."""

RECOGNITION_RELEASED = "resources/released/recognition.tsv"
"""How Pyramid by a program agrees with people over the systems of REALSumm, in a checkout."""

FIGURE1 = {"figure1": "spearman", "figure1_pearson": "pearson", "figure1_kendall": "kendall"}
"""Figure 1 and its twins, which the paper describes as "very similar graphs", by the coefficient."""


def expected_name(study: str) -> str:
    """The study whose expected numbers are those of a study: for released scores, the one that made them."""
    return PAPERS_BENCHMARK if study == RELEASED_BENCHMARK else study
