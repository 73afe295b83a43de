"""Put the tables of all families together, in the order of the families; given ones come last."""

import heapq
from functools import cache
from itertools import chain

from sera.errors import InputError
from sera.io.files import lines, writing
from sera.metrics import family_of
from study.workflow.job import job


def rows(path, header):
    """The rows of a table, with the columns of the header; others, such as notes, are left out."""
    for number, line in lines(path):
        line = "\t".join(line.split("\t")[: header.count("\t") + 1])
        if number > 1:
            yield line
        elif line != header:
            raise InputError(
                f"has the header {line!r}, not {header!r}",
                path=path,
                line=1,
                remedy="Delete it and run again; the run recreates it.",
            )


with job(snakemake) as rule:
    place_of = cache(lambda metric: rule.params.families.index(family_of(metric)))
    for name, path in rule.output.items():
        parts, given = rule.input[name], rule.input.get(f"given_{name}", [])
        _, header = next(lines((parts or given)[0]))
        column = header.split("\t").index("metric")
        own = (rows(part, header) for part in parts)  # each has its families in this order
        merged = heapq.merge(*own, key=lambda row: place_of(row.split("\t")[column]))
        with writing(path) as whole:
            whole.write(header + "\n")
            for row in chain(merged, *(rows(part, header) for part in given)):
                whole.write(row + "\n")
