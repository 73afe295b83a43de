"""Score every candidate by a batch of families, and list metrics that lack what they need, with reasons."""

import logging
from functools import partial

import pandas as pd

from sera.extras import import_nltk
from sera.io import records, tsv
from sera.io.scores import write_scores
from sera.metrics import FAMILIES
from sera.metrics.base import Metric
from sera.metrics.configure import Resources, equip, families_with, listed_names
from sera.metrics.scoring import LEFT_OUT_COLUMNS, canonical_name, score, write_signatures
from study.workflow.job import job
from study.workflow.resources import open_resources

SETTINGS = {"vectors": "vectors", "frames": "framenet", "encoder": "encoder"}


def equip_family(family, own, whole, reasons, language):
    """The metrics of a family, and the reason for each that is left out."""
    given = [name for name in (*own["resources"], "answers") if name in whole]
    resources = Resources(**{name: partial(whole.get, name) for name in given})
    settings, listing = {family: own["settings"]}, {family: own["listing"]}
    search = resources.get("rankings").settings if "rankings" in FAMILIES.needs(family) else {}
    readable = listed_names([family], listing, {family: {**own["settings"], **search}})
    names = readable if family in families_with(resources) else []
    metrics = equip(names, settings if names else {}, resources)
    list_names, exclusions = FAMILIES.load(family).names, {}
    if gaps := [need for need in FAMILIES.needs(family) if need in reasons and need not in resources]:
        exclusions = dict.fromkeys(list_names(), reasons[gaps[0]])
    unreadable = f"it reads English, and the language is {language}"
    exclusions |= {name: unreadable for name in list_names(**own["listing"]) if name not in readable}
    return metrics, exclusions


with job(snakemake) as rule:
    import_nltk()
    candidates = records.read_all(rule.input.candidates, records.Candidate)
    references = records.read(rule.input.references, records.Reference)
    sources = records.read(rule.input.sources, records.Source) if "sources" in rule.input.keys() else []
    whole = open_resources(rule, [*candidates, *references])
    reasons = {name: f"the setting {setting} is null" for name, setting in SETTINGS.items()}
    if "vectors" in rule.input.keys():
        reasons["vectors"] = "the vectors have no word of the texts"
    scored: list[Metric] = []
    tables: list[pd.DataFrame] = []
    exclusions: dict[str, str] = {}
    for family, own in rule.params.families.items():
        metrics, left_out = equip_family(family, own, whole, reasons, rule.params.language)
        for name, reason in left_out.items():
            logging.warning("no %s: %s", name, reason)
        tables.append(score(metrics, candidates, references, sources, label=canonical_name))
        scored += metrics
        exclusions |= left_out
    write_scores(rule.output.scores, pd.concat([table for table in tables if len(table)] or tables[:1]))
    write_signatures(rule.output.signatures, scored, label=canonical_name)
    tsv.write(rule.output.left_out, pd.DataFrame(exclusions.items(), columns=LEFT_OUT_COLUMNS))
