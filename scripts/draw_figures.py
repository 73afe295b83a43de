"""Draw the figures of the study, and write their captions."""

from pathlib import Path

import pandas as pd

from sera.evaluation.bootstrap import RESAMPLED
from sera.evaluation.tables import caption, read_tsv
from sera.io import tsv
from sera.reporting.figures import recall_by_length, save
from study.report.figures import study_drawings
from study.workflow.job import job

with job(snakemake) as rule:
    folder = Path(rule.output.texts).parent
    if "lengths" in rule.input.keys():
        title = caption("rougek_figure2", rule.params.benchmark)
        figure = recall_by_length(read_tsv(rule.input.lengths), title=title)
        save(figure, folder / "rougek_figure2", rule.params.forms)
    drawings = {}
    if rule.params.judgements:
        drawings = study_drawings(
            dict(rule.input.items()),
            benchmark=rule.params.benchmark,
            judgement=rule.params.judgements[0],
            systems=rule.params.systems,
            cutoffs=sorted(rule.params.cutoffs),
            confidence=rule.params.confidence,
            over=RESAMPLED[rule.params.bootstrap],
        )
    for name, drawing in drawings.items():
        save(drawing.draw(), folder / name, rule.params.forms)
    texts = [(name, drawing.caption) for name, drawing in drawings.items()]
    tsv.write(rule.output.texts, pd.DataFrame(texts, columns=["figure", "text"]))
