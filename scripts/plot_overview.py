"""Draw the figures that show the results at a glance."""

from pathlib import Path

from job import job

from sera.figures import heat_map, reproduced_and_published, save, scatter, small_multiples
from sera.overview import between_metrics, sensitivity, shown_metrics, system_means
from sera.paper import caption, read_published
from sera.scoring import read_with_judgements
from sera.tables import read_tsv

with job(snakemake) as rule:  # noqa: F821
    folder = Path(rule.output[0]).parent
    against, label = rule.params.against, rule.params.benchmark
    correlations = read_tsv(rule.input.correlations)
    # of the metrics that the paper compares, so that the figures are of one size
    compared = read_published(rule.input.published)["metric"]
    if rule.input.get("table2"):
        table = read_tsv(rule.input.table2)
    else:
        table = correlations[(correlations["against"] == against) & correlations["metric"].isin(compared)]
    scores = read_with_judgements(rule.input.scores, rule.input.get("human"))
    systems = rule.params.systems

    def title(name):
        return caption(name, label).replace("Pyramid", against)

    save(reproduced_and_published(table, title=title("comparison"), against=against), folder / "comparison")
    means = system_means(scores, systems)
    metrics = shown_metrics(correlations, against)
    save(scatter(means, metrics, against=against, title=title("scatter")), folder / "scatter")
    matrix = between_metrics(scores, systems, [against, *table["metric"]])
    save(heat_map(matrix, title=title("metrics")), folder / "metrics")
    panels = sensitivity(
        correlations,
        against,
        cutoffs=sorted(rule.params.cutoffs),
        thresholds=rule.input.get("thresholds"),
        universes=rule.params.universes and rule.params.universes[0],
    )
    save(
        small_multiples(panels, title=title("sensitivity"), label=f"Spearman's ρ with {against}"),
        folder / "sensitivity",
    )
