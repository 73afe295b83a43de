"""Concatenate tables with the same header."""

from sera.errors import InputError
from sera.io.files import lines, writing
from study.workflow.job import job

with job(snakemake) as rule:
    header = rule.params.header
    with writing(rule.output[0]) as whole:
        whole.write(header + "\n")
        for part in rule.input:
            for number, line in lines(part):
                if number > 1:
                    whole.write(line + "\n")
                elif line != header:
                    raise InputError(
                        f"has the header {line!r}, not {header!r}",
                        path=part,
                        line=1,
                        remedy="Delete it and run again; the run recreates it.",
                    )
