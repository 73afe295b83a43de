"""The facts of a study's page: headline, searched documents, run times, and texts of other steps' figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import pandas as pd

from sera.evaluation.coefficients import CORRELATIONS
from sera.evaluation.tables import UNDEFINED, has_published
from sera.io import tsv
from sera.metrics.sera import large_cutoff
from sera.reporting.overview import compare_families, headline
from study.published.comparison import HIGHER, LOWER, SAME, WITHIN, verdicts

OPEN_ACCESS = 1_000_000
"""About the number of articles in PubMed Central's Open Access subset when the paper was written."""

_MEASURED = ("s", "cpu_time", "max_rss")  # by Snakemake
_UNMEASURED = ("-", "NA", "nan", "")


def study_headline(table: pd.DataFrame, against: str) -> dict[str, Any]:
    """The `headline` of a table of `tables.beside`, with what compares it with the published numbers, if any.

    ``paper`` and ``means_paper`` are ``best`` and ``means`` of the published numbers, ``medians`` and
    ``medians_paper`` the families' median rho. ``verdicts`` counts the
    ``cells`` by verdict, and ``distance`` is the median absolute difference of the defined cells.
    """
    found = headline(table, against)
    table = table[table["against"] == against]
    if not has_published(table):
        return found
    families = {family: table["metric"].str.startswith(family) for family in ("ROUGE", "SERA")}
    for name, column in (("medians", "spearman"), ("medians_paper", "spearman_paper")):
        found[name] = {family: float(table.loc[of, column].median()) for family, of in families.items()}
    cells = verdicts(table)
    counts = cells.stack().value_counts()
    found["paper"], found["means_paper"] = compare_families(table, "spearman_paper")
    found["cells"] = int(cells.size)
    kinds = (SAME, WITHIN, HIGHER, LOWER, UNDEFINED)
    found["verdicts"] = {kind: int(counts.get(kind, 0)) for kind in kinds}
    found["distance"] = float(table[[f"{name}_difference" for name in CORRELATIONS]].abs().stack().median())
    return found


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
