"""Make the tables of ROUGE-K's paper: means, length, other metrics, spread, keywords by place and length."""

from pathlib import Path

import pandas as pd

from sera import records
from sera.evaluation.keyword_analysis import (
    LENGTH,
    by_single_reference,
    correlations,
    keyword_matches,
    lengths,
    recall_by,
    spread,
    system_means,
)
from sera.evaluation.tables import write_table
from sera.metrics.equip import equip
from sera.metrics.rouge_k import RougeK
from sera.metrics.scoring import read_scores
from sera.published.paper import caption
from sera.reporting.job import job

with job(snakemake) as rule:
    candidates = records.read_all(rule.input.candidates, records.Candidate)
    references = records.read(rule.input.references, records.Reference)
    sources = records.read(rule.input.sources, records.Source)
    scores = read_scores(rule.input.scores)
    [rouge_1] = equip(["ROUGE-1-F"], rule.params.settings)
    shown = ["ROUGE-1-F", "ROUGE-2-F", "ROUGE-L-F", *RougeK.names()]

    counted = pd.concat([scores, lengths(candidates), by_single_reference(rouge_1, candidates, references)])
    counted = counted[counted["system"].isin(rule.params.systems)]
    others = [name for name in counted["metric"].unique() if name not in ("ROUGE-K", LENGTH)]
    together = [name for name in others if not name.startswith(f"{rouge_1.name} (")]
    singly = [name for name in others if name.startswith(f"{rouge_1.name} (")]
    matches = keyword_matches(
        [each for each in equip(RougeK.names(), rule.params.settings) if isinstance(each, RougeK)],
        candidates,
        references,
        sources,
    )
    folder = Path(rule.output[0]).parent
    for name, table in {
        "rougek_table5": system_means(scores, shown),
        "rougek_table6": correlations(counted, shown, [LENGTH]),
        "rougek_table7": correlations(counted, ["ROUGE-K"], [*singly, *together]),
        "rougek_table8": spread(counted[~counted["metric"].isin([LENGTH, *singly])]),
        "rougek_table9": recall_by(matches, "in_source"),
        "rougek_figure2": recall_by(matches, "length"),
    }.items():
        write_table(
            folder / name,
            table,
            caption=caption(name, rule.params.benchmark),
            benchmark=rule.params.benchmark,
        )
