# The study of Cohan & Goharian (2016): from packages of articles and a benchmark to the paper's tables.
# The head of each file in rules/ lists what its rules need and make.

import os
import sys

from snakemake.utils import min_version, update_config

from rules.checks import typed
from rules.console import set_console
from rules.killed import killed
from rules.last_run import watch
from sera.errors import InputError
from sera.reporting.study_settings import (
    check_given,
    given_to_make,
    matrix_of,
    of_environment,
    read_settings,
    settings_by_study,
)

min_version("9.20")  # modules with names from the configuration

CONSOLE = set_console(workflow)  # before the checks, whose errors it shows

try:
    read_settings("config.yaml")
    BY_ENVIRONMENT = of_environment(os.environ)
except InputError as error:
    raise WorkflowError(str(error))


configfile: "config.yaml"


# The command line has the last word, before the environment, before the files.
update_config(config, BY_ENVIRONMENT)
update_config(config, typed(workflow.config_settings.config))

# The folder of data sets names benchmarks of the matrix.
try:
    config["matrix"], LACKING = matrix_of(config)
    if workflow.is_main_process and "matrix" in sys.argv and not config["matrix"]:
        raise InputError(
            "config: matrix: names no benchmark",
            remedy="Name the folder of `sera datasets get --all`: `make matrix DATASETS=folder`.",
        )
except InputError as error:
    raise WorkflowError(str(error))
if config.get("datasets") and workflow.is_main_process and "matrix" in sys.argv:
    print(f"The matrix: {', '.join(config['matrix'])}", file=sys.stderr)
    if LACKING:
        print(f"Not in {config['datasets']}: {', '.join(LACKING)}", file=sys.stderr)


report: "report/workflow.rst"


include: "rules/study.smk"


if NO_MULTIVERSE and workflow.is_main_process and "multiverse" in sys.argv:
    raise WorkflowError(f"There is no multiverse. {NO_MULTIVERSE}")


include: "rules/download.smk"
include: "rules/audit.smk"


if config["matrix"]:

    include: "rules/matrix.smk"


# Downloading fills a folder for any benchmark. A Snakefile is not given its targets.
if workflow.is_main_process and "download" not in sys.argv:
    try:
        check_given(config, workflow.config_settings.config, by_make=False)
        check_given(config, given_to_make(os.environ), by_make=True)
    except InputError as error:
        raise WorkflowError(str(error))

# What changed since the run before, and why each step runs.
WATCH = watch(workflow, CONSOLE, OUT, config, CONTENTS)


# The further studies, those of the matrix too: the same rules, each with its own settings and with its name as a prefix of
# the rules' names.
for STUDY in settings_by_study(config):
    WITH_ITS_NAME = f"{STUDY}_*"

    module:
        name: STUDY
        snakefile:
            "rules/study.smk"
        config:
            settings_of(STUDY)

    use rule * from STUDY as WITH_ITS_NAME


onstart:
    hold_results(
        [
            OUT,
            *(
                f"{config['results']}/{study}"
                for study in settings_by_study(config)
            ),
        ]
    )


onsuccess:
    WATCH.end()


onerror:
    for line in killed([log] if isinstance(log, str) else log):
        print(line, file=sys.stderr)


rule all:
    default_target: True
    input:
        rules.study.input,
        [getattr(rules, f"{study}_study").input for study in config["studies"]],
        rules.audit.output if SHOWS_AUDIT else [],


rule summaries:
    input:
        f"{OUT}/summaries.jsonl",
        f"{OUT}/baselines.jsonl",


rule scores:
    input:
        f"{OUT}/scores.tsv",


rule tables:
    input:
        [f"{OUT}/tables/{table}.tsv" for table in ("table2", "table3") if JUDGEMENTS]
        or KEYWORDS,
