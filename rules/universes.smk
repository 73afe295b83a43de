# Needs: the settings `multiverse`. Makes: the universes, and the inputs and parameters of the rules in multiverse.smk.

import functools
from types import SimpleNamespace

from rules.draws import undrawn
from sera.errors import InputError
from sera.multiverse.dimensions import (
    DIMENSIONS,
    asked,
    check as check_dimensions,
    needed as choices_needed,
    some,
    universes,
)

BLOCK = 250  # universes per job
ANSWERS = [
    *("claims", "null", "exchange", "choices", "variance"),
    *("systems", "outliers", "agreement"),
]
TABLES_OF_UNIVERSES = [
    "universes.tsv",
    "tables.tsv.gz",
    *(f"{answer}.tsv" for answer in ANSWERS),
]
READABLE_ANSWERS = [f"{answer}{form}" for answer in ANSWERS for form in (".md", ".tex")]
# Several draws or several human summaries count as one system.
EVERY_SYSTEM = sorted({*SYSTEMS, *map(undrawn, BASELINES)})


def figures_of_universes():
    names = [
        f"{figure}_{question}"
        for question in asked(config["multiverse"]["dimensions"])
        for figure in ("specification_curve", "claims", "variance")
    ]
    return [
        f"{MULTIVERSE}/figures/{name}{form}"
        for name in [*names, "influence"]
        for form in (".svg", ".png", ".pdf")
    ]


def universes_of(block):
    return multiverse()[block * BLOCK : (block + 1) * BLOCK]


@functools.cache
def multiverse():
    """The universes of each question; its first one, of no weight, is the study's own settings."""
    if NO_MULTIVERSE:
        raise WorkflowError(f"There is no multiverse. {NO_MULTIVERSE}")
    dimensions = config["multiverse"]["dimensions"]
    try:
        check_dimensions(dimensions, SYSTEMS, config["baselines"])
    except InputError as error:
        raise WorkflowError(f"config: {error}")
    found = []
    for question, of in asked({name: dimensions[name] for name in DIMENSIONS}).items():
        drawn = universes(
            of,
            SYSTEMS,
            sample=config["multiverse"]["universes"],
            seed=config["seed"],
        )
        found += [
            {**universe, "question": question}
            for universe in [own_universe(question, of["level"][0]), *drawn]
        ]
    return found


def permuted():
    """By question, the universes of the tests by permutations and by exchanges."""
    found = {}
    for universe in multiverse():
        if universe["weight"] > 0:
            found.setdefault(universe["question"], []).append(universe)
    return {
        question: some(of, config["multiverse"]["permuted"])
        for question, of in found.items()
    }


def own_universe(question="systems", level="system"):
    pyramid, rouge = config["pyramid"], config["rouge"]
    return {
        "pyramid_size": pyramid["size"],
        "pyramid_threshold": pyramid["threshold"],
        "pyramid_tiers": pyramid["tiers"],
        "pyramid_recogniser": pyramid["recogniser"],
        "words": config["words"],
        "cleaning": config["cleaning"],
        "topic_documents": config["topic_documents"],
        "index_size": 1,
        "analyzer": config["analyzer"],
        "mu": config["mu"],
        "scorer": "lucene",
        "noun_phrases": config["noun_phrases"],
        "keyword_threshold": config["keyword_threshold"],
        "rouge_stem": rouge["stem"],
        "rouge_stop": rouge["stop"],
        "rouge_multi": rouge["multi"],
        "skip_gap": None,
        "systems": "all",
        "level": level,
        "members": tuple(SYSTEMS),
        "weight": 0.0,
    }


def values_of_universes():
    """The values of the wildcards that are in outputs of the multiverse's rules."""
    return {
        "cleaning": [cleaning for (cleaning,) in of_universes("cleaning")],
        "cleaning,words": sets(),
        "index": list(indexes()),
        "block": range(count_of_blocks()),
        "question": list(permuted()),
        "package": PACKAGES,
    }


def summarizer_settings(name):
    """How a system or baseline summarises; nothing for what is taken as it is."""
    if name == "human" or name in config["candidates"]:
        return {}
    of = SimpleNamespace(system=name)
    return {
        "summarizer": summarizer(of),
        "parameters": config["parameters"].get(summarizer(of), {}),
        "seed": seed(of),
    }


def of_universes(*names):
    """The different values that universes have of some dimensions together."""
    return list(
        dict.fromkeys(tuple(each[name] for name in names) for each in multiverse())
    )


def sets():
    """Sets of summaries: (cleaning, words)."""
    return of_universes("cleaning", "words")


def of_sets(pattern):
    return lambda wildcards: [
        f"{MULTIVERSE}/{pattern}".format(cleaning=cleaning, words=words)
        for cleaning, words in sets()
    ]


def name_of_index(share, inside, analyzer):
    return f"{share:g}-{'inside' if inside else 'outside'}-{analyzer}"


def indexes():
    """Indexes by name: share of the articles, whether topics' documents are inside, analyzer."""
    return {
        name_of_index(*index): index
        for index in of_universes("index_size", "topic_documents", "analyzer")
    }


def own_index():
    """The index of the study's own settings."""
    own = own_universe()
    return "/".join(
        [
            MULTIVERSE,
            "index",
            name_of_index(1, own["topic_documents"], own["analyzer"]),
        ]
    )


def wanted(*parts):
    """The choices of parts of a set of summaries."""
    return lambda wildcards: {
        name: choices
        for part in parts
        for name, choices in choices_needed(
            multiverse(), part, cleaning=wildcards.cleaning, words=int(wildcards.words)
        ).items()
    }


def wanted_of_index(wildcards):
    size, inside, analyzer = indexes()[wildcards.index]
    return {
        name: choices
        for part in FORMULATIONS
        for name, choices in choices_needed(
            multiverse(),
            part,
            index_size=size,
            topic_documents=inside,
            analyzer=analyzer,
        ).items()
    }


def sets_of_index(wildcards):
    """The sets of summaries that universes search for in an index."""
    size, inside, analyzer = indexes()[wildcards.index]
    return sorted(
        {
            (each["cleaning"], each["words"])
            for each in multiverse()
            if (each["index_size"], each["topic_documents"], each["analyzer"])
            == (size, inside, analyzer)
        }
    )


def of_sets_of_index(pattern):
    return lambda wildcards: [
        f"{MULTIVERSE}/{pattern}".format(cleaning=cleaning, words=words)
        for cleaning, words in sets_of_index(wildcards)
    ]


def all_cells(wildcards):
    return [
        *of_sets("scores/rouge/{cleaning}-{words}.npz")(wildcards),
        *of_sets("scores/pyramid/{cleaning}-{words}.npz")(wildcards),
        *(f"{MULTIVERSE}/scores/sera/{index}.npz" for index in indexes()),
    ]


def count_of_blocks():
    return -(-len(multiverse()) // BLOCK)


def blocks(wildcards):
    return [f"{MULTIVERSE}/blocks/{block}.npz" for block in range(count_of_blocks())]
