"""The correlations of one study beside those of further studies, which differ in some settings."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from sera.evaluation.correlation.coefficients import CORRELATIONS


def beside_studies(own: pd.DataFrame, others: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """A row per further study and pair (metric, against) that both studies have.

    All tables have the columns metric, against and the coefficients, -1 to 1. ``<coefficient>_study`` is the
    further study's, and ``<coefficient>_change`` what it is above this one's. An undefined coefficient has an
    undefined change.
    """
    keys = ["metric", "against"]
    tables = []
    for study, other in others.items():
        wanted = [*keys, *CORRELATIONS]
        both = own[wanted].merge(other[wanted], on=keys, suffixes=("", "_study"), validate="one_to_one")
        for name in CORRELATIONS:
            both[f"{name}_change"] = both[f"{name}_study"] - both[name]
        tables.append(both.assign(study=study))
    columns = [f"{name}{end}" for name in CORRELATIONS for end in ("", "_study", "_change")]
    return pd.concat(tables, ignore_index=True)[["study", *keys, *columns]]
