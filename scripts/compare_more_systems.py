"""Summarise by more systems, score them by Table 2's metrics and Pyramid, and compare SERA with ROUGE."""

from dataclasses import replace
from pathlib import Path

import pandas as pd

from sera.evaluation.correlate import Scores
from sera.evaluation.tables import write_tsv
from sera.io import records
from sera.io.scores import read_scores, write_scores
from sera.metrics.configure import Resources, equip, openers
from sera.metrics.scoring import canonical_name, score
from sera.progress import progress
from sera.reporting.figures import save
from sera.retrieval.engines import ENGINES
from sera.summarizers import summarize
from study.claims.multiverse import METRICS
from study.multiverse import more_systems as more
from study.workflow.job import job

with job(snakemake) as rule:
    sources = records.read(rule.input.sources, records.Source)
    citances = records.read(rule.input.citances, records.Citance)
    references = records.read(rule.input.references, records.Reference)
    engine = ENGINES.load(rule.params.engine)(rule.input.index)
    systems = more.read_systems(rule.input.systems)
    summaries = [
        replace(
            summarize(
                system.family, source, citances, seed=rule.params.seed + system.seed, order=rule.params.order,
                **rule.params.budget, **system.parameters,
            ),
            system=system.name,
        )
        for system in progress(systems, "systems")
        for source in sources
    ]  # fmt: skip
    resources = Resources(**openers({"index": engine, "nuggets": rule.input.nuggets}))
    metrics = equip([*METRICS, "Pyramid"], rule.params.settings, resources)
    table = score(metrics, summaries, references, label=canonical_name)
    whole = {**rule.params.settings["Pyramid"], "recogniser": "whole"}
    again = score(equip(["Pyramid"], {"Pyramid": whole}, resources), summaries, references)
    table = pd.concat([table, again.assign(metric=more.WHOLE)], ignore_index=True)
    families = {system.name: system.family for system in systems}
    scores = Scores.from_table(table)
    nine = Scores.from_table(read_scores(rule.input.scores), rule.params.systems)
    sampling = {"seed": rule.params.seed, "confidence": rule.params.confidence}
    parts = [more.answer_table(nine, **sampling)]
    parts += [
        more.answer_table(scores, families, against=name, **sampling) for name in (more.AGAINST, more.WHOLE)
    ]
    topic_curve = pd.concat([more.topics_table(part, rule.params.seed) for part in (nine, scores)])
    folder = Path(rule.output.answer).parent
    write_scores(rule.output.scores, table)
    names = [(system.name, system.family, str(system.parameters)) for system in systems]
    for name, part in {
        "systems": pd.DataFrame(names, columns=["system", "family", "parameters"]),
        "answer": pd.concat(parts),
        "reliability": pd.concat([more.reliability_table(part) for part in (nine, scores)]),
        "by_topics": topic_curve,
    }.items():
        write_tsv(folder / f"{name}.tsv", part.assign(benchmark=rule.params.benchmark))
    title = f"Is SERA ahead of ROUGE with more systems, and with more topics? ({rule.params.benchmark})"
    save(more.more_systems_figure(topic_curve, pd.concat(parts[:2]), title), folder / "more_systems")
