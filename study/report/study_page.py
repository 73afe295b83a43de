"""The page of a study: the results of a run of the workflow, from its files."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import pandas as pd
import yaml

from sera import __version__
from sera.evaluation.bootstrap import RESAMPLED, Bootstrap
from sera.evaluation.correlate import Scores, correlate_judged, why_lines
from sera.evaluation.tables import caption, has_published, read_tsv, readable_table4
from sera.evaluation.versus import best_sentence
from sera.io import tsv
from sera.io.files import read_json, read_text
from sera.io.records import Candidate, Nugget, Reference, read, read_all
from sera.io.scores import add_judgements, read_scores, read_signatures
from sera.metrics.notes import signature_lines
from sera.metrics.rouge_k import RougeK
from sera.reporting.overview import describe_systems, describe_topics, shown_metrics
from sera.reporting.page import Part, list_judgements, picture, render, rows, system_means, write_page
from sera.retrieval.engines import count_documents
from sera.retrieval.runs import read_run
from study.claims.multiverse import METRICS
from study.matrix.kinds import kind_sentences
from study.multiverse.choices import QUESTION_WORDS
from study.multiverse.more_systems import answer_table
from study.published import comparison
from study.report import facts
from study.report import summaries as browsing
from study.report.answer import answer, printed_table
from study.settings.settings import describe_changes

TEMPLATE = Path(__file__).with_name("study.html.j2")

SHOWN_TOPICS = 20
"""The number of topics whose summaries the page shows, to keep it small; it says so."""

_SHOWN = ("ROUGE-1-F", "ROUGE-2-F", "ROUGE-L-F", "SERA-5", "SERA-NP-5", "SERA-KW-5", "SERA-10")
_FORMS = {"md": "Markdown", "tex": "LaTeX"}
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
    ``expected``, ``curve_systems``, ``curve_summaries`` or ``audit`` (with its ``paragraphs``), the page
    goes without; released scores have ``origin``, the record of their study, in place of all texts.
    ``texts`` is the table of the figures' texts, beside the figures. ``judgements`` are what metrics are
    compared with, the first one foremost; without any, the page shows no correlation.
    ``systems`` are those correlated over. ``collection`` is what the template names so; ``release`` the
    title of the benchmark's release and its number of topics. ``no_multiverse`` says why the study cannot
    have a multiverse; None if it can. ``defaults`` are the settings of config.yaml.
    """
    provenance = json.loads(Path(files["provenance"]).read_text(encoding="utf-8"))
    settings = provenance["settings"]
    scores = add_judgements(read_scores(files["scores"]), files.get("judgements"))
    synthetic, texts = "(synthetic)" in benchmark, "summaries" in files
    more = [] if judgements else _WITHOUT_JUDGEMENTS
    means = system_means(scores, [*judgements[:1], *_SHOWN, *more], systems)
    content: dict[str, Any] = {
        "benchmark": benchmark,
        "judgements": judgements,
        "judged_by": list_judgements(judgements) if judgements else "",
        "synthetic": synthetic,
        "command": "make reproduce CONFIGFILE=settings.yaml",
        "changes": describe_changes(settings, defaults or {}),
        "collection": None,
        "lacks": not texts,
        "means": means,
        "settings": yaml.safe_dump(dict(settings), sort_keys=True, allow_unicode=True),
        "provenance": provenance,
        "metric_count": scores["metric"].nunique() - len(judgements),
        "systems_count": len(systems),
        "confidence": settings["confidence"],
        "depth": browsing.SHOWN_DOCUMENTS,
        "with_files": True,
        "picture_forms": {form: form.upper() for form in ("svg", *settings.get("pictures", ()))},
        "forms": {"tsv": "TSV", **{form: _FORMS[form] for form in settings.get("tables", ())}},
        "metrics": means["metrics"],
        "answer": None,
        "recognised": None,
        "curves": {},
        "verdicts": [],
        "today": [],
        "version": __version__,
    }
    documents, count = None, scores["topic"].nunique()
    if texts:
        documents, unreadable = count_documents(files["index"]), facts.unreadable_reasons(files["unreadable"])
        candidates = read_all([files["summaries"], files["baselines"]], Candidate)
        references = read(files["references"], Reference)
        reference_topics = list(dict.fromkeys(each.topic for each in references))
        count, page_topics = len(reference_topics), set(reference_topics[:SHOWN_TOPICS])
        content |= {
            "collection": {"kind": collection, "documents": documents},
            "unreadable": unreadable,
        }
    if judgements:
        data = comparison.describe_data(read_tsv(files["table2"]), documents, release)
        content |= _judgement_parts(files, benchmark, judgements, systems, scores, provenance, data)
        content["metrics"] = list(dict.fromkeys([*means["metrics"], *content["metrics"]]))
        content["no_multiverse"] = no_multiverse
    else:
        all_signatures = read_signatures(files["signatures"])
        content |= {
            "title": f"Automatic metrics without judgements: {benchmark}",
            "heading": f"How well do summaries of {benchmark} score?",
            "keywords": readable_table4(read_tsv(files["keywords"])),
            "notes": signature_lines(files["signatures"], all_signatures),
            "signatures": all_signatures,
        }
    content["ratings"] = [{"means": means, "pictures": content.get("pictures", {})}]
    topic_count = content["headline"]["topics"] if judgements else count
    content["coverage"] = describe_topics(topic_count, count, benchmark, release)
    if texts:
        runs = {Path(each).stem: read_run(each) for each in files["runs"]}
        topics = browsing.topic_data(
            [each for each in candidates if each.topic in page_topics],
            [each for each in references if each.topic in page_topics],
            scores,
            metrics=content["metrics"],
            nuggets=read(files["nuggets"], Nugget) if files.get("nuggets") else (),
            runs=runs,
            pyramid={
                **{name: settings["pyramid"][name] for name in ("threshold", "tiers", "recogniser", "model")},
                "language": settings["language"],
            },
        )
        content |= {"topics": topics, "left_out": max(0, count - SHOWN_TOPICS)}
    write_page(path, render(_parts(content), content, TEMPLATE))


