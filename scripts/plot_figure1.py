"""Draw Figure 1: Spearman's rho with the judgement against the cut-off, one line per variant of SERA."""

from dataclasses import replace

from sera.evaluation.tables import read_tsv
from sera.metrics.sera import PAPER_CUTOFFS, Sera
from sera.published.paper import caption, read_published
from sera.reporting.figures import correlation_by_cutoff, save_both
from sera.reporting.job import job

with job(snakemake) as rule:
    table = read_tsv(rule.input.correlations)
    rho = table[table["against"] == rule.params.judgement].set_index("metric")["spearman"]
    cutoffs = sorted(rule.params.cutoffs)
    variants = [Sera(1, discounted, query) for query in ("plain", "np", "kw") for discounted in (False, True)]
    lines = {
        variant.name.removesuffix("-1"): [rho[replace(variant, cutoff=cutoff).name] for cutoff in cutoffs]
        for variant in variants
    }
    published = None
    if path := rule.input.get("published"):
        printed = read_published(path).set_index("metric")["spearman"]
        published = {
            variant.name.removesuffix("-1"): {
                cutoff: printed[replace(variant, cutoff=cutoff).name] for cutoff in PAPER_CUTOFFS
            }
            for variant in variants
        }
    save_both(
        lambda narrow=False: correlation_by_cutoff(
            lines,
            cutoffs,
            title=caption(
                "figure1", rule.params.benchmark, rule.params.judgement, compared=published is not None
            ),
            judgement=rule.params.judgement,
            published=published,
            narrow=narrow,
        ),
        rule.output[0].removesuffix(".svg"),
    )
