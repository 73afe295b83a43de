"""Concatenate tables with the columns of the first one; further columns, such as notes, are left out."""

from sera.errors import InputError
from sera.io.files import lines, writing
from study.workflow.job import job

with job(snakemake) as rule:
    for name, path in rule.output.items():
        parts = rule.input.get(name, [])
        header = rule.params.get("header")
        with writing(path) as whole:
            if not parts:
                whole.write(header + "\n")
            for part in parts:
                for number, line in lines(part):
                    if number == 1 and part == parts[0]:
                        header = line
                    line = "\t".join(line.split("\t")[: header.count("\t") + 1])
                    if number > 1 or part == parts[0]:
                        whole.write(line + "\n")
                    elif line != header:
                        raise InputError(
                            f"has the header {line!r}, not {header!r}",
                            path=part,
                            line=1,
                            remedy="Delete it and run again; the run recreates it.",
                        )
