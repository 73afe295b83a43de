"""Draw the figures that summarise the results."""

from pathlib import Path

from sera.evaluation.tables import caption, has_published, read_tsv
from sera.io.scores import read_scores, with_judgements
from sera.reporting.drawings import drawings
from sera.reporting.figures import save_both
from study.report.figures import small_multiples
from study.report.sensitivity import sensitivity
from study.workflow.job import job

with job(snakemake) as rule:
    folder = Path(rule.output[0]).parent
    judgement = rule.params.judgement
    correlations = read_tsv(rule.input.correlations)
    table = read_tsv(rule.input.table2)
    table = table[table["against"] == judgement].reset_index(drop=True)
    scores = with_judgements(read_scores(rule.input.scores), rule.input.get("judgements"))
    published = has_published(table)

    def title(name):
        return caption(name, rule.params.benchmark, judgement, compared=published)

    drawn = drawings(
        table, correlations, scores, rule.params.systems, judgement, title, rule.params.confidence
    )
    for name, draw in drawn.items():
        save_both(draw, folder / name)
    panels = sensitivity(
        correlations,
        judgement,
        cutoffs=sorted(rule.params.cutoffs),
        thresholds=rule.input.get("thresholds"),
        universes=rule.input.get("universes"),
    )
    save_both(
        lambda narrow=False: small_multiples(panels, title=title("sensitivity"), narrow=narrow),
        folder / "sensitivity",
    )
