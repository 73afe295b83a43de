# Needs: the settings and the benchmark (common.smk, which includes this). Makes: the inputs and parameters of rules that
# depend on wildcards.

import hashlib
import os

from study.report.beside import beside_the_study
from study.settings.systems import draw
from sera.metrics.configure import families_within
from sera.text.languages import ENGLISH


def package_files(wildcards):
    return [] if SYNTHETIC else ARTICLES.sources(wildcards.package)


def package_plan(wildcards):
    """A hash of which articles of a package are read: other packages may have them, and a list may leave them out."""
    with reported():
        plan = [] if SYNTHETIC else ARTICLES.plan(wildcards.package)
    return hashlib.sha256(repr(plan).encode()).hexdigest()[:16]


# A system depends only on the inputs that it needs, so a change of others does not rerun it.


def summarizer(wildcards):
    """The summarizer of a system: `random_2` is `random`, drawn a second time; `bart_2` is `bart` with its second seed."""
    return undrawn(wildcards.system)


def needed(kind):
    """The benchmark's file of a kind, for the systems that need it; as a list."""
    return lambda wildcards: (
        [f"{OUT}/{kind}.jsonl"] if kind in SUMMARIZERS.needs(summarizer(wildcards)) else []
    )


def parameters_in_language(wildcards):
    """The parameters of a system; the language is one of them if it is not English."""
    own = parameters_of(summarizer(wildcards), config["summarizers"], config["parameters"])
    if config["language"] == ENGLISH:
        return own
    return {"language": config["language"], **own}


def written_beside():
    """The files of systems that are not of `sera.summarizers`, whose summaries are taken as they are."""
    return {name: f"{OUT}/summaries/{name}.jsonl" for name in [*TRAINED, *ASKED]}


def seed(wildcards):
    if "seed" not in SUMMARIZERS.needs(summarizer(wildcards)):
        return 0
    return config["seed"] + draw(wildcards.system)


def sources_of_texts(wildcards):
    """The articles, if one of the families uses them."""
    used = any("source" in FAMILIES.uses(family) for family in by_file(needing())[wildcards.file])
    return f"{OUT}/sources.jsonl" if used else []


def within(wildcards):
    """The families by which the families of a file score, as the settings name them."""
    return families_within(by_file(using("collection"))[wildcards.file], FAMILY_SETTINGS)


def if_needed(resource, paths):
    """``paths`` if a family by which those of a file score needs the resource, otherwise none."""
    return lambda wildcards: (
        paths if any(resource in FAMILIES.needs(family) for family in within(wildcards)) else []
    )


def code_with_collection(wildcards):
    families = [*by_file(using("collection"))[wildcards.file], *within(wildcards)]
    return code("score_with_collection", *modules(families), ENGINES.module(config["engine"]))


def settings_at(threshold):
    """The settings of the families that count nuggets, at a threshold."""
    return {
        family: own | {"threshold": float(threshold)} if "threshold" in own else own
        for family in needing("nuggets")
        for own in [FAMILY_SETTINGS.get(family, {})]
    }


def summarizer_code(wildcards):
    return code("summarize", SUMMARIZERS.module(summarizer(wildcards)))


def name_on_server():
    """The index of this study: as the environment says, with the study's name if it has one."""
    named = os.environ.get(f"{config['engine'].upper()}_INDEX")
    if not named:
        return f"sera-{name_of(config)}".lower()
    return "-".join([named, *([config["study"]] if config["study"] else [])]).lower()


def part_documents(part):
    """The documents of a part of the index: a file of the run, or the collection that a benchmark brings."""
    return str(COLLECTION) if part == "documents" else f"{OUT}/corpus/{part}.jsonl.gz"


def made_documents(parts):
    return [part_documents(part) for part in parts if part != "documents"]


def own_documents(parts):
    return [part_documents(part) for part in parts if part == "documents"]


def beside(wildcards):
    """The results of other targets that the page shows if they are there."""
    with reported():
        return beside_the_study(OUT, SHOWN_AUDIT, config)


def figures_universes(wildcards):
    """Those that a figure shows."""
    return {name: path for name, path in beside(wildcards).items() if name == "universes"}
