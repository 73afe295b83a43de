"""The facts of a study's page: headline, searched documents, run times, and texts of other steps' figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from sera.evaluation.coefficients import CORRELATIONS
from sera.evaluation.tables import UNDEFINED, has_published
from sera.io import tsv
from sera.metrics.sera import large_cutoff
from study.published.comparison import HIGHER, LOWER, SAME, WITHIN, verdicts

OPEN_ACCESS = 1_000_000
"""About the number of articles in PubMed Central's Open Access subset when the paper was written."""

_MEASURED = ("s", "cpu_time", "max_rss")  # by Snakemake
_SAME = 1e-6  # the last digit of the tables: means that are equal on paper differ by round-off
_UNMEASURED = ("-", "NA", "nan", "")


def study_headline(table: pd.DataFrame, against: str) -> dict[str, Any]:
    """The numbers of the page's first section, of a table of `tables.beside` for a judgement.

    ``systems`` and ``topics`` are numbers; ``best`` has the metrics of ROUGE and of SERA with the highest
    Spearman's rho (`best_metrics`), ``means`` the families' mean rho. If there are published numbers,
    ``paper`` and ``means_paper`` are the same of these, ``medians`` and ``medians_paper`` the median
    rho. ``verdicts`` counts the ``cells`` by verdict, and ``distance`` is the median absolute difference of
    the defined cells.
    """
    table = table[table["against"] == against]
    families = {family: table[table["metric"].str.startswith(family)] for family in ("ROUGE", "SERA")}
    found: dict[str, Any] = {name: int(table[name].max()) for name in ("systems", "topics")}
    compared = has_published(table)
    for best, end in (("best", ""), ("paper", "_paper"))[: 1 + compared]:
        of = {family: rows[f"spearman{end}"] for family, rows in families.items()}
        found[best] = {family: best_metrics(rows, f"spearman{end}") for family, rows in families.items()}
        found[f"means{end}"] = {family: float(rho.mean()) for family, rho in of.items()}
        found[f"medians{end}"] = {family: float(rho.median()) for family, rho in of.items()}
    if compared:
        cells = verdicts(table)
        counts = cells.stack().value_counts()
        found["cells"] = int(cells.size)
        kinds = (SAME, WITHIN, HIGHER, LOWER, UNDEFINED)
        found["verdicts"] = {kind: int(counts.get(kind, 0)) for kind in kinds}
        distances = table[[f"{name}_difference" for name in CORRELATIONS]].abs()
        found["distance"] = float(distances.stack().median())
    return found


def best_metrics(rows: pd.DataFrame, column: str) -> dict[str, Any] | None:
    """The names of the ``metrics`` that tie at the highest ``value`` of a column; None if none is defined."""
    highest = rows[column].max()
    if np.isnan(highest):
        return None
    return {"metrics": list(rows["metric"][rows[column] >= highest - _SAME]), "value": float(highest)}


def collection_in_words(kind: str, documents: int, left_out: int = 0) -> str:
    """Which documents SERA searches, and what share of their collection they are.

    ``kind`` is ``generated`` (the demo's articles), ``open-access`` (articles of PubMed Central beside the
    paper's own benchmark), ``packages`` (the same beside another benchmark), ``documents`` (the benchmark's
    own collection) or ``sources`` (the topics' articles). ``left_out`` articles were not read.
    """
    number, share = _counted(documents), documents / OPEN_ACCESS
    missing = f"; {left_out:,} more could not be read" if left_out else ""
    match kind:
        case "generated":
            return f"{number}, all generated{missing}"
        case "open-access":
            part = f"{share:.1%}" if share >= 0.001 else "less than 0.1%"
            return (
                f"{number} of PubMed Central's Open Access articles{missing}. That is {part} of the subset "
                "in the paper's time, about a million articles; the paper gives no number"
            )
        case "packages":
            return f"{number} of PubMed Central, in the folder pmc_oa{missing}"
        case "documents":
            return f"{number}, all of the benchmark's own collection"
    return f"{number}: only the articles of the topics themselves, since the benchmark has no collection"


def _counted(documents: int) -> str:
    return f"{documents:,} {'document' if documents == 1 else 'documents'}"


def unreadable_reasons(table: str | Path) -> dict[str, int]:
    """How often each reason, without its details, occurs in a table of articles that were not read."""
    reasons = tsv.read(table, ("part", "file", "reason"))["reason"]
    return dict(sorted(Counter(reason.split(":")[0] for reason in reasons).items()))


def cutoff_warning(documents: int, cutoffs: Sequence[int]) -> str:
    """What to warn of where the index is small beside the cut-offs; empty if it is not.

    Two unrelated rankings of N documents share on average n / N of their first n, so a score at a large
    cut-off (`sera.metrics.sera.large_cutoff`) is high by chance.
    """
    large = sorted({cutoff for cutoff in cutoffs if large_cutoff(cutoff, documents)})
    if not large:
        return ""
    words = f"The index is small: {_counted(documents)}. "
    if whole := [cutoff for cutoff in large if cutoff >= documents]:
        words += f"At {_listed(whole)}, SERA retrieves every document for every summary. "
    if part := [cutoff for cutoff in large if cutoff < documents]:
        by_chance = f"{part[0] / documents:.0%}" + (f" to {part[-1] / documents:.0%}" if part[1:] else "")
        shared = f"two unrelated summaries share {by_chance} of their documents by chance"
        words += f"At {_listed(part)}, {shared}. "
    remedy = "index more documents, or lower the cut-off"
    return f"{words}SERA's scores and correlations there mean little: {remedy}."


def _listed(numbers: Sequence[int]) -> str:
    """Cut-offs in words; of three and more, the first and the last."""
    if len(numbers) == 1:
        return f"the cut-off {numbers[0]}"
    return f"the cut-offs {numbers[0]} {'to' if numbers[2:] else 'and'} {numbers[-1]}"


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
    found = {"jobs": rules.size(), "seconds": rules["s"].sum(), "longest": rules["s"].max()}
    found |= {"processor": rules["cpu_time"].sum(min_count=1), "memory": rules["max_rss"].max()}
    table = pd.DataFrame(found)
    return table.sort_values("seconds", ascending=False, kind="stable").reset_index().to_dict("records")


def of_audit(counts: pd.DataFrame) -> str:
    """Text of `figures.attainable_pairs`: the number of systems for which most rows are possible."""
    fits = [name for name in counts if name.endswith("_fit")]
    of_any = counts[counts["ties"] == "any"].set_index("systems")
    best = of_any[fits].sum(axis=1).idxmax()
    parts = []
    for name in fits:
        table = name.removesuffix("_fit")
        title = table.replace("table", "Table ")
        parts.append(f"{of_any.loc[best, name]} of {of_any.loc[best, f'{table}_rows']} rows of {title}")
    return f"{best} systems can give most of the printed pairs of coefficients: {' and '.join(parts)}."
