"""Draw Figure 1: correlation with the judgement against the cut-off, a line per variant; and its twins."""

from dataclasses import replace
from functools import partial

from sera.evaluation.tables import caption, read_tsv
from sera.metrics.sera import PAPER_CUTOFFS, Sera
from sera.reporting.figures import save_both
from study.published.tables import FIGURE1, read_published
from study.report.figures import correlation_by_cutoff
from study.workflow.job import job

with job(snakemake) as rule:
    table = read_tsv(rule.input.correlations)
    found = table[table["against"] == rule.params.judgement].set_index("metric")
    cutoffs = sorted(rule.params.cutoffs)
    variants = [
        Sera(1, discounted, query) for query in rule.params.formulations for discounted in (False, True)
    ]
    path = rule.input.get("published")
    printed = read_published(path).set_index("metric") if path else None
    for place, (figure, coefficient) in enumerate(FIGURE1.items()):
        lines = {
            variant.name.removesuffix("-1"): [
                found.loc[replace(variant, cutoff=cutoff).name, coefficient] for cutoff in cutoffs
            ]
            for variant in variants
        }
        published = None
        if printed is not None:
            published = {
                variant.name.removesuffix("-1"): {
                    cutoff: printed.loc[replace(variant, cutoff=cutoff).name, coefficient]
                    for cutoff in PAPER_CUTOFFS
                }
                for variant in variants
            }
        judgement = rule.params.judgement
        draw = partial(
            correlation_by_cutoff,
            lines,
            cutoffs,
            title=caption(figure, rule.params.benchmark, judgement, compared=published is not None),
            judgement=judgement,
            coefficient=coefficient,
            published=published,
        )
        save_both(draw, rule.output[place].removesuffix(".svg"))
