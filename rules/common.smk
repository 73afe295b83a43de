# Needs: the configuration. Makes: its checked values, and what several files of rules use.

import os
import re

from sera.errors import InputError

from rules.checks import check_folders, check_settings, typed
from rules.code import code

ROOT = str(workflow.basedir)

# Jobs use this checkout's library, whatever copy is installed.
os.environ["PYTHONPATH"] = os.pathsep.join(
    [ROOT, *filter(None, [os.environ.get("PYTHONPATH")])]
)

# Sums of floats hang on how many threads add them up: one thread each, and results are the same everywhere.
for library in ("OMP", "OPENBLAS", "MKL", "NUMEXPR"):
    os.environ[f"{library}_NUM_THREADS"] = "1"

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


wildcard_constraints:
    system="[a-z0-9_]+",
    formulation="|".join(FORMULATIONS),
    threshold=r"[\d.]+",
