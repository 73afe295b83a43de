# Needs: the settings and the benchmark (common.smk, which includes this). Makes: the inputs and parameters of rules that
# depend on wildcards.

import hashlib
import math
from functools import cache

from snakemake.exceptions import WorkflowError

from sera.metrics import RESOURCES
from study.report.optional_results import optional_results, other_answers
from study.settings.systems import draw_number, parameters_of
from sera.text.languages import ENGLISH


def files_of_articles(wildcards):
    """The files of a package, or articles.tsv, which has the SHA-256 of the files that it lists.

    A newer articles.tsv alone reruns nothing: `hash_of_articles` notices changed rows.
    """
    if SYNTHETIC:
        return []
    files = list(map(str, data.articles.sources(wildcards.articles)))
    return ancient(files) if data.articles.is_pinned(wildcards.articles) else files


def hash_of_articles(wildcards):
    """A hash of the articles that are read from a package: other packages may have them, or a list leave them out."""
    return "" if SYNTHETIC else count_and_hash(wildcards.articles)[1]


def articles_in(*parts):
    """How many articles these parts of the index have, as far as names and lists say it; a collection counts as none."""
    return 0 if SYNTHETIC else sum(count_and_hash(part)[0] for part in parts if part in data.packages)


@cache
def count_and_hash(package):
    with checks.report_errors():
        plan = data.articles.plan(package)
    content = "" if data.articles.is_pinned(package) else content_hash(data.articles.sources(package))
    return len(plan), hashlib.sha256(f"{plan}{content}".encode()).hexdigest()[:16]


# A system depends only on the inputs that it needs, so a change of others does not rerun it.


def systems_in(wildcards):
    """The systems that a job summarises by: those of a batch, or one."""
    return SUMMARIZED.get(wildcards.batch, [wildcards.batch])


def needed(kind):
    """The benchmark's file of a kind, for the systems that need it; as a list."""

    def needs(name):
        return kind in (["references"] if name == "human" else SUMMARIZERS.needs(base_system(name)))

    return lambda wildcards: [f"<results>/{kind}.jsonl"] if any(map(needs, systems_in(wildcards))) else []


def settings_of_summarizer(name, parameters="study"):
    """How a system or baseline summarises, by a choice of parameters; empty for summaries that are taken unchanged.

    The language is a parameter if it is not English; the seed is another one for each draw, and 0 if nothing is drawn.
    """
    if name == "human" or name in TAKEN:
        return {}
    system, whose = base_system(name), config["summarizers"] if parameters == "study" else parameters
    language = {"language": config["language"]} if config["language"] != ENGLISH else {}
    return {
        "summarizer": system,
        "parameters": {**language, **parameters_of(system, whose, config["parameters"])},
        "seed": config["seed"] + draw_number(name) if "seed" in SUMMARIZERS.needs(system) else 0,
    }


def modules_of_summarizers(names):
    return sorted({SUMMARIZERS.module(base_system(name)) for name in names if settings_of_summarizer(name)})


def share_of_search(wildcards, input):
    """Megabytes of summaries in a part of the search, rounded up."""
    parts = int(wildcards.scatteritem.split("-of-")[1])
    return math.ceil(sum(map(os.path.getsize, input.candidates)) / parts / 1e6)


# Raw data of a resource, and all its files, as inputs of the families that need it.
RAW_RESOURCES = {"vectors": OWN_VECTORS, "frames": FRAMES, "collection": FREQUENT_WORDS}
RESOURCE_FILES = {
    "rankings": {
        "runs": expand("<results>/runs/{formulation}.trec", formulation=FORMULATIONS),
        "settings_of_search": expand("<results>/runs/{formulation}.trec.json", formulation=FORMULATIONS),
    },
    "nuggets": {"nuggets": "<results>/nuggets.jsonl"} if data.has_nuggets else {},
    "vectors": {"vectors": path for path in [*VECTORS, *OWN_VECTORS]},
    "frames": {"frames": FRAMES} if FRAMES else {},
    "collection": {
        "index": "<index>/whole",
        **{"frequent_words": path for path in FREQUENT_WORDS},
    },
}


def families_in(wildcards):
    """The families that a job scores by: those of a batch, or one; with that inside MOULIN-ROUGE."""
    own = FAMILY_BATCHES.get(wildcards.batch, [wildcards.batch])
    return {family: families_inside(family, FAMILY_SETTINGS) for family in own}


def tables_of_scores(families, suffix=".tsv"):
    """The tables with the scores of these families, each once."""
    batch = {family: batch for batch, names in FAMILY_BATCHES.items() for family in names}
    return list(dict.fromkeys(f"<results>/scores/{batch.get(name, name)}{suffix}" for name in families))


