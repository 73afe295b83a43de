# Needs: the configuration. Makes: its checked values, and the definitions that several files of rules use, here and
# in the files that it includes at its end. Files of rules come after it, in any order.

import copy

from snakemake.utils import update_config

from study.settings.checks import (
    check_environment,
    check_files,
    check_language,
    check_settings,
    told,
)
from study.workflow.contents import Contents
from study.settings.families import family_listing, family_settings
from study.workflow.rules import (
    benchmark_path,
    literally,
    log_path,
    set_environment,
)
from study.workflow.lock import check_origin, check_writable, hold
from study.settings.places import check_places, check_text, inputs, plain_path
from study.settings.schema import read_schema
from sera.benchmarks import load_benchmark, resolve
from sera.errors import InputError, together
from sera.metrics import FAMILIES
from sera.metrics.configure import in_language
from study.published.tables import PAPERS_BENCHMARK
from study.workflow.made import altered
from study.settings.settings import group_of, name_of, settings_by_study
from sera.retrieval import queries
from sera.summarizers.budget import read_length

ROOT = str(workflow.basedir)
set_environment(ROOT)

with told():
    check_environment()
    check_settings(config, f"{ROOT}/schemas/config.schema.yaml")
    check_files(config)
    check_language(config)
    check_text("the folder of the code", ROOT, written=True)
    check_text("config: results", config["results"], written=True)
    check_writable(config["results"])

config["results"] = plain_path(config["results"])
OUT = f"{config['results']}/{name_of(config)}"
AUDIT = f"{config['results']}/audit"
MULTIVERSE = f"{OUT}/multiverse"
CONTENTS = Contents(OUT)
if workflow.is_main_process:
    CONTENTS.keep_at_exit()

BENCHMARK, OWN_FOLDER = resolve(config["benchmark"])
SYNTHETIC = BENCHMARK == "demo"
# It may bring summaries and human judgements of its own.
JUDGED = load_benchmark(BENCHMARK).JUDGED
# The paper has numbers for its own benchmark alone.
COMPARED = BENCHMARK == PAPERS_BENCHMARK
# A label on every table and figure.
LABEL = "demo (synthetic)" if SYNTHETIC else name_of(config)
# The audit is about the paper alone: it has no place on the page of another benchmark, but the demo shows every part.
SHOWN_AUDIT = AUDIT if COMPARED or SYNTHETIC else None

# The settings of metrics, by family.
SCHEMA = read_schema(f"{ROOT}/schemas/config.schema.yaml")
FAMILY_SETTINGS = in_language(
    FAMILIES, family_settings(config, SCHEMA), config["language"]
)
FAMILY_LISTING = family_listing(config, SCHEMA)


def settings_for(families):
    """As a parameter: the settings of these families."""
    return literally({name: FAMILY_SETTINGS.get(name, {}) for name in families})


def listing_for(families):
    """The settings that decide which metrics of these families are scored, for the families that have any."""
    return {name: FAMILY_LISTING[name] for name in families if name in FAMILY_LISTING}


# A length in sentences, or as a share, replaces the benchmark's own length, and that the length in words.
BUDGET = next(
    (
        {name: config[name]}
        for name in ("sentences", "share")
        if config[name] is not None
    ),
    read_length(config["lengths"].get(BENCHMARK, f"{config['words']} words")),
)

FORMULATIONS = queries.formulations(config["language"], config["noun_phrases"])


def settings_of(study):
    """The settings of a study that `studies` or `matrix` names: those of the file, but for what it sets."""
    settings = copy.deepcopy(dict(config))
    update_config(settings, settings_by_study(config)[study])
    return {**settings, "study": study, "studies": {}, "matrix": {}}


def check_run():
    """Refuse a run that would write over an input, or take a result for its own that somebody changed."""
    outs = {name_of(config): OUT, "the audit": AUDIT}
    outs |= {
        study: f"{config['results']}/{study}" for study in settings_by_study(config)
    }
    named = inputs(config, OWN_FOLDER)
    for study in settings_by_study(config):
        own = settings_of(study)
        own = inputs(own, resolve(own["benchmark"])[1])
        group = group_of(config, study)
        named |= {f"{group}.{study}.{setting}": path for setting, path in own.items()}
    for setting, path in named.items():
        check_text(f"config: {setting}", path)
    check_places(ROOT, outs, named)
    check_origin(OUT)
    wrong = [*altered(OUT, CONTENTS.sha256), *altered(AUDIT, CONTENTS.sha256)]
    if fault := together(wrong):
        raise fault


if workflow.is_main_process:
    with told():
        check_run()


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


def log_of(rule, *wildcards):
    """The log of a rule's job in this study."""
    return log_path(OUT, rule, *wildcards)


def benchmark_of(rule, *wildcards):
    """The measurements of a rule's job in this study."""
    return benchmark_path(OUT, rule, *wildcards)


def hold_results(folders):
    """Hold the folders of the studies for this run."""
    with told():
        for folder in folders:
            hold(folder)


wildcard_constraints:
    system="[a-z0-9_]+",


include: "data.smk"
include: "inputs.smk"
