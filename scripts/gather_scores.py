"""Put the tables of all families together, in the order of the families; given ones come last."""

import heapq
from functools import cache
from itertools import chain

from sera.io.files import lines, writing
from sera.metrics import family_of
from study.workflow.job import job
from study.workflow.rows import rows_below

with job(snakemake) as rule:
    place_of = cache(lambda metric: rule.params.families.index(family_of(metric)))
    for name, path in rule.output.items():
        parts, given = rule.input[name], rule.input.get(f"given_{name}", [])
        _, header = next(lines((parts or given)[0]))
        column = header.split("\t").index("metric")
        own = (rows_below(header, part, cut=True) for part in parts)  # each has its families in this order
        merged = heapq.merge(*own, key=lambda row: place_of(row.split("\t")[column]))
        with writing(path) as whole:
            whole.write(header + "\n")
            for row in chain(merged, *(rows_below(header, part, cut=True) for part in given)):
                whole.write(row + "\n")
