"""Put the parts of a search together, for each formulation of the queries."""

import shutil

from sera.io.files import writing
from study.workflow.job import job

with job(snakemake) as rule:
    for kind, paths in rule.output.items():
        parts = len(rule.input[kind]) // len(paths)
        for number, path in enumerate(paths):
            own = rule.input[kind][number * parts : (number + 1) * parts]
            with writing(path) as whole:
                for part in own[:1] if kind == "settings" else own:
                    with open(part, encoding="utf-8") as stream:
                        shutil.copyfileobj(stream, whole)
