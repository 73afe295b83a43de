# Needs: the settings `multiverse`. Makes: the universes, and the inputs and parameters of the rules in multiverse.smk.

import functools
import itertools
from types import SimpleNamespace

from study.report.beside import other_answers
from study.multiverse.choices import (
    DIMENSIONS,
    MISREAD,
    asked,
    check as check_dimensions,
    needed as choices_needed,
    some,
    universes,
    values_of,
    weight,
)
from sera.summarizers.budget import written_length

BLOCK = 250  # universes per job
ANSWERS = ["claims", "null", "exchange", "choices", "variance", "systems"]
TABLES_OF_UNIVERSES = ["universes.tsv", "tables.tsv.gz", *(f"{answer}.tsv" for answer in ANSWERS)]
# The families that score a batch of summaries, each with its parts of a universe's scores.
SCORED = {"rouge": ("rouge", "skip"), "pyramid": ("pyramid", MISREAD)}
# The tests of the whole curve, each with the setting of the number of its draws.
TESTS = {"null": "permutations", "exchange": "exchanges"}
READABLE_ANSWERS = [f"{answer}{form}" for answer in ANSWERS for form in (".md", ".tex")]
# Several draws or several human summaries count as one system.
EVERY_SYSTEM = sorted({*SYSTEMS, *("random" if undrawn(name) == "random" else name for name in BASELINES)})


def questions():
    return list(asked(config["multiverse"]["dimensions"]))


def tests_of(test):
    return [f"{MULTIVERSE}/{test}/{question}.npz" for question in questions()]


def figures_of_universes():
    names = [f"specification_curve_{question}" for question in questions()]
    return [
        f"{MULTIVERSE}/figures/{name}{form}"
        for name in [*names, "influence"]
        for form in (".svg", ".png", ".pdf")
    ]


def beside_replication(wildcards):
    """The results of other targets that the page of the multiverse shows if they are there."""
    return other_answers(OUT)


def universes_of(block):
    return multiverse()[block * BLOCK : (block + 1) * BLOCK]


@functools.cache
def multiverse():
    """The universes of each question; its first one, of no weight, is the study's own settings."""
    dimensions = config["multiverse"]["dimensions"]
    with reported("config: "):
        check_dimensions(dimensions, SYSTEMS, config["baselines"])
    found = []
    for question, of in asked({name: dimensions[name] for name in DIMENSIONS}).items():
        number = config["multiverse"]["universes"]
        drawn = universes(of, SYSTEMS, sample=number, seed=config["seed"])
        drawn = [own_universe(of["level"][0]), *drawn]
        found += [{**universe, "question": question} for universe in drawn]
    return found


@functools.cache
def tested():
    """By question, the universes of the tests by permutations and by exchanges."""
    found = {}
    for universe in multiverse():
        if weight(universe) > 0:
            found.setdefault(universe["question"], []).append(universe)
    return {question: some(of, config["multiverse"]["permuted"]) for question, of in found.items()}


def own_universe(level="system"):
    """The universe of the study's own settings."""
    own = {name: config[name] for name in DIMENSIONS if name in config}
    own |= {f"pyramid_{name}": value for name, value in config["pyramid"].items()}
    own |= {f"rouge_{name}": value for name, value in config["rouge"].items()}
    own |= {"length": written_length(**BUDGET), "summarizers": "study"}
    own |= {"index_size": 1, "scorer": "lucene", "rouge_side": "all", "skip_gap": None}
    own |= {"systems": "all", "level": level}
    chosen = {name: own[name] for name in DIMENSIONS}
    return {**chosen, "members": tuple(SYSTEMS), "weight": 0.0}


def values_of_universes():
    """The values of the wildcards that are in outputs of the multiverse's rules."""
    return {
        "cleaning": [cleaning for (cleaning,) in of_universes("cleaning")],
        "cleaning,summarizers": batches(),
        "cleaning,family,summarizers": [
            (cleaning, family, summarizers) for cleaning, summarizers in batches() for family in SCORED
        ],
        "collection": list(collections()),
        "figures,package": list(itertools.product(other_figures(), PACKAGES)),
        "block": range(count_of_blocks()),
        "question,test": list(itertools.product(questions(), TESTS)),
        "package": PACKAGES,
    }


def of_universes(*names):
    """The different values that universes have of some dimensions together."""
    return list(dict.fromkeys(values_of(each, names) for each in multiverse()))


# Summaries. All sets of summaries of one cleaning and of one choice of the summarizers' parameters are a batch. A job writes
# those of one cleaning, so that a system with the same parameters in both batches summarises once.


