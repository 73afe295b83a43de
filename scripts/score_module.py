"""Score every candidate by all metrics of a module that needs only summaries and articles."""

from sera import records
from sera.metrics import FAMILIES, metric
from sera.metrics.scoring import score, write_scores
from sera.reporting.job import job

with job(snakemake) as rule:  # noqa: F821
    module = f"sera.metrics.{rule.wildcards.module}"
    families = [family for family in FAMILIES if FAMILIES.module(family) == module]
    write_scores(
        rule.output[0],
        score(
            [
                metric(name, **rule.params.settings.get(family, {}))
                for family in families
                for name in FAMILIES.load(family).names()
            ],
            records.read_all(rule.input.candidates, records.Candidate),
            records.read(rule.input.references, records.Reference),
            records.read(rule.input.sources, records.Source),
        ),
    )
