"""The command line: `sera --help`. Each command reads and writes the records of `sera.records`.

A file holds the commands of one room and has its name; `inputs` has what several of them are given. Modules
of other rooms are imported where a command needs them, so that `sera --help` answers at once.
"""

from __future__ import annotations

import click

from sera import __version__, quick_nltk
from sera.cli import (
    benchmarks,
    corpora,
    evaluation,
    grid,
    keywords,
    marks,
    metrics,
    paper_claims,
    report,
    retrieval,
    rouge,
    s3,
    study,
    summarizers,
    vectors,
)
from sera.cli.options import Group

__all__ = ["main"]


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="sera")
def main() -> None:
    """Score, summarize and search your own files.

    Files are JSONL, one object per line: candidates have topic, system and sentences; references have
    topic, annotator and sentences. `make reproduce` runs the whole study.
    """
    quick_nltk.install()


for _command in (
    *(metrics.metrics, metrics.score, grid.grid, keywords.keywords, marks.mark, rouge.rouge),
    *(
        evaluation.average,
        evaluation.evaluate,
        evaluation.compare,
        report.report,
        evaluation.audit,
        paper_claims.claims,
    ),
    *(summarizers.summarizers, summarizers.summarize, summarizers.sample),
    *(retrieval.analyze, retrieval.index),
    *(vectors.vectors, s3.s3, corpora.corpus, benchmarks.datasets, study.study),
):
    main.add_command(_command)
