"""The command line: `sera --help`. Each command reads and writes the records of `sera.io.records`.

A file holds the commands of one room and has its name; `inputs` has what several of them are given. Modules
of other rooms are imported where a command needs them, so that `sera --help` answers at once.
"""

from __future__ import annotations

import click

from sera import __version__, quick_start
from sera.cli import (
    benchmarks,
    corpora,
    evaluation,
    grid,
    keywords,
    language_model,
    marks,
    metrics,
    report,
    retrieval,
    rouge,
    s3,
    score,
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
    quick_start.install()


for _command in (
    *(metrics.metrics, score.score, grid.grid, keywords.keywords, marks.mark, rouge.rouge),
    *(
        evaluation.average,
        evaluation.evaluate,
        evaluation.compare,
        report.report,
    ),
    *(summarizers.summarizers, summarizers.summarize, summarizers.sample, language_model.ask),
    *(retrieval.analyze, retrieval.index),
    *(vectors.vectors, s3.s3, corpora.corpus, benchmarks.datasets),
):
    main.add_command(_command)