def _parts(content: Mapping[str, Any]) -> list[Part]:
    """The parts that the page of a study has; those of the paper have its names for its tables."""
    has_judgements, is_paper = bool(content["judgements"]), content.get("paper") or content["synthetic"]
    names = ("Table 2", "Figure 1", "Table 3"), ("Correlations", "Rank cut-offs of SERA", "SERA beside ROUGE")
    table2, figure1, table3 = names[not is_paper]
    choices = content["curves"] or (has_judgements and not content["no_multiverse"])
    parts = [
        (True, Part("headline", "In short")),
        (has_judgements, Part("correlations", table2, table2)),
        (content.get("similarity"), Part("similarity", table3, table3)),
        (not content["lacks"], Part("summaries", "The summaries", "Summaries")),
        (has_judgements, Part("cutoffs", figure1, figure1)),
        (True, Part("systems", "The systems", "Systems")),
        (has_judgements, Part("abstraction", "Content and abstraction", folded=True)),
        (not has_judgements, Part("keywords", "Keywords", "Keywords")),
        (has_judgements, Part("metrics-compared", "Metrics beside each other", "Metrics", folded=True)),
        (choices, Part("choices", "What choices do", "Choices", folded=True)),
        (
            has_judgements and is_paper,
            Part("audit", "An audit of the printed correlations", "Audit", folded=True),
        ),
        (not content["lacks"], Part("corpus", "What could not be read", "Corpus", folded=True)),
        (True, Part("provenance", "Provenance", "Provenance", folded=True)),
    ]
    return [part for there, part in parts if there]


