"""docs/replication.md: whether the paper's claims hold, from the results of a run or from released ones."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

import pandas as pd

from sera.evaluation.correlate import Scores
from sera.evaluation.tables import SYMBOLS
from sera.io.files import read_json, writing
from sera.io.scores import add_judgements, read_scores, read_signatures
from study.claims.multiverse import HEADLINE, MOST, OUTCOMES
from study.multiverse.answers import read_answer, variance_table
from study.multiverse.choices import QUESTION_WORDS
from study.multiverse.more_systems import answer_table, noise
from study.multiverse.page import fill_template
from study.multiverse.universes import AGAINST
from study.published import PAPERS_BENCHMARK, RELEASED
from study.report.answer import answer, printed_table
from study.report.facts import recognised_judgement
from study.report.optional_results import other_answers

TEMPLATE = Path(__file__).parents[1] / "multiverse/replication.md.j2"


def write_replication(
    path: str | PathLike[str],
    scores: Scores,
    *,
    tables: Mapping[str, str | PathLike[str]],
    files: Mapping[str, Any],
    published: str | PathLike[str] | None,
    signature: str,
    name: str,
    articles: int,
    seed: int,
    confidence: float,
) -> None:
    """Write the page of a study, with its own ``scores``.

    ``tables`` has the paths of the multiverse's claims, null and universes, ``files`` those of
    `study.report.optional_results`. ``published`` is the printed Table 2, or None for generated data, and
    ``signature`` that of Pyramid. ``articles`` is the number of those that SERA searches.
    """
    synthetic = published is None
    quality = None if synthetic else files.get("recognition")
    facts = {
        "answer": answer(
            answer_table(scores, seed=seed, confidence=confidence),
            paper=None if published is None else printed_table(published),
            files=files,
        ),
        "recognised": recognised_judgement(AGAINST, {AGAINST: signature}, quality, people=not synthetic),
        "noise": noise(Path(files["more_systems"]).parent) if "more_systems" in files else None,
        "systems": scores.systems,
        "synthetic": synthetic,
        "confidence": confidence,
        "articles": articles,
        "name": name,
    }
    answers = {key: read_answer(table) for key, table in tables.items()}
    questions = []
    for question, words in QUESTION_WORDS.items():
        rows = {key: table[table["question"] == question] for key, table in answers.items()}
        if len(rows["claims"]):
            questions.append({"name": question, "words": words, **_question_values(**rows)})
    with writing(path) as stream:
        stream.write(fill_template(TEMPLATE, **facts, questions=questions, symbols=SYMBOLS))


def write_released_replication(path: str | PathLike[str], checkout: Path) -> None:
    """Write the page from the numbers that a checkout has of the paper's benchmark."""
    release = checkout / RELEASED
    settings = read_json(release / "provenance.json")["settings"]
    scores = add_judgements(read_scores(release / "scores.tsv.gz"), release / "judgements.tsv")
    endings = {"claims": "tsv", "null": "tsv", "universes": "tsv.gz"}
    write_replication(
        path,
        Scores.from_table(scores, settings["systems"]),
        tables={name: release / f"multiverse/{name}.{ending}" for name, ending in endings.items()},
        files=other_answers(release),
        published=checkout / "resources/published/table2.tsv",
        signature=read_signatures(release / "signatures.tsv")[AGAINST],
        name=PAPERS_BENCHMARK,
        articles=len((checkout / "resources/collection.tsv").read_text(encoding="utf-8").splitlines()) - 1,
        seed=settings["seed"],
        confidence=settings["confidence"],
    )


def _question_values(claims: pd.DataFrame, null: pd.DataFrame, universes: pd.DataFrame) -> dict[str, Any]:
    """The values of one question, from its rows of the tables of the multiverse."""
    columns = ["claim", "coefficient", "null_share"]
    claims = claims.merge(null[columns], on=["claim", "coefficient"], how="left")
    rho_first = claims.sort_values("coefficient", key=lambda name: name != "spearman", kind="stable")
    shown = rho_first.drop_duplicates("claim").sort_index()
    weighted_universes = universes[universes["weight"] > 0]
    recovered = claims.get("recovered")
    return {
        "claims": shown.to_dict("records"),
        "most": int((shown["share"] >= MOST).sum()),
        "few": int((shown["share"] <= 1 - MOST).sum()),
        "headline": shown[shown["claim"] == HEADLINE].to_dict("records")[0],
        "count": len(weighted_universes),
        "with_undefined": int((weighted_universes["undefined"] > 0).sum()),
        "explained": _main_dimensions(universes),
        "recovered": None if recovered is None else recovered.value_counts().to_dict(),
        "missed": [] if recovered is None else claims[recovered == "no"].to_dict("records"),
    }


def _main_dimensions(universes: pd.DataFrame) -> dict[str, float]:
    """The two dimensions that explain most of the headline's variance, and what choices explain together."""
    variance = variance_table(universes, [outcome for outcome in OUTCOMES if outcome[0].name == HEADLINE])
    groups = variance.groupby("dimension", sort=False)
    means = groups["adjusted"].mean()
    constants = means.index[groups["values"].max() == 1]
    order = means.drop(["interplay", *constants]).dropna().sort_values(ascending=False, kind="stable")
    return {**order[:2], "interplay": means["interplay"]}
