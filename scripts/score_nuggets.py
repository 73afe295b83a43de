"""Score every candidate by the families of metrics that need the annotated nuggets."""

from sera import records
from sera.metrics.equip import Resources, equip, listed_names
from sera.metrics.pyramid import Pyramid
from sera.metrics.scoring import canonical_name, score, write_scores, write_signatures
from sera.reporting.job import job

with job(snakemake) as rule:
    nuggets = Pyramid.from_records(records.iterate(rule.input.nuggets, records.Nugget))
    metrics = equip(listed_names(rule.params.families), rule.params.settings, Resources(nuggets=nuggets))
    table = score(
        metrics,
        records.read_all(rule.input.candidates, records.Candidate),
        records.read(rule.input.references, records.Reference),
        label=canonical_name,
    )
    write_scores(rule.output.scores, table)
    write_signatures(rule.output.signatures, metrics, label=canonical_name)
