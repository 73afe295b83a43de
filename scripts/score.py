"""Score every candidate by a family of metrics, and list those that lack what they need, with the reason."""

import logging
from importlib import import_module

import pandas as pd

from sera.extras import import_nltk
from sera.io import records, tsv
from sera.io.scores import write_scores
from sera.metrics import FAMILIES
from sera.metrics.configure import Resources, equip, families_with, listed_names
from sera.metrics.scoring import LEFT_OUT_COLUMNS, canonical_name, score, write_signatures
from study.workflow.job import job

SETTINGS = {"vectors": "vectors", "frames": "framenet", "encoder": "encoder"}

with job(snakemake) as rule:
    import_nltk()
    family = rule.wildcards.family
    settings, listing = {family: rule.params.settings}, {family: rule.params.listing}
    candidates = records.read_all(rule.input.candidates, records.Candidate)
    references = records.read(rule.input.references, records.Reference)
    sources = records.read(rule.input.sources, records.Source) if "sources" in rule.input.keys() else []
    readers = {name: import_module(f"study.workflow.resources.{name}") for name in rule.params.resources}
    texts = [*candidates, *references]
    resources = Resources(**{name: reader.read(rule, texts) for name, reader in readers.items()})
    read = listed_names([family], listing, settings)
    names = read if family in families_with(resources) else []
    metrics = equip(names, settings if names else {}, resources)
    lacking = {name: f"the setting {setting} is null" for name, setting in SETTINGS.items()}
    if "vectors" in rule.params.resources:
        lacking["vectors"] = "the vectors have no word of the texts"
    listed, left_out = FAMILIES.load(family).names, {}
    if missing := [need for need in FAMILIES.needs(family) if need in lacking and need not in resources]:
        left_out = dict.fromkeys(listed(), lacking[missing[0]])
    unreadable = f"it reads English, and the language is {rule.params.language}"
    left_out |= {name: unreadable for name in listed(**rule.params.listing) if name not in read}
    for name, reason in left_out.items():
        logging.warning("no %s: %s", name, reason)
    write_scores(rule.output.scores, score(metrics, candidates, references, sources, label=canonical_name))
    write_signatures(rule.output.signatures, metrics, label=canonical_name)
    tsv.write(rule.output.left_out, pd.DataFrame(left_out.items(), columns=LEFT_OUT_COLUMNS))