def written_sets():
    """Length and order of the sets of each batch, from the settings only, which every job reads."""
    own, dimensions = own_universe(), config["multiverse"]["dimensions"]
    values = (dict.fromkeys([own[name], *dimensions[name]]) for name in ("length", "order"))
    return list(itertools.product(*values))


def parameter_sets():
    """The choices of the summarizers' parameters, from the settings alone, which every job reads."""
    return list(dict.fromkeys(["study", *config["multiverse"]["dimensions"]["summarizers"]]))


def batches():
    return of_universes("cleaning", "summarizers")


def of_batch(folder, suffix):
    """The files of a batch, in the order of `written_sets`; its wildcards are still to be filled in."""
    return [
        f"{MULTIVERSE}/{folder}/{{cleaning}}-{{summarizers}}/{slug(length)}-{order}{suffix}"
        for length, order in written_sets()
    ]


def slug(length):
    return length.replace(" ", "-")


def sets_of_batch(wildcards):
    """The choices of each set of a batch, in the order of its files."""
    return [(wildcards.cleaning, wildcards.summarizers, *of) for of in written_sets()]


def of_batches(folder, suffix):
    """The files of all batches, in the order of `sets_of_batches`."""
    return lambda wildcards: [
        path.format(cleaning=cleaning, summarizers=summarizers)
        for cleaning, summarizers in batches()
        for path in of_batch(folder, suffix)
    ]


def sets_of_batches(wildcards):
    return [(*batch, *of) for batch in batches() for of in written_sets()]


def summarizer_settings(name, summarizers):
    """How a system or baseline summarises; empty for summaries that are taken unchanged."""
    if name == "human" or name in [*config["candidates"], *TRAINED, *ASKED]:
        return {}
    of = SimpleNamespace(system=name)
    whose = config["summarizers"] if summarizers == "study" else summarizers
    return {
        "summarizer": summarizer(of),
        "parameters": parameters_of(summarizer(of), whose, config["parameters"]),
        "seed": seed(of),
    }


def wanted(parts, **fixed):
    """The choices of parts in the universes with the fixed values."""
    return {
        name: choices
        for part in parts
        for name, choices in choices_needed(multiverse(), part, **fixed).items()
    }


def wanted_of_batch(wildcards):
    of_batch = {"cleaning": wildcards.cleaning, "summarizers": wildcards.summarizers}
    return wanted(SCORED[wildcards.family], **of_batch)


def wanted_queries(wildcards):
    """The queries that need no index, as (formulation, choices)."""
    return [
        *(("plain", of) for of in of_universes("query_stop")),
        *(("np", of) for of in of_universes("query_stop", "noun_phrases")),
    ]


# Indexes. A job searches the whole index of a collection and its parts, the shares of the articles.


def name_of_collection(inside, figures, analyzer):
    place = "inside" if inside else "outside"
    return f"{place}-{'captions' if figures else 'text'}-{analyzer}"


def collections():
    """Collections by name: whether topics' documents are inside, whether captions are, analyzer."""
    return {
        name_of_collection(*collection): collection
        for collection in of_universes("topic_documents", "figures", "analyzer")
    }


def own_index():
    """The index of the study's own settings."""
    own = own_universe()
    name = name_of_collection(*values_of(own, ("topic_documents", "figures", "analyzer")))
    return f"{MULTIVERSE}/index/{name}"


def other_figures():
    """The choices of captions that are not the study's, whose documents the multiverse reads anew."""
    return [
        "captions" if figures else "text"
        for (figures,) in of_universes("figures")
        if figures != config["figures"]
    ]


def documents_of_collection(wildcards):
    figures = collections()[wildcards.collection][1]
    folder = f"{OUT}/corpus"
    if figures != config["figures"]:
        folder = f"{MULTIVERSE}/corpus/{'captions' if figures else 'text'}"
    return [f"{folder}/{package}.jsonl.gz" for package in PACKAGES]


def topics_of_collection(wildcards):
    inside = collections()[wildcards.collection][0]
    return [f"{OUT}/corpus/topics.jsonl.gz"] if inside else []


def wanted_of_collection(wildcards):
    inside, figures, analyzer = collections()[wildcards.collection]
    return wanted(FORMULATIONS, topic_documents=inside, figures=figures, analyzer=analyzer)


def all_cells(wildcards):
    return [
        *(
            f"{MULTIVERSE}/scores/{family}/{cleaning}-{summarizers}.npz"
            for family in SCORED
            for cleaning, summarizers in batches()
        ),
        *(f"{MULTIVERSE}/scores/sera/{name}.npz" for name in collections()),
    ]


def count_of_blocks():
    return -(-len(multiverse()) // BLOCK)


def blocks(wildcards):
    return [f"{MULTIVERSE}/blocks/{block}.npz" for block in range(count_of_blocks())]