def _judgement_parts(
    files: Mapping[str, Any],
    benchmark: str,
    judgements: Sequence[str],
    systems: Sequence[str],
    scores: pd.DataFrame,
    provenance: Mapping[str, Any],
    data: str,
) -> dict[str, Any]:
    """The parts of the page that compare metrics with judgements; ``scores`` holds the judgements too."""
    judgement, settings = judgements[0], provenance["settings"]
    correlations = read_tsv(files["correlations"])
    table2, table3 = (read_tsv(files[name]) for name in ("table2", "table3"))
    paper, synthetic = has_published(table2), "(synthetic)" in benchmark
    judgement_rows = correlations[correlations["against"].isin(judgements)]
    all_signatures = read_signatures(files["signatures"])
    headline = facts.study_headline(table2, judgement)
    system_scores = Scores.from_table(scores, systems)
    subject = "ROUGE and SERA" if paper or synthetic else "automatic metrics"
    resampling = RESAMPLED[settings["bootstrap"]]
    over_systems = Bootstrap("systems", settings["resamples"], settings["seed"])
    draws = Bootstrap("both", settings["resamples"], settings["seed"])  # whatever the setting ``bootstrap``
    metrics = list(table2["metric"].unique())
    comparison_result = answers = None
    if "expected" in files:
        run_settings = comparison.table2_settings(read_json(files.get("origin", files["provenance"])))
        comparison_result = comparison.compare_expected(files["expected"], table2, run_settings, data)
        comparison_result["moved"] = comparison_result["moved"].to_dict("records")
    again = {}
    if "origin" in files:
        is_comparable = comparison_result is not None and not comparison_result["not_compared"]
        verdicts = dict.fromkeys(metrics, comparison.OK if is_comparable else "command")
        moved = comparison_result["moved"] if comparison_result else []
        verdicts |= {row["metric"]: comparison.MOVED for row in moved}
        folder = Path(files["origin"]).parent
        command = f".venv/bin/sera evaluate {folder}/scores.tsv.gz {folder}/judgements.tsv"
        again = {
            name: (verdict, f"{command} | grep ' {name} {judgement} '") for name, verdict in verdicts.items()
        }
    if (paper or synthetic) and {*METRICS} <= {*system_scores.metrics}:
        judged, confidence = system_scores.keep_judged(judgement), settings["confidence"]
        own = answer_table(judged, against=judgement, seed=settings["seed"], confidence=confidence)
        answers = answer(own, paper=printed_table(files["published"]) if paper else None, files=files)
    heading = f"{'Demo: how' if synthetic else 'How'} well do {subject} follow {list_judgements(judgements)}?"
    return {
        "title": f"{heading} {benchmark}",
        "heading": heading,
        "against": judgement,
        "paper": paper,
        "headline": headline,
        "verdicts": [
            best_sentence(
                system_scores.keep_judged(judgement),
                metrics,
                judgement,
                bootstrap=over_systems,
                confidence=settings["confidence"],
            )
        ],
        "answer": answers,
        "recognised": facts.recognised_judgement(
            judgement, all_signatures, None if synthetic else files.get("recognition"), people=paper
        ),
        "today": kind_sentences(read_tsv(files["kinds"])) if paper else [],
        "few_systems": describe_systems(headline["systems"]),
        "again": again,
        "table": rows(table2, comparison.verdicts(table2) if paper else None),
        "similarity": rows(table3, comparison.verdicts(table3) if paper else None),
        "marks": comparison.MARKS,
        "others": rows(judgement_rows[~judgement_rows["metric"].isin(table2["metric"])]),
        "over": resampling,
        "over_both": rows(
            correlate_judged(system_scores, judgements, metrics, draws, settings["confidence"])
        ),
        "apart": read_tsv(files["discrimination"]).dropna(subset="apart").to_dict("records"),
        "notes": [*why_lines(table2), *signature_lines(files["signatures"], {*metrics, *judgements})],
        "signatures": {
            name: all_signatures.get(name, name) for name in dict.fromkeys(judgement_rows["metric"])
        },
        "expected": comparison_result,
        "pictures": _pictures(files),
        "curves": {
            words: picture(files[f"curve_{name}"], f"SERA less ROUGE in {words}")
            for name, words in QUESTION_WORDS.items()
            if f"curve_{name}" in files
        },
        "audit": picture(files["audit"], "Systems for which each printed pair is possible")
        if "audit" in files
        else None,
        "paragraphs": read_text(files["paragraphs"], "audit").split("\n\n") if "audit" in files else [],
        "metrics": shown_metrics(correlations, judgement),
        "captions": {
            table: caption(table, benchmark, judgement, compared=paper, over=resampling)
            for table in ("table2", "table3")
        },
    }


def _pictures(files: Mapping[str, Any]) -> dict[str, Any]:
    """The figures by name, each with the text that its step wrote."""
    texts = tsv.read(files["texts"], ["figure", "text"])
    return {
        name: picture(Path(files["texts"]).with_name(f"{name}.svg"), text)
        for name, text in zip(texts["figure"], texts["text"], strict=True)
    }
