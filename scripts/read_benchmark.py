"""Read a benchmark's topics into records."""

from sera import records
from sera.benchmarks import BENCHMARKS
from sera.metrics.scoring import write_judgements
from sera.reporting.job import job

with job(snakemake) as rule:
    topics = BENCHMARKS.load(rule.params.benchmark).read(
        release=rule.params.release, pyramids=rule.params.pyramids, cleaning=rule.params.cleaning
    )
    records.write(rule.output.sources, (topic.source for topic in topics))
    if "judgements" in rule.output.keys():
        write_judgements(rule.output.judgements, (each for topic in topics for each in topic.judgements))
    for kind in {"references", "citances", "nuggets", "documents", "candidates"} & set(rule.output.keys()):
        records.write(rule.output[kind], (record for topic in topics for record in getattr(topic, kind)))
