"""The time and memory of the jobs of each rule, as Snakemake measured them."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import Any

import pandas as pd

from sera.io import tsv

_MEASURED = ("s", "cpu_time", "max_rss")  # by Snakemake
_UNMEASURED = ("-", "NA", "nan", "")


def run_times(folder: str | PathLike[str]) -> list[dict[str, Any]]:
    """The jobs of each rule by Snakemake's benchmarks: number, seconds (sum, longest), peak memory (MB)."""
    folder = Path(folder)
    tables = []
    for path in sorted(folder.rglob("*.tsv")):
        rule = path.relative_to(folder).parts[0].removesuffix(".tsv")
        cells = tsv.read(path, _MEASURED)
        values = {name: tsv.numbers(cells, name, path, undefined=_UNMEASURED) for name in _MEASURED}
        tables.append(pd.DataFrame(values).assign(rule=rule))
    if not tables:
        return []
    jobs = pd.concat(tables, ignore_index=True)
    rules = jobs.groupby("rule", sort=True)
    table = pd.DataFrame(
        {
            "jobs": rules.size(),
            "seconds": rules["s"].sum(),
            "longest": rules["s"].max(),
            "processor": rules["cpu_time"].sum(min_count=1),
            "memory": rules["max_rss"].max(),
        }
    )
    return table.sort_values("seconds", ascending=False, kind="stable").reset_index().to_dict("records")
