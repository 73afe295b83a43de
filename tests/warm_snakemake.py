"""Snakemake that has been imported: a fork of this process for each run that is asked for.

A line of the input is a run as JSON: its arguments, folder, environment, and the folder where the files `out`
and `err` take what it says. A line of the output is its exit status. The process ends with its input.
"""

import json
import os
import sys

# What Snakemake and the rules import from elsewhere; the library of the checkout is each run's own.
import jsonschema  # noqa: F401
import lxml.etree  # noqa: F401
import numba  # noqa: F401
import pandas  # noqa: F401
import smart_open  # noqa: F401
from snakemake.cli import main, parse_args


def run(arguments: list[str], folder: str, environment: dict[str, str], said: str) -> None:
    """Become a run, as if the command `snakemake` had been started."""
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for stream, name in enumerate(("out", "err"), 1):
        os.dup2(os.open(f"{said}/{name}", os.O_WRONLY | os.O_CREAT), stream)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.path[:1] = environment["PYTHONPATH"].split(os.pathsep)
    sys.argv = ["snakemake", *arguments]
    main()


if __name__ == "__main__":
    parse_args(["--workflow-profile", "none"])  # loads the plugins
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            run(*json.loads(line))
            sys.exit()
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)
