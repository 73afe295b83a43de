# Needs: the configuration. Makes: its checked values, and the definitions that several files of rules use, here and
# in the files that it includes at its end. Files of rules come after it, in any order.

import copy
import os
import re
from pathlib import Path

from snakemake.utils import update_config

from sera.benchmarks import BENCHMARKS, load_benchmark, resolve
from sera.errors import InputError
from sera.io.language_models import RECORD
from sera.metrics import FAMILIES, family_of
from sera.metrics.configure import in_language
from sera.metrics.s3.features import FULL
from sera.retrieval import queries
from sera.retrieval.engines import ENGINES
from sera.summarizers import SUMMARIZERS

from study.published import FIGURE1, KINDS_RELEASED, PAPERS_BENCHMARK, RELEASED, RELEASED_BENCHMARK
from study.settings import checks
from study.settings.lengths import read_length
from study.settings.families import (
    batches,
    families_by_need,
    family_listing,
    family_settings,
    modules,
    families_inside,
    families_that_need,
    families_that_need_only,
    scored_families,
)
from study.settings.schema import read_schema
from study.settings.settings import study_name, settings_by_study, with_defaults
from study.settings.systems import base_system
from study.workflow.code import code
from study.workflow.job import set_environment
from study.workflow.raw_data import content_hash

# In a workflow that uses this one as a module, workflow.basedir is the folder of that workflow.
ROOT = str(Path(workflow.current_basedir).parent)
set_environment(ROOT)

with checks.report_errors():
    checks.check_settings(config, f"{ROOT}/schemas/config.schema.yaml")
    checks.check_files(config)
    checks.check_language(config)
    checks.check_text("the folder of the code", ROOT)
    checks.check_text("config: results", config["results"])

config["results"] = os.path.normpath(config["results"])
OUT = f"{config['results']}/{study_name(config)}"
AUDIT = f"{config['results']}/audit"
# Where jobs keep the answers of language models, unless the environment says so.
os.environ.setdefault(RECORD, f"{OUT}/answers/answers.jsonl")


pathvars:
    results=OUT,
    logs=f"{OUT}/logs",
    benchmarks=f"{OUT}/benchmarks",
    # what rules read: a further study may read the files of the first (rules/studies.smk)
    corpus=f"{OUT}/corpus",
    index=f"{OUT}/index",
    vectors=f"{OUT}/vectors.npz",
    summaries=f"{OUT}/summaries",


BENCHMARK, OWN_FOLDER = resolve(config["benchmark"])
SYNTHETIC = BENCHMARK == "demo"
READER = load_benchmark(BENCHMARK)
# Without texts, a benchmark has judgements and the scores of its release, and the study evaluates these alone.
HAS_TEXTS = READER.HAS_TEXTS
# The paper has numbers for its own benchmark only, which is released as scores too.
COMPARED = BENCHMARK in (PAPERS_BENCHMARK, RELEASED_BENCHMARK)
# A label on every table and figure.
LABEL = "demo (synthetic)" if SYNTHETIC else study_name(config)

# The settings of metrics, by family.
SCHEMA = read_schema(f"{ROOT}/schemas/config.schema.yaml")
FAMILY_SETTINGS = in_language(FAMILIES, family_settings(config, SCHEMA), config["language"])
FAMILY_LISTING = family_listing(config, SCHEMA)


def settings_for(families):
    """The settings of these families."""
    return {name: FAMILY_SETTINGS.get(name, {}) for name in families}


# The papers of some benchmarks have a length of their own.
BUDGET = read_length(
    config["length"] or {"scitldr": "1 sentences", "scisummnet": "150 words"}.get(BENCHMARK, "250 words")
)

FORMULATIONS = queries.formulations(config["language"], config["noun_phrases"])


def settings_of(study):
    """The settings of a study that `studies` or `matrix` names: those of the file, but for what it sets."""
    settings = copy.deepcopy(dict(config))
    update_config(settings, settings_by_study(config)[study])
    return {**settings, "study": study, "studies": {}, "matrix": {}}


def has_judgements(study):
    """Whether a further study has judgements, and so a Table 2."""
    benchmark, folder = resolve(settings_of(study)["benchmark"])
    reader = load_benchmark(benchmark)
    if folder:
        return bool(reader.judged(folder)[1]) or reader.has_nuggets(folder)
    return reader.JUDGED or "nuggets" not in reader.LACKS


with checks.report_errors():
    checks.check_inputs(
        {study_name(config): config, **{study: settings_of(study) for study in settings_by_study(config)}},
        AUDIT,
    )


def shown(path, category, caption):
    """A result as `snakemake --report` shows it, with the study that it is of."""
    labels = {"study": study_name(config), "file": Path(path).name}
    return report(path, category=category, caption=caption, labels=labels)


def one_of(names):
    """A wildcard's constraint to these names; without any, one that no name meets."""
    return "|".join(map(re.escape, names)) or "(?!)"


def sha256_of(paths):
    """As a parameter: a hash of raw data, which are files, or a function from a job's wildcards to files."""
    return lambda wildcards: content_hash(paths(wildcards) if callable(paths) else paths)


wildcard_constraints:
    system="[a-z0-9_]+",
    cleaning="full|none",
    figures="text|captions",


include: "data.smk"
include: "inputs.smk"
