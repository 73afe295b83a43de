"""The page of a study: the results of a run of the workflow, from its files."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import Any

import pandas as pd
import yaml

from sera.corpora.pmc_oa import unreadable_reasons
from sera.evaluation.correlation.correlate import Bootstrap, Scores, correlate_judged, why_lines
from sera.evaluation.tables import caption, has_published, read_tsv, readable_table4
from sera.io.records import Candidate, Nugget, Reference, read, read_all
from sera.io.scores import read_scores, read_signatures, with_judgements
from sera.metrics.notes import signature_lines
from sera.metrics.rouge_k import RougeK
from sera.reporting import picture_texts
from sera.reporting.coverage import systems_in_words, topics_in_words
from sera.reporting.overview import between_metrics, means_by_system, shown_metrics
from sera.reporting.page import picture, render, rows, system_means, write_page
from sera.retrieval.engines import documents_in
from sera.retrieval.runs import read_run
from study.demo.correlation import SHOWN
from study.published.comparison import MARKS, MOVED, MOVED_WITHIN, OK, read_expected, settings_of, verdicts
from study.published.expected import data_in_words, why_not_compared
from study.published.tables import FIGURE1
from study.report import picture_texts as study_picture_texts
from study.report import summaries as browsing
from study.report.coverage import collection_in_words, cutoff_warning
from study.report.curves import Curve, read_curves
from study.report.headline import study_headline
from study.report.plane_figure import ABSTRACTION_SCORE, CONTENT_SCORE
from study.report.run_times import run_times
from study.report.sensitivity import SENSITIVE, sensitivity
from study.settings.settings import OF_MAKE, changed_in_words

LARGEST_PAGE = 5_000_000
"""The largest size of the page in bytes; topics that would exceed it are left out, and the page says so."""

_QUESTIONS = {"systems": "ranking systems", "summaries": "ranking single summaries"}
_PAPERS_CUTOFFS = (5, 10)
_WITHOUT_JUDGEMENTS = ("ROUGE-2-F", "ROUGE-L-F", *RougeK.names())


def write_report(
    path: str | PathLike[str],
    *,
    files: Mapping[str, Any],
    benchmark: str,
    judgements: Sequence[str],
    systems: Sequence[str],
    collection: str,
    release: Sequence[object] | None = None,
    no_multiverse: str | None = None,
    defaults: Mapping[str, Any] | None = None,
) -> None:
    """Fill the page from the result files of a study and write it.

    ``files`` has the paths of the results by name; where a study has no ``nuggets``, ``judgements``,
    ``expected``, ``truth``, ``curve_systems``, ``curve_summaries`` (with their ``universes``) or ``audit``
    (with its ``counts`` and ``paragraphs``), the page goes without. ``judgements`` are what metrics are
    compared with, the first one foremost, or nothing, so that the page shows no correlation; ``systems`` are
    those correlated over. ``collection`` is a kind of `collection_in_words`; ``release`` the title of the
    benchmark's release and its number of topics. ``no_multiverse`` says why the study cannot have a
    multiverse; None if it can. ``defaults`` are the settings of config.yaml.
    """
    provenance = json.loads(Path(files["provenance"]).read_text(encoding="utf-8"))
    settings = provenance["settings"]
    scores = with_judgements(read_scores(files["scores"]), files.get("judgements"))
    documents = documents_in(files["index"])
    candidates = read_all([files["summaries"], files["baselines"]], Candidate)
    references = read(files["references"], Reference)
    unreadable = unreadable_reasons(files["unreadable"])
    shown = [
        *judgements[:1],
        "ROUGE-1-F",
        *SENSITIVE,
        "SERA-10",
        *([] if judgements else _WITHOUT_JUDGEMENTS),
    ]
    means = system_means(scores, shown, systems)

    content: dict[str, Any] = {
        "benchmark": benchmark,
        "judgements": judgements,
        "synthetic": "synthetic" in benchmark,
        "command": command(settings, defaults=defaults),
        "changes": changed_in_words(settings, defaults or {}),
        "collection": collection_in_words(collection, documents, sum(unreadable.values())),
        "warning": cutoff_warning(documents, _PAPERS_CUTOFFS),
        "small_index": cutoff_warning(documents, settings["cutoffs"]),
        "means": means,
        "unreadable": unreadable,
        "rules": run_times(files["benchmarks"]),
        "settings": yaml.safe_dump(dict(settings), sort_keys=True, allow_unicode=True),
        "provenance": provenance,
        "metric_count": scores["metric"].nunique() - len(judgements),
        "systems_count": len(systems),
        "confidence": settings["confidence"],
        "depth": browsing.SHOWN_DOCUMENTS,
        "with_files": True,
        "steps": "../snakemake.html",
    }
    if judgements:
        content |= _with_judgements(
            _Judged(files, benchmark, judgements, systems, scores, provenance, documents, release)
        )
        content["no_curves"] = None if "universes" in files else no_multiverse or _switched_off("multiverse")
        used = content["headline"]["topics"]
    else:
        content |= _without_judgements(files)
        used = len({each.topic for each in references})
    content["metrics"] = list(dict.fromkeys([*means["metrics"], *content["metrics"]]))
    content["coverage"] = topics_in_words(used, len({each.topic for each in references}), benchmark, release)
    room = LARGEST_PAGE - len(render(content).encode()) - 1000
    topics, left_out = _within(_topics(files, candidates, references, scores, settings), room)
    write_page(path, render({**content, "topics": topics, "left_out": left_out}))


@dataclass(frozen=True)
class _Judged:
    """A study with judgements, as `write_report` has it.

    ``scores`` holds the judgements too, ``documents`` is the number of documents in the index.
    """

    files: Mapping[str, Any]
    benchmark: str
    judgements: Sequence[str]
    systems: Sequence[str]
    scores: pd.DataFrame
    provenance: Mapping[str, Any]
    documents: int
    release: Sequence[object] | None

    @property
    def against(self) -> str:
        """The judgement that is foremost."""
        return self.judgements[0]

    @property
    def settings(self) -> Mapping[str, Any]:
        return self.provenance["settings"]


def _with_judgements(study: _Judged) -> dict[str, Any]:
    """The parts of the page that compare metrics with judgements."""
    files, against = study.files, study.against
    correlations = read_tsv(files["correlations"])
    table2, table3 = (read_tsv(files[name]) for name in ("table2", "table3"))
    published = has_published(table2)
    judged = correlations[correlations["against"].isin(study.judgements)]
    known = read_signatures(files["signatures"])
    of_metrics = signature_lines(files["signatures"], {*judged["metric"], *study.judgements})
    found = study_headline(table2, judged, against)
    return {
        "against": against,
        "paper": published,
        "headline": found,
        "few_systems": systems_in_words(found["systems"]),
        "table": rows(table2, verdicts(table2) if published else None),
        "similarity": rows(table3, verdicts(table3) if published else None),
        "marks": MARKS,
        "others": rows(judged[~judged["metric"].isin(table2["metric"])]),
        "over_both": _over_both(study, table2["metric"].unique()),
        "apart": read_tsv(files["discrimination"]).to_dict("records"),
        "notes": [*why_lines(judged), *of_metrics],
        "signatures": {name: known.get(name, name) for name in dict.fromkeys(judged["metric"])},
        "expected": _expected(
            files.get("expected"),
            table2,
            settings_of(study.provenance),
            data_in_words(table2, study.documents, study.release),
        ),
        "pictures": _pictures(study, table2, correlations),
        "curves": _curves(files, study.settings),
        **_audit(files, applies=published or "synthetic" in study.benchmark),
        "metrics": shown_metrics(correlations, against),
        "captions": {
            name: caption(name, study.benchmark, against, compared=published) for name in ("table2", "table3")
        },
    }


def _without_judgements(files: Mapping[str, Any]) -> dict[str, Any]:
    """The parts of a page whose study has no judgements: the keywords, and the signatures of all metrics."""
    known = read_signatures(files["signatures"])
    return {
        "keywords": readable_table4(read_tsv(files["keywords"])),
        "notes": signature_lines(files["signatures"], known),
        "signatures": known,
        "metrics": [],
    }


BLANK = "\\u0020"
"""A blank inside a text of JSON."""


def command(
    settings: Mapping[str, Any], target: str = "reproduce", defaults: Mapping[str, Any] | None = None
) -> str:
    """The command that makes a study again, as text for a shell.

    ``defaults`` are the settings of config.yaml: a setting that differs from them and has no variable in the
    Makefile is passed in CONFIG, as JSON without blanks, at which make splits it.
    """
    named = {"BENCHMARK": settings["benchmark"]}
    if settings["benchmark"] != "demo":
        named |= {
            name.upper(): settings.get(name) for name in OF_MAKE if name not in ("benchmark", "results")
        }
    if settings["results"] != "results":
        named["RESULTS"] = settings["results"]
    words = [f"{name}={shlex.quote(str(value))}" for name, value in named.items() if value]
    others = {
        name: value
        for name, value in settings.items()
        if defaults is not None and name not in OF_MAKE and value != defaults.get(name)
    }
    if others:
        pairs = [f"{name}={json.dumps(value, separators=(',', ':'))}" for name, value in others.items()]
        words.append(f"CONFIG={shlex.quote(' '.join(pair.replace(' ', BLANK) for pair in pairs))}")
    return " ".join(["make", target, *words])


def _over_both(study: _Judged, metrics: Sequence[str]) -> list[dict[str, Any]]:
    """The rows of Table 2 with intervals over systems and topics, whatever the setting ``bootstrap``."""
    made = study.settings
    draws = Bootstrap("both", made["resamples"], made["seed"])
    scores = Scores.of(study.scores, study.systems)
    return rows(correlate_judged(scores, study.judgements, metrics, draws, made["confidence"]))


def _pictures(study: _Judged, table: pd.DataFrame, correlations: pd.DataFrame) -> dict[str, Any]:
    files, against = study.files, study.against
    table = table[table["against"] == against]
    cutoffs = sorted(study.settings["cutoffs"])
    panels = sensitivity(
        correlations,
        against,
        cutoffs=cutoffs,
        thresholds=files.get("pyramid_threshold"),
        universes=files.get("universes"),
    )
    shown = shown_metrics(correlations, against)
    matrix = between_metrics(study.scores, study.systems, [against, *table["metric"]], against)
    means = system_means(study.scores, [against], study.systems)["rows"]
    judged = pd.Series({row["system"]: row["values"][0] for row in means if row["counts"]}, dtype=float)
    found = correlations[correlations["against"] == against].set_index("metric")
    variants = [
        f"SERA-{form}"
        for form in ("", "DIS-", "NP-", "DIS-NP-", "KW-", "DIS-KW-")
        if any(f"SERA-{form}{cutoff}" in found.index for cutoff in cutoffs)
    ]
    texts = {
        "comparison": picture_texts.of_comparison(table, against),
        **{
            figure: study_picture_texts.of_cutoffs(
                pd.DataFrame(
                    {form[:-1]: [found[name].get(f"{form}{n}") for n in cutoffs] for form in variants},
                    index=cutoffs,
                ).astype(float),
                against,
                name,
            )
            for figure, name in FIGURE1.items()
        },
        "scatter": picture_texts.of_scatter(correlations, judged, against, shown),
        "metrics": picture_texts.of_metrics(matrix),
        "sensitivity": study_picture_texts.of_sensitivity(panels),
    }
    novel = means_by_system(study.scores)[[CONTENT_SCORE, ABSTRACTION_SCORE, "MOULIN-ROUGE"]]
    texts["moulin_rouge"] = study_picture_texts.of_plane(novel)
    pictures: dict[str, Any] = {"truth": None} | {
        name: picture(files[name], text, full=name == "metrics") for name, text in texts.items()
    }
    if "truth" in files:
        truth = read_tsv(files["truth_table"])
        true = truth["against"].iloc[0]
        text = study_picture_texts.of_truth(truth[truth["against"] == true], SHOWN)
        pictures["truth"] = picture(files["truth"], text)
    return pictures


def _curves(files: Mapping[str, Any], settings: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The specification curves of the multiverse, by question, each with the settings that it marks."""
    if "universes" not in files:
        return []
    curves = read_curves(files["universes"], list(settings["multiverse"]["dimensions"]))
    return [
        {
            "question": question,
            "words": _QUESTIONS[question],
            "picture": picture(files[f"curve_{question}"], study_picture_texts.of_curve(curve, words)),
            "choices": curve.choices,
            "marked": _marked(curve),
            "stale": [
                f"{name} {there}, here {here}" for name, (there, here) in curve.stale(settings).items()
            ],
        }
        for question, curve in curves.items()
        if (words := _QUESTIONS[question])
    ]


