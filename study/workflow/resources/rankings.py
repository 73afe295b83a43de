"""The rankings of a search, by formulation of the queries."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sera.metrics.sera import RunRankings, search_settings
from sera.retrieval.engines import documents_in
from sera.retrieval.runs import first_zero_of_run, read_run


def read(rule: Any, texts: Sequence[Any]) -> RunRankings:
    runs = {Path(path).stem: path for path in rule.input.rankings}
    zeros = {formulation: first_zero_of_run(path) for formulation, path in runs.items()}
    own = rule.params.resources["rankings"]
    search = search_settings(own["analyzer"], documents_in(rule.input.index), **own["search"])
    return RunRankings(
        {formulation: read_run(path) for formulation, path in runs.items()},
        search,
        {formulation: rank for formulation, rank in zeros.items() if rank is not None},
    )
