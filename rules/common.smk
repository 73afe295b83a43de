# Needs: the configuration. Makes: its checked values, and what several files of rules use.

import os
import re
import sys

from sera.errors import InputError

ROOT = str(workflow.basedir)
sys.path.insert(0, ROOT)
from rules.checks import check_checkout, check_folders, check_settings, typed
from rules.code import code

# Sums of floats hang on how many threads add them up: one thread each, and results are the same everywhere.
for library in ("OMP", "OPENBLAS", "MKL", "NUMEXPR"):
    os.environ[f"{library}_NUM_THREADS"] = "1"

try:
    check_checkout(ROOT)
    config.update({key: typed(value) for key, value in config.items()})
    check_settings(config, f"{ROOT}/schemas/config.schema.yaml")
except InputError as error:
    raise WorkflowError(str(error))

OUT = f"{config['results']}/{config['benchmark']}"
SYNTHETIC = config["benchmark"] == "demo"
LABEL = "demo (synthetic)" if SYNTHETIC else config["benchmark"]  # stands on every table and figure
FORMULATIONS = ["plain", "np", "kw"]


wildcard_constraints:
    system="[a-z0-9_]+",
    formulation="|".join(FORMULATIONS),
    threshold=r"[\d.]+",
