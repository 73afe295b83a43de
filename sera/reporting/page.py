"""The page that shows the results of a run: one file that needs no network."""

from __future__ import annotations

import json
import shlex
from base64 import b64encode
from collections.abc import Mapping, Sequence
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import Any

import jinja2
import pandas as pd
import yaml
from markupsafe import Markup

from sera import tsv
from sera.corpora.pmc_oa import unreadable_reasons
from sera.evaluation.coefficients import CORRELATIONS
from sera.evaluation.tables import SYMBOLS, UNDEFINED, read_tsv
from sera.files import writing
from sera.metrics import family_of
from sera.metrics.scoring import read_scores, read_signatures, with_judgements
from sera.published.paper import caption
from sera.published.verdicts import (
    HIGHER,
    LOWER,
    MOVED,
    MOVED_WITHIN,
    OK,
    SAME,
    WITHIN,
    read_expected,
    settings_of,
    verdicts,
)
from sera.records import Candidate, Nugget, Reference, read, read_all
from sera.reporting import summaries as browsing
from sera.reporting.overview import SENSITIVE, means_by_system, shown_metrics, turned
from sera.retrieval.engines import documents_in
from sera.retrieval.runs import read_run

LARGEST_PAGE = 5_000_000
"""The largest size of the page in bytes; topics that would exceed it are left out, and the page says so."""

MARKS = {SAME: "=", WITHIN: "≈", HIGHER: "▲", LOWER: "▼", UNDEFINED: "–"}
MARKS |= {OK: "✓", MOVED_WITHIN: "≈", MOVED: "✗"}
FIGURES = ("figure1", "comparison", "scatter", "metrics", "sensitivity")


def write_report(
    path: str | PathLike[str],
    template: str | PathLike[str],
    *,
    files: Mapping[str, Any],
    benchmark: str,
    judgements: Sequence[str],
    systems: Sequence[str],
    no_multiverse: str | None = None,
    defaults: Mapping[str, Any] | None = None,
) -> None:
    """Fill the page's template from the result files and write it.

    ``files`` has the paths of the results by name; where a study has no ``nuggets``, ``judgements``,
    ``expected``, ``truth``, ``curve_systems``, ``curve_summaries`` or ``audit`` (with its ``paragraphs``),
    the page goes without. ``judgements`` are what metrics are compared with, the first one foremost;
    ``systems`` those correlated over. ``no_multiverse`` says why the study cannot have a multiverse; None if
    it can.
    ``defaults`` are the settings of config.yaml.
    """
    against = judgements[0]
    provenance = json.loads(Path(files["provenance"]).read_text(encoding="utf-8"))
    settings = provenance["settings"]
    correlations = read_tsv(files["correlations"])
    table2, table3 = (read_tsv(files[name]) for name in ("table2", "table3"))
    published = bool(table2["spearman_paper"].notna().any())
    judged = correlations[correlations["against"].isin(judgements)]
    others = judged[~judged["metric"].isin(table2["metric"])]
    scores = with_judgements(read_scores(files["scores"]), files.get("judgements"))
    documents = documents_in(files["index"])
    known = read_signatures(files["signatures"])
    signature = {name: known.get(name, name) for name in judged["metric"]}
    candidates = read_all([files["summaries"], files["baselines"]], Candidate)
    means = _means(scores, against, systems)
    template = Path(template)
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(template.parent),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"number": _number, "signed": _signed}
    environment.globals |= {"symbols": {name: SYMBOLS[name] for name in CORRELATIONS}, "marks": MARKS}
    page = environment.get_template(template.name)
    content = {
        "benchmark": benchmark,
        "against": against,
        "judgements": judgements,
        "synthetic": "synthetic" in benchmark,
        "folder": Path(path).parent.as_posix(),
        "command": command(settings, defaults=defaults),
        "headline": headline(table2, judged, against),
        "paper": published,
        "captions": {
            name: caption(name, benchmark, against) for name in ("table2", "table3", "correlations", *FIGURES)
        },
        "table2": _rows(table2, signature),
        "table3": _rows(table3),
        "others": _rows(others, signature),
        "expected": _expected(files.get("expected"), table2, settings_of(provenance)),
        "figures": {
            **{name: _image(files[name]) for name in FIGURES},
            **{
                name: _image(files[name]) if name in files else None
                for name in ("truth", "curve_systems", "curve_summaries", "audit")
            },
        },
        "paragraphs": _paragraphs(files.get("paragraphs")),
        "no_multiverse": no_multiverse,
        "means": means,
        "unreadable": unreadable_reasons(files["unreadable"]),
        "rules": run_times(files["benchmarks"]),
        "settings": yaml.safe_dump(dict(settings), sort_keys=True, allow_unicode=True),
        "provenance": provenance,
        "metrics": list(dict.fromkeys([*means["metrics"], *shown_metrics(correlations, against)])),
        "metric_count": scores["metric"].nunique() - len(judgements),
        "systems_count": len(systems),
        "several": len(judgements) > 1,
        "settings_confidence": settings["confidence"],
        "documents": documents,
        "depth": browsing.SHOWN_DOCUMENTS,
    }
    empty = page.render(**content, topics={}, left_out=[])
    topics, left_out = _within(
        _topics(files, candidates, scores, settings), LARGEST_PAGE - len(empty.encode()) - 1000
    )
    with writing(path) as stream:
        stream.write(page.render(**content, topics=topics, left_out=left_out))


