"""The features of S3: the metrics from whose scores it predicts a human judgement."""

BEST = ("ROUGE-1-R", "ROUGE-2-R", "ROUGE-WE-1-R", "ROUGE-WE-2-R", "JS-ref-1", "JS-ref-2")
"""The features of S3-best (footnote 3): the paper's choice, made on its own data."""

_ARTICLE = tuple(f"{family}-{n}" for family in ("TF*IDF", "Cov", "KL", "JS") for n in (1, 2))
FULL = (*BEST, "ROUGE-L-R", "AVG_SIM", "Frame-1", "Frame-2", *_ARTICLE, "Red-1", "Red-2")
"""The features of S3-full (section 3.1)."""

MODELS = {"S3-best": BEST, "S3-full": FULL}
"""The models to train, with their features."""
