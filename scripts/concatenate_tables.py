"""Concatenate tables with the same header."""

from sera.errors import InputError
from sera.io.files import lines, writing
from study.workflow.job import job

with job(snakemake) as rule, writing(rule.output[0]) as whole:
    header = rule.params.get("header")  # of a table without parts
    if header and not rule.input:
        whole.write(header + "\n")
    for path in rule.input:
        for number, line in lines(path):
            if number > 1:
                whole.write(line + "\n")
            elif path == rule.input[0]:
                header = line
                whole.write(line + "\n")
            elif line != header:
                raise InputError(
                    f"has the header {line!r}, not {header!r}",
                    path=path,
                    line=1,
                    remedy="Delete it, and run again: it is made again.",
                )
