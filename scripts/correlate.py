"""Correlate every metric with Pyramid, and SERA with the ROUGE variants of Table 3."""

from job import job

from sera.correlation import Bootstrap, Scores, correlate
from sera.paper import read_published
from sera.scoring import read_scores
from sera.tables import write_tsv

with job(snakemake) as rule:  # noqa: F821
    scores = Scores.of(read_scores(rule.input.scores), rule.params.systems)
    published = [
        pair
        for path in rule.input.published
        for pair in read_published(path)[["metric", "against"]].to_numpy()
    ]
    pairs = [(name, "Pyramid") for name in scores.metrics if name != "Pyramid"]
    pairs += [tuple(pair) for pair in published if pair[1] != "Pyramid"]
    write_tsv(
        rule.output[0],
        correlate(
            scores,
            pairs,
            bootstrap=Bootstrap("topics", rule.params.resamples, rule.params.seed),
            confidence=rule.params.confidence,
        ),
    )
