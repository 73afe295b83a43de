"""Reword the demo benchmark's candidates by one drift; score them by every metric and size of the index."""

import logging
from pathlib import Path

from sera.io import records
from sera.io.scores import write_scores
from sera.metrics.configure import Resources, equip
from sera.metrics.s3.words import distinct_words
from sera.metrics.scoring import canonical_name, score
from sera.metrics.sera import PAPER_CUTOFFS, Sera
from sera.retrieval.engines.embedded import open_index
from sera.vectors.word_vectors import read as read_vectors
from study.demo.drift import reworded
from study.demo.scores import rankings, without_search
from study.demo.truth import read_truth
from study.workflow.job import job

with job(snakemake) as rule:
    candidates = reworded(
        records.iterate(rule.input.candidates, records.Candidate),
        read_truth(Path(rule.input.data) / "truth.jsonl"),
        float(rule.wildcards.drift),
        seed=rule.params.seed,
    )
    records.write(rule.output.candidates, candidates)
    references = records.read(rule.input.references, records.Reference)
    vectors = None
    if rule.input.vectors:
        vectors = read_vectors(rule.input.vectors[0], distinct_words([*candidates, *references]))
    metrics, missing = without_search(
        open_index(rule.input.indexes[-1]),  # the largest
        records.read(rule.input.nuggets, records.Nugget),
        vectors,
        rule.params.settings,
    )
    logging.info("not scored: %s", ", ".join(missing) or "none")
    sources = records.read(rule.input.sources, records.Source)
    write_scores(rule.output.scores[0], score(metrics, candidates, references, sources, label=canonical_name))
    queries: dict[str, dict[str, str]] = {}
    for folder, output in zip(rule.input.indexes, rule.output.scores[1:], strict=True):
        ranked = rankings(
            candidates,
            references,
            open_index(folder),
            max(PAPER_CUTOFFS),
            **rule.params.settings["SERA"],
            queries=queries,
        )
        searched = equip(Sera.names(), resources=Resources(rankings=ranked))
        write_scores(output, score(searched, candidates, references, label=canonical_name))