def command(
    settings: Mapping[str, Any], target: str = "report", defaults: Mapping[str, Any] | None = None
) -> str:
    """The command that makes a study again, as text for a shell.

    ``defaults`` are the settings of config.yaml: a setting that differs from them and has no variable in the
    Makefile is passed in SETTINGS.
    """
    named = {"BENCHMARK": settings["benchmark"]}
    if settings["benchmark"] != "demo":
        named |= {
            name.upper(): settings.get(name) for name in ("tac2014", "pyramids", "pmc_oa", "realsumm", "nist")
        }
    if settings["results"] != "results":
        named["RESULTS"] = settings["results"]
    words = [f"{name}={shlex.quote(str(value))}" for name, value in named.items() if value]
    others = {
        name: value
        for name, value in settings.items()
        if defaults is not None and name not in _VARIABLES and value != defaults.get(name)
    }
    if others:
        words.append(f"SETTINGS={shlex.quote(json.dumps(others, ensure_ascii=False))}")
    return " ".join(["make", target, *words])


_VARIABLES = ("benchmark", "results", "tac2014", "pyramids", "pmc_oa", "realsumm", "nist")


def headline(table: pd.DataFrame, correlations: pd.DataFrame, against: str) -> dict[str, Any]:
    """The numbers of the page's first section, from a table of `paper.beside` and from all correlations.

    ``best`` has, for ROUGE and SERA, the best metric by Spearman's rho with value and interval, ``paper`` the
    same for the published numbers, ``overall`` the best of all metrics (the lowest for falling ones); None
    where nothing is defined. ``means`` and ``means_paper`` have the families' mean rho. ``verdicts`` counts
    the cells by verdict, ``distance`` is the median absolute difference of the defined cells, and
    ``undefined`` counts rows with an undefined coefficient.
    """
    table = table[table["against"] == against]
    correlations = correlations[correlations["against"] == against]
    found: dict[str, Any] = {
        "systems": int(table["systems"].max()),
        "topics": int(table["topics"].max()),
        "undefined": int(table[list(CORRELATIONS)].isna().any(axis=1).sum()),
        "overall": _best(correlations, "spearman"),
    }
    published = table["spearman_paper"].notna().any()
    for column, best, mean in (("spearman", "best", "means"), ("spearman_paper", "paper", "means_paper")):
        families = {family: table[table["metric"].map(family_of) == family] for family in ("ROUGE", "SERA")}
        found[best] = {family: _best(rows, column) for family, rows in families.items()}
        found[mean] = {family: float(rows[column].mean()) for family, rows in families.items()}
    if published:
        cells = verdicts(table)
        counts = cells.stack().value_counts()
        found["cells"] = int(cells.size)
        kinds = (SAME, WITHIN, HIGHER, LOWER, UNDEFINED)
        found["verdicts"] = {kind: int(counts.get(kind, 0)) for kind in kinds}
        found["distance"] = float(
            table[[f"{name}_difference" for name in CORRELATIONS]].abs().stack().median()
        )
    return found


def _best(rows: pd.DataFrame, column: str) -> dict[str, Any] | None:
    defined = rows.dropna(subset=[column])
    if defined.empty:
        return None
    row = defined.loc[turned(defined[column], defined["metric"]).idxmax()]
    low, high = (row[f"spearman_{end}"] if column == "spearman" else None for end in ("low", "high"))
    return {"metric": row["metric"], "value": row[column], "low": low, "high": high}


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


