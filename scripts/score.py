"""Score every candidate by a family of metrics, and list those that lack what they need, with the reason."""

import logging

import pandas as pd

from sera.extras import import_nltk
from sera.io import records, tsv
from sera.io.scores import write_scores
from sera.metrics import FAMILIES
from sera.metrics.configure import equip, families_with, listed_names
from sera.metrics.scoring import LEFT_OUT_COLUMNS, canonical_name, score, write_signatures
from study.workflow.job import job
from study.workflow.resources import open_resources

SETTINGS = {"vectors": "vectors", "frames": "framenet", "encoder": "encoder"}

with job(snakemake) as rule:
    import_nltk()
    family = rule.wildcards.family
    settings, listing = {family: rule.params.settings}, {family: rule.params.listing}
    candidates = records.read_all(rule.input.candidates, records.Candidate)
    references = records.read(rule.input.references, records.Reference)
    sources = records.read(rule.input.sources, records.Source) if "sources" in rule.input.keys() else []
    resources = open_resources(rule, [*candidates, *references])
    search = resources.get("rankings").settings if "rankings" in FAMILIES.needs(family) else {}
    readable = listed_names([family], listing, {family: {**rule.params.settings, **search}})
    names = readable if family in families_with(resources) else []
    metrics = equip(names, settings if names else {}, resources)
    reasons = {name: f"the setting {setting} is null" for name, setting in SETTINGS.items()}
    if "vectors" in rule.input.keys():
        reasons["vectors"] = "the vectors have no word of the texts"
    list_names, exclusions = FAMILIES.load(family).names, {}
    if gaps := [
        resource for resource in FAMILIES.needs(family) if resource in reasons and resource not in resources
    ]:
        exclusions = dict.fromkeys(list_names(), reasons[gaps[0]])
    unreadable = f"it reads English, and the language is {rule.params.language}"
    exclusions |= {name: unreadable for name in list_names(**rule.params.listing) if name not in readable}
    for name, reason in exclusions.items():
        logging.warning("no %s: %s", name, reason)
    write_scores(rule.output.scores, score(metrics, candidates, references, sources, label=canonical_name))
    write_signatures(rule.output.signatures, metrics, label=canonical_name)
    tsv.write(rule.output.left_out, pd.DataFrame(exclusions.items(), columns=LEFT_OUT_COLUMNS))
