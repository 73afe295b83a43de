"""Read the scores and judgements of a release without texts."""

import shutil
from pathlib import Path

from sera.benchmarks import load_benchmark
from sera.io.scores import write_given, write_judgements
from study.workflow.job import job

with job(snakemake) as rule:
    topics = load_benchmark(rule.params.benchmark).read(release=rule.params.release)
    write_judgements(rule.output.judgements, (row for topic in topics for row in topic.judgements))
    scores = [row for topic in topics for row in topic.given]
    write_given(rule.output.scores, rule.output.signatures, scores, prefix="")
    if (signatures := Path(rule.params.release, "signatures.tsv")).is_file():
        shutil.copyfile(signatures, rule.output.signatures)
