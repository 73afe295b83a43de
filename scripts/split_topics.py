"""Split the topics: those to train on, those that choose the best pass, and those to summarise."""

from sera.benchmarks import load_benchmark
from sera.io import records
from study.workflow.job import job
from study.workflow.topic_splits import draw_part, read_splits

with job(snakemake) as rule:
    sources = records.read(rule.input.sources, records.Source)
    references = records.read(rule.input.references, records.Reference)
    splits = load_benchmark(rule.params.benchmark).splits
    if rule.params.release and splits is not None:
        parts = read_splits(dict(splits(release=rule.params.release)), sources, rule.params.release)
    else:
        parts = draw_part(int(rule.wildcards.fold), rule.params.folds, sources, references, rule.params.seed)
    records.write(rule.output.sources, parts.training.sources)
    records.write(rule.output.references, parts.training.references)
    records.write(rule.output.dev_sources, parts.development.sources)
    records.write(rule.output.dev_references, parts.development.references)
    records.write(rule.output.tested, parts.tested)
