# Needs: the configuration. Makes: its checked values, and definitions that several files of rules use.

import copy
import os
import re

from snakemake.utils import update_config

from sera.retrieval import queries
from sera.benchmarks import BENCHMARKS, resolve
from sera.errors import InputError
from sera.errors import together
from sera.reporting.made import STATE, altered, differing
from sera.reporting.provenance import commit
from sera.reporting.study_settings import name_of, read_settings

from rules.checks import (
    DRAW,
    check_environment,
    check_files,
    check_folders,
    check_settings,
)
from rules.code import code, versions
from rules.contents import Contents
from rules.environment import set_environment
from rules.families import family_listing, family_settings
from rules.lock import check_writable, hold, unwritable
from rules.origin import check_known, mark
from rules.schema import read_schema
from rules.places import check_download, check_places, check_text, inputs, plain_path

ROOT = str(workflow.basedir)
set_environment(ROOT)

try:
    check_environment()
    check_settings(config, f"{ROOT}/schemas/config.schema.yaml")
    check_files(config)
    check_text("the folder of the code", ROOT, written=True)
    check_text("config: results", config["results"], written=True)
    check_writable(config["results"])
except InputError as error:
    raise WorkflowError(str(error))

config["results"] = plain_path(config["results"])
OUT = f"{config['results']}/{name_of(config)}"
AUDIT = f"{config['results']}/audit"
MULTIVERSE = f"{OUT}/multiverse"
CONTENTS = Contents(OUT)
if workflow.is_main_process:
    CONTENTS.keep_at_exit()

BENCHMARK, OWN_FOLDER = resolve(config["benchmark"])
SYNTHETIC = BENCHMARK == "demo"
# Its systems are given and judged by humans; else ours write the summaries, and nuggets judge them.
JUDGED = BENCHMARKS.load(BENCHMARK).JUDGED
# A label on every table and figure.
LABEL = "demo (synthetic)" if SYNTHETIC else name_of(config)

# The tables of the metrics' evaluation.
EVALUATION = [
    f"{OUT}/tables/{table}{suffix}"
    for table in (
        *("system_level", "summary_level", "global_level", "differences"),
        *("top_systems", "s3_table1", "s3_table3"),
    )
    for suffix in (".tsv", ".md", ".tex")
]

# The tables of ROUGE-K's analyses.
KEYWORDS = [
    f"{OUT}/tables/rougek_{table}{suffix}"
    for table in ("table5", "table6", "table7", "table8", "table9", "figure2")
    for suffix in (".tsv", ".md", ".tex")
]

# All that a run makes for its user.
RESULTS = [
    f"{OUT}/{result}"
    for result in (
        "summaries.jsonl",
        "baselines.jsonl",
        "references.jsonl",
        *(["judgements.tsv"] if JUDGED else []),
        "corpus/unreadable.tsv",
        "scores.tsv",
        "signatures.tsv",
        *multiext("tables/table2", ".tsv", ".md", ".tex"),
        *multiext("tables/table3", ".tsv", ".md", ".tex"),
        *(
            []
            if JUDGED
            else multiext("tables/pyramid_threshold", ".tsv", ".md", ".tex")
        ),
        *(
            f"figures/{figure}{suffix}"
            for figure in ("figure1", "comparison", "scatter", "metrics", "sensitivity")
            for suffix in (".svg", ".png", ".pdf")
        ),
        *(
            [
                *multiext("tables/truth", ".tsv", ".md", ".tex"),
                *multiext("figures/truth", ".svg", ".png", ".pdf"),
            ]
            if SYNTHETIC
            else []
        ),
    )
] + [*KEYWORDS, *EVALUATION]

# The settings of metrics, by family.
SCHEMA = read_schema(f"{ROOT}/schemas/config.schema.yaml")
FAMILY_SETTINGS = family_settings(config, SCHEMA)
FAMILY_LISTING = family_listing(config, SCHEMA)


def settings_for(families):
    """As a parameter: the settings of these families."""
    return literally({name: FAMILY_SETTINGS.get(name, {}) for name in families})


# One of them is set: a length in sentences, or as a share, replaces the length in words.
BUDGET = next(
    {name: config[name]}
    for name in ("sentences", "share", "words")
    if config[name] is not None
)


def drawn(systems):
    """The systems, with `random` as often as it is drawn: `random_1`, `random_2` and so on."""
    draws = config["draws"]
    several = [f"random_{draw}" for draw in range(1, draws + 1)] if draws > 1 else []
    return [
        name
        for system in systems
        for name in (several if several and system == "random" else [system])
    ]


FORMULATIONS = list(queries.FORMULATIONS)


def settings_of(study):
    """The settings of a study that `studies` names: those of the file, but for what it sets itself."""
    settings = copy.deepcopy(dict(config))
    update_config(settings, config["studies"][study])
    return {**settings, "study": study, "studies": {}}


def check_run():
    """Refuse a run that would write over an input, or take a result for its own that somebody changed."""
    outs = {name_of(config): OUT, "the audit": AUDIT}
    outs |= {"the download": f"{config['results']}/download"}
    outs |= {study: f"{config['results']}/{study}" for study in config["studies"]}
    named = inputs(config, OWN_FOLDER)
    for study in config["studies"]:
        own = settings_of(study)
        own = inputs(own, resolve(own["benchmark"])[1])
        named |= {f"studies.{study}.{setting}": path for setting, path in own.items()}
    for setting, path in named.items():
        check_text(f"config: {setting}", path)
    check_places(ROOT, outs, named)
    check_known(OUT)
    wrong = [*altered(OUT, CONTENTS.sha256), *altered(AUDIT, CONTENTS.sha256)]
    if fault := together(wrong):
        raise fault


if workflow.is_main_process:
    try:
        check_run()
    except InputError as error:
        raise WorkflowError(str(error))


def holds(paths):
    """As a parameter: one hash over what files hold. They are no inputs, since Snakemake looks at times only.

    `paths` is a list, or gives one for the wildcards of a job.
    """

    def of_job(wildcards):
        try:
            return CONTENTS.of(paths(wildcards) if callable(paths) else paths)
        except InputError as error:
            raise WorkflowError(str(error))

    return of_job


def literally(value):
    """As a parameter: names of a benchmark's, in which a brace is a character and no wildcard."""
    return lambda wildcards: value


def hold_results(folders):
    try:
        for folder in folders:
            hold(folder)
            mark(folder)
    except InputError as error:
        raise WorkflowError(str(error))
    except OSError as error:  # a full disk
        raise WorkflowError(str(unwritable(config["results"], error)))


def growing(amount):
    """A resource of which a job that is tried again gets as much more each time."""
    return lambda wildcards, attempt: amount * attempt


wildcard_constraints:
    system="[a-z0-9_]+",
    formulation="|".join(FORMULATIONS),
    threshold=r"[\d.]+",
