# Needs: config.yaml and the command line. Makes: all settings, with the types of a file.

import os
import sys
from pathlib import Path

if not isinstance(workflow.current_basedir, os.PathLike):
    raise SystemExit(
        "Error: a module by `github` has no packages, which the rules and jobs import. Clone the repository, and give the "
        "clone's Snakefile as `snakefile`."
    )
CHECKOUT = Path(workflow.current_basedir).parent
sys.path.insert(0, str(CHECKOUT))  # where another workflow uses this one as a module

from study.settings.checks import matrix_benchmarks, read_types, report_errors
from study.settings.schema import read_schema
from study.settings.settings import DATA, check_data_is_read, read_settings, with_defaults

config.update({name: read_types(value) for name, value in config.items()})

# config.yaml has the common settings; docs/configuration.md lists all with their defaults.
config.update(with_defaults(config, read_schema(CHECKOUT / "schemas/config.schema.yaml")))

# The folder of data sets names benchmarks of the matrix.
with report_errors():
    config["matrix"], LACKING = matrix_benchmarks(config)
    of_file = read_settings(CHECKOUT / "config.yaml")
    check_data_is_read(config, [name for name in DATA if config.get(name) != of_file.get(name)])
if LACKING:
    print(f"Not in {config['datasets']}: {', '.join(LACKING)}", file=sys.stderr)