def _marked(curve: Curve) -> str:
    varied = [name for name, _ in curve.choices]
    return ", ".join(f"{name} {value}" for name, value in curve.own.items() if name in varied)


def _switched_off(part: str) -> str:
    return f"The setting report.{part} is false."


def _audit(files: Mapping[str, Any], *, applies: bool) -> dict[str, Any]:
    """The audit's parts of the page; none on the page of a benchmark that is not the paper's."""
    if not applies or "audit" not in files:
        return {"audit": None, "no_audit": _switched_off("audit") if applies else None}
    counts = read_tsv(files["counts"])
    of_any = counts[counts["ties"] == "any"]
    tables = [name.removesuffix("_fit") for name in counts if name.endswith("_fit")]
    fits = [
        [int(row["systems"]), *(f"{row[f'{name}_fit']:g} of {row[f'{name}_rows']:g}" for name in tables)]
        for row in of_any.to_dict("records")
    ]
    return {
        "audit": picture(files["audit"], study_picture_texts.of_audit(counts)),
        "paragraphs": _paragraphs(files["paragraphs"]),
        "fits": {"tables": [name.replace("table", "Table ") for name in tables], "rows": fits},
    }


def _expected(
    path: str | PathLike[str] | None, table: pd.DataFrame, settings: Mapping[str, Any], data: str
) -> dict[str, Any] | None:
    if path is None:
        return None
    expected = read_expected(path)
    if why := why_not_compared(expected, settings, data):
        return {"not_compared": why, "moved": []}
    moves = expected.movements(table)
    counts = moves["verdict"].value_counts()
    return {
        "count": len(moves),
        "counts": {name: int(counts.get(name, 0)) for name in (OK, MOVED_WITHIN, MOVED)},
        "moved": moves[moves["verdict"] != OK].to_dict("records"),
        "not_compared": "",
    }


def _topics(
    files: Mapping[str, Any],
    candidates: Sequence[Candidate],
    references: Sequence[Reference],
    scores: pd.DataFrame,
    settings: Mapping[str, Any],
) -> dict[str, dict[str, Any]]:
    runs = {Path(path).stem: read_run(path) for path in files["runs"]}
    rankings = (ranking[: browsing.SHOWN_DOCUMENTS] for run in runs.values() for ranking in run.values())
    return browsing.topic_data(
        candidates,
        references,
        scores,
        nuggets=read(files["nuggets"], Nugget) if files.get("nuggets") else (),
        runs=runs,
        titles=browsing.find_titles(files["corpus"], chain.from_iterable(rankings)),
        pyramid={
            **{name: settings["pyramid"][name] for name in ("threshold", "tiers", "recogniser")},
            "language": settings["language"],
        },
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


def _paragraphs(path: str | PathLike[str]) -> list[str]:
    """The paragraphs of a Markdown file, without headings."""
    parts = Path(path).read_text(encoding="utf-8").split("\n\n")
    return [part.strip() for part in parts if part.strip() and not part.startswith("#")]
