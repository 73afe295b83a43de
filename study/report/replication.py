"""docs/replication.md: whether the paper's claims hold, from the results of a run or from released ones."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from sera.evaluation.correlate import Scores
from sera.io.files import read_json
from sera.io.scores import add_judgements, read_scores, read_signatures
from study.multiverse.answers import read_answer
from study.multiverse.more_systems import answer_table, noise
from study.multiverse.page import write_page
from study.multiverse.universes import AGAINST
from study.published import PAPERS_BENCHMARK, RELEASED
from study.report.answer import answer, printed_table
from study.report.facts import recognised_judgement
from study.report.optional_results import released_answers

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
    files = {**files, **tables}
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
    write_page(path, TEMPLATE, tables=answers, facts=facts)


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
        files=released_answers(release),
        published=checkout / "resources/published/table2.tsv",
        signature=read_signatures(release / "signatures.tsv")[AGAINST],
        name=PAPERS_BENCHMARK,
        articles=len((checkout / "resources/collection.tsv").read_text(encoding="utf-8").splitlines()) - 1,
        seed=settings["seed"],
        confidence=settings["confidence"],
    )
