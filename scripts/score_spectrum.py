"""Score the sampled summaries, and tabulate how metrics agree on them."""

from pathlib import Path

import numpy as np
import pandas as pd

from sera.evaluation.bootstrap import Bootstrap
from sera.evaluation.correlate import Scores, correlate
from sera.evaluation.tables import write_tables
from sera.io import records
from sera.io.scores import add_judgements, read_scores, write_scores
from sera.metrics import family_of
from sera.metrics.configure import equip, families_with, listed_names
from sera.metrics.notes import signature_lines
from sera.metrics.s3.training import available, feature_scores
from sera.metrics.scoring import canonical_name, score, write_signatures
from sera.summarizers.genetic import FITNESS
from study.workflow.job import job
from study.workflow.resources import open_resources
from study.workflow.s3 import scores_of_others, training_judgements

with job(snakemake) as rule:
    samples = records.read(rule.input.samples, records.Candidate)
    topics = {sample.topic for sample in samples}
    references = records.read(rule.input.references, records.Reference)
    references = [reference for reference in references if reference.topic in topics]
    sources = records.read(rule.input.sources, records.Source)
    sources = [source for source in sources if source.topic in topics]
    resources = open_resources(rule, [*samples, *references])
    there = families_with(resources)
    names = listed_names(
        [family for family in rule.params.families if family in there], settings=rule.params.settings
    )
    own = {family: rule.params.settings[family] for family in map(family_of, names)}
    metrics = equip(names, own, resources)
    scores = score(metrics, samples, references, sources, label=canonical_name)
    write_signatures(rule.output.signatures, metrics, label=canonical_name)
    features = feature_scores(
        available(resources, sources=True, language=rule.params.language),
        samples,
        references,
        sources,
    )
    learnt = scores_of_others(
        features,
        read_scores(rule.input.features),
        training_judgements(rule.input.get("judgements"), rule.input.pyramid, rule.params.systems),
        rule.params.judgement,
    )
    table = pd.concat([scores, learnt], ignore_index=True)
    write_scores(rule.output.scores, table)
    both = Scores.from_table(add_judgements(table, rule.input.fitness))
    yardsticks = [FITNESS, *(["Pyramid"] if resources.get("nuggets") else [])]
    agreement = correlate(
        both,
        [(name, yardstick) for yardstick in yardsticks for name in both.metrics if name != yardstick],
        level="summary",
        bootstrap=Bootstrap("topics", rule.params.resamples, rule.params.seed),
        confidence=rule.params.confidence,
    )
    fitness = both.metric(FITNESS)  # (topic, sample), NaN for no sample
    low, high = np.nanmin(fitness, axis=1).mean(), np.nanmax(fitness, axis=1).mean()
    span = f"on average over topics, the samples have {low:.3f} to {high:.3f}"
    notes = [f"The fitness is {rule.params.fitness}; {span}", *signature_lines(rule.output.signatures)]
    folder = Path(rule.output.table[0]).parent
    write_tables(folder, {"spectrum": agreement}, rule.params.label, notes={"spectrum": notes})