def _rows(table: pd.DataFrame, signature: Mapping[str, str] | None = None) -> list[dict[str, Any]]:
    """A table of correlations for the template: a row per metric, a cell per coefficient."""
    judged = verdicts(table) if f"{CORRELATIONS[0]}_paper" in table else None
    rows = []
    for place, row in table.iterrows():
        cells = {
            name: {
                "value": row[name],
                "low": row[f"{name}_low"],
                "high": row[f"{name}_high"],
                **(
                    {
                        "paper": row[f"{name}_paper"],
                        "difference": row[f"{name}_difference"],
                        "verdict": judged.loc[place, name],
                    }
                    if judged is not None
                    else {}
                ),
            }
            for name in CORRELATIONS
        }
        own = signature[row["metric"]] if signature else None
        rows.append({"metric": row["metric"], "against": row["against"], "cells": cells, "signature": own})
    return rows


def _expected(
    path: str | PathLike[str] | None, table: pd.DataFrame, settings: Mapping[str, Any]
) -> dict[str, Any] | None:
    if path is None:
        return None
    expected = read_expected(path)
    moves = expected.movements(table)
    counts = moves["verdict"].value_counts()
    return {
        "counts": {name: int(counts.get(name, 0)) for name in (OK, MOVED_WITHIN, MOVED)},
        "moved": moves[moves["verdict"] != OK].to_dict("records"),
        "differing": expected.differing(settings),
    }


def _means(scores: pd.DataFrame, against: str, systems: Sequence[str]) -> dict[str, Any]:
    """The mean scores of every system by a few metrics, sorted by the judgement from the best."""
    shown = [against, "ROUGE-1-F", *SENSITIVE, "SERA-10"]
    means = means_by_system(scores[scores["metric"].isin(shown)])
    shown = [name for name in dict.fromkeys(shown) if name in means]
    means = means[shown].sort_values(shown[0], ascending=False, kind="stable")
    rows = [
        {"system": name, "counts": name in systems, "values": list(values)}
        for name, values in zip(means.index, means.to_numpy(), strict=True)
    ]
    return {"metrics": shown, "rows": rows}


def _topics(
    files: Mapping[str, Any],
    candidates: Sequence[Candidate],
    scores: pd.DataFrame,
    settings: Mapping[str, Any],
) -> dict[str, dict[str, Any]]:
    runs = {Path(path).stem: read_run(path) for path in files["runs"]}
    rankings = (ranking[: browsing.SHOWN_DOCUMENTS] for run in runs.values() for ranking in run.values())
    return browsing.topic_data(
        candidates,
        read(files["references"], Reference),
        scores,
        nuggets=read(files["nuggets"], Nugget) if files.get("nuggets") else (),
        runs=runs,
        titles=browsing.find_titles(files["corpus"], chain.from_iterable(rankings)),
        pyramid={name: settings["pyramid"][name] for name in ("threshold", "tiers", "recogniser")},
    )


def _within(topics: Mapping[str, dict[str, Any]], size: int) -> tuple[dict[str, dict[str, Any]], list[str]]:
    """The first topics that fit into ``size`` bytes, packed, with systems; and the ids of the others."""
    kept: dict[str, dict[str, Any]] = {}
    for topic, content in topics.items():
        entry = {"systems": list(content["summaries"]), "content": browsing.packed(content)}
        size -= len(json.dumps({topic: entry}))
        if size < 0:
            break
        kept[topic] = entry
    return kept, [topic for topic in topics if topic not in kept]


def _paragraphs(path: str | PathLike[str] | None) -> list[str]:
    """The paragraphs of a Markdown file, without headings; none without a file."""
    if path is None:
        return []
    parts = Path(path).read_text(encoding="utf-8").split("\n\n")
    return [part.strip() for part in parts if part.strip() and not part.startswith("#")]


def _image(path: str | PathLike[str]) -> Markup:
    """An SVG file as the address of an image, since ids of several files would clash in one page."""
    return Markup("data:image/svg+xml;base64,") + b64encode(Path(path).read_bytes()).decode()


def _number(value: float | None, digits: int = 3) -> str:
    return UNDEFINED if value is None or pd.isna(value) else f"{value:z.{digits}f}".replace("-", "−")


def _signed(value: float, digits: int = 3) -> str:
    return UNDEFINED if pd.isna(value) else f"{value:+z.{digits}f}".replace("-", "−")
