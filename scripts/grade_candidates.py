"""Gather the systems' summaries, graded extracts of the demo benchmark, and their true scores."""

from pathlib import Path

from sera.io import records
from sera.io.scores import write_judgements
from study.demo.drift import graded, true_scores
from study.demo.truth import read_truth
from study.workflow.job import job

with job(snakemake) as rule:
    truths = read_truth(Path(rule.input.data) / "truth.jsonl")
    candidates = records.read_all(rule.input.summaries, records.Candidate)
    longest: dict[str, int] = {}  # without a limit in words, the longest summary is the limit
    for each in candidates:
        longest[each.topic] = max(longest.get(each.topic, 1), len(" ".join(each.sentences).split()))
    for source in records.iterate(rule.input.sources, records.Source):
        words = rule.params.words or longest[source.topic]
        candidates += graded(truths[source.topic], source, words, seed=rule.params.seed)
    records.write(rule.output.candidates, candidates)
    write_judgements(rule.output.true, true_scores(candidates, truths))
