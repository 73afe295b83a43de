"""Draw the figures that summarise the results."""

from pathlib import Path

from sera.evaluation.tables import read_tsv
from sera.metrics.scoring import read_scores, with_judgements
from sera.published.paper import caption
from sera.reporting.figures import (
    heat_map,
    reproduced_and_published,
    save,
    scatter,
    shortened,
    small_multiples,
)
from sera.reporting.job import job
from sera.reporting.overview import between_metrics, points, sensitivity, shown_metrics

with job(snakemake) as rule:
    folder = Path(rule.output[0]).parent
    judgement = rule.params.judgement
    correlations = read_tsv(rule.input.correlations)
    table = read_tsv(rule.input.table2)
    table = table[table["against"] == judgement]
    scores = with_judgements(read_scores(rule.input.scores), rule.input.get("judgements"))

    def title(name):
        return caption(name, rule.params.benchmark, judgement)

    published = table["spearman_paper"].notna().any()
    save(
        reproduced_and_published(
            table, title=title("comparison" if published else "correlations"), judgement=judgement
        ),
        folder / "comparison",
    )
    save(
        scatter(
            points(scores, rule.params.systems, shown_metrics(correlations, judgement), judgement),
            judgement=judgement,
            title=title("scatter"),
        ),
        folder / "scatter",
    )
    matrix = between_metrics(scores, rule.params.systems, [judgement, *table["metric"]], judgement)
    save(heat_map(matrix, title=title("metrics")), folder / "metrics")
    panels = sensitivity(
        correlations,
        judgement,
        cutoffs=sorted(rule.params.cutoffs),
        thresholds=rule.input.get("thresholds"),
        universes=rule.input.get("universes"),
    )
    save(
        small_multiples(
            panels, title=title("sensitivity"), label=f"Spearman's ρ with {shortened([judgement])[judgement]}"
        ),
        folder / "sensitivity",
    )