def resources_of_family(family):
    """The names of the resources that a family needs; the collection also where it is optional."""
    needed = {need for one in families_inside(family, FAMILY_SETTINGS) for need in FAMILIES.needs(one)}
    needed |= {"collection"} & set(FAMILIES.uses(family))
    return [name for name, files in RESOURCE_FILES.items() if files and name in needed]


def resources_in(wildcards):
    needed = {name for family in families_in(wildcards) for name in resources_of_family(family)}
    return [name for name in RESOURCE_FILES if name in needed]


def files_of_families(wildcards):
    """The files of these resources, and the articles, as inputs of a job."""
    files = {}
    for name in resources_in(wildcards):
        files |= RESOURCE_FILES[name]
    if any("source" in FAMILIES.uses(one) for inside in families_in(wildcards).values() for one in inside):
        files["sources"] = "<results>/sources.jsonl"
    return files


def files_in_settings(wildcards):
    """The settings that name or open the files of these resources."""
    names = {"collection": "engine", "frames": "framenet"}
    return {names[each]: config[names[each]] for each in resources_in(wildcards) if each in names}


def settings_of_family(family):
    """The settings of a family without those of a search, which the runs have beside them."""
    own = FAMILY_SETTINGS.get(family, {})
    searched = {each.name for each in FAMILIES.load(family).resource_settings} if own else set()
    return {name: value for name, value in own.items() if name not in searched}


def code_of_families(wildcards):
    resources = resources_in(wildcards)
    engine = [ENGINES.module(config["engine"])] if "collection" in resources else []
    inside = [family for families in families_in(wildcards).values() for family in families]
    return code("score", *modules(inside), *map(RESOURCES.module, resources), *engine)


def name_on_server():
    """The index of this study: as the environment says, with the study's name if it has one."""
    named = os.environ.get(f"{config['engine'].upper()}_INDEX")
    if not named:
        return f"sera-{study_name(config)}".lower()
    return "-".join([named, *([config["study"]] if config["study"] else [])]).lower()


def part_documents(part):
    """The documents of a part of the index: a file of the run, or the collection that a benchmark brings."""
    return data.collection[0] if part == "documents" else f"<corpus>/{part}.jsonl.gz"


def results_shown(wildcards):
    """The results of other targets that the page shows if they are there."""
    with checks.report_errors():
        # The audit concerns only the paper: pages of other benchmarks leave it out, but not the demo's, which has every part.
        audit = AUDIT if COMPARED or SYNTHETIC else None
        shown = optional_results(OUT, audit, None if NO_MULTIVERSE else PLAN.own_universe())
        return shown if HAS_TEXTS else shown | other_answers(data.folders["release"])


# Of the multiverse (rules/multiverse.smk).


def files_of_batches(sets):
    """The files of the sets of all batches, in the order of `PLAN.sets`."""
    return lambda wildcards: expand(sets, batch=PLAN.batches, set=PLAN.set_names)


def documents_of_collection(wildcards):
    figures = PLAN.collections[wildcards.collection][1]
    kind = "captions" if figures else "text"
    folder = "<corpus>" if figures == config["figures"] else f"<results>/multiverse/corpus/{kind}"
    return expand(f"{folder}/{{articles}}.jsonl.gz", articles=data.packages)


def topics_of_collection(wildcards):
    inside = PLAN.collections[wildcards.collection][0]
    return ["<corpus>/topics.jsonl.gz"] if inside else []


def all_cells(wildcards):
    families = "<results>/multiverse/scores/{family}/{batch}.npz"
    collections = "<results>/multiverse/scores/sera/{collection}.npz"
    return [
        *expand(families, family=KNOWN, batch=PLAN.batches),
        *expand(collections, collection=PLAN.collections),
    ]


# The results of targets, or the reason why there are none.


def results_of_multiverse(wildcards):
    if NO_MULTIVERSE:
        raise WorkflowError(f"There is no multiverse. {NO_MULTIVERSE}")
    with checks.report_errors("config: "):
        PLAN.universes
    return [
        *rules.answer_universes.output,
        *rules.write_replication.output,
        *rules.vary_index.output,
    ]


def results_of_more_systems(wildcards):
    if NO_MULTIVERSE:
        raise WorkflowError(f"There are no more systems. {NO_MULTIVERSE}")
    return rules.compare_more_systems.output


def results_of_matrix(wildcards):
    if not config["matrix"]:
        remedy = "Name the folder of `sera datasets get --all`: `make matrix DATA=folder`."
        raise WorkflowError(f"config: matrix: names no benchmark. {remedy}")
    return rules.write_matrix.output
