"""Split the topics: those to train on, those that choose the best pass, and those to summarise."""

from sera import records
from sera.benchmarks import BENCHMARKS
from sera.guided.parts import of_splits, part
from sera.reporting.job import job

with job(snakemake) as rule:
    sources = records.read(rule.input.sources, records.Source)
    references = records.read(rule.input.references, records.Reference)
    if rule.params.release:
        splits = dict(BENCHMARKS.load(rule.params.benchmark).splits(release=rule.params.release))
        parts = of_splits(splits, sources, rule.params.release)
    else:
        parts = part(int(rule.wildcards.fold), rule.params.folds, sources, references, rule.params.seed)
    records.write(rule.output.sources, parts.training.sources)
    records.write(rule.output.references, parts.training.all_references())
    records.write(rule.output.dev_sources, parts.development.sources)
    records.write(rule.output.dev_references, parts.development.all_references())
    records.write(rule.output.tested, parts.tested)
