# Needs: the configuration. Makes: its checked values, and what several files of rules use.

import os
import re

from sera.errors import InputError

from rules.checks import check_folders, check_settings, typed
from rules.code import code
from rules.environment import set_environment

ROOT = str(workflow.basedir)
set_environment(ROOT)

try:
    config.update({key: typed(value) for key, value in config.items()})
    check_settings(config, f"{ROOT}/schemas/config.schema.yaml")
except InputError as error:
    raise WorkflowError(str(error))

OUT = f"{config['results']}/{config['benchmark']}"
SYNTHETIC = config["benchmark"] == "demo"


LABEL = (
    "demo (synthetic)" if SYNTHETIC else config["benchmark"]
)  # stands on every table and figure
FORMULATIONS = ["plain", "np", "kw"]
WITHOUT_EFFECT = ["download", "memory", "results"]  # settings that no result depends on


def growing(amount):
    """A resource of which a job that is tried again gets as much more each time."""
    return lambda wildcards, attempt: amount * attempt


wildcard_constraints:
    system="[a-z0-9_]+",
    formulation="|".join(FORMULATIONS),
    threshold=r"[\d.]+",
