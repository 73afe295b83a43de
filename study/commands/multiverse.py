"""The command that varies the choices of an evaluation whose summaries and judgements are given."""

from __future__ import annotations

from pathlib import Path

import click

from sera.cli.inputs import CONFIDENCE, IN, SEED, read_summaries
from sera.cli.options import Command, Folder, Whole, check_outputs, counted, say
from sera.errors import InputError, printable
from sera.settings import shown

GIVEN_TABLES = ("claims", "choices", "variance", "universes")


@click.command(cls=Command)
@click.option("--candidates", required=True, type=IN, help="JSONL: topic, system, sentences.")
@click.option("--references", required=True, type=IN, help="JSONL: topic, annotator, sentences.")
@click.option(
    "--judgements", required=True, type=IN, help="TSV: topic, system, judgement, score; maybe judge."
)
@click.option("--claims", "file", type=IN, help="YAML with your claims, in place of those of other papers.")
@click.option(
    "--scores", type=IN, help="TSV of further metrics that claims name: topic, system, metric, score."
)
@click.option(
    "--fix",
    multiple=True,
    metavar="CHOICE=VALUE",
    help="Choice that is not varied, as in stem=yes or level=system (repeatable).",
)
@click.option("--universes", type=Whole(1, 10**5), default=600, help="Number of universes to draw.")
@click.option("--resamples", type=Whole(1, 10**6), default=100, help="Number of resamples.")
@CONFIDENCE
@SEED
@click.option("--out", required=True, type=Folder(), help="Folder for the tables and figures.")
def multiverse(
    candidates: Path,
    references: Path,
    judgements: Path,
    file: Path | None,
    scores: Path | None,
    fix: tuple[str, ...],
    universes: int,
    resamples: int,
    confidence: float,
    seed: int,
    out: Path,
) -> None:
    """Check claims about metrics under varied choices, on summaries that are given.

    A universe is one way to evaluate: which references, treatment of words, program of ROUGE, level,
    coefficient, systems, judgement and judges. The tables have the share of universes in which each claim
    holds, and what each choice does to it; docs/multiverse.md describes them.
    """
    from sera.evaluation.tables import aligned, printed, write_tsv
    from sera.io.scores import read_judgements, read_judges, read_scores
    from sera.reporting.figures import save
    from study.claims.files import CLAIMS_OF_OTHERS, read_claims, shipped_claims
    from study.multiverse import given

    claims = shipped_claims(CLAIMS_OF_OTHERS) if file is None else read_claims(file)
    drawn_files = [f"{claim.name}.{ending}" for claim in claims for ending in ("svg", "png", "pdf")]
    files = [*(f"{table}.tsv" for table in GIVEN_TABLES), *drawn_files]
    check_outputs(out, files, [candidates, references, judgements, file, scores])
    study = given.GivenStudy(
        *read_summaries(candidates, references),
        read_judgements(judgements),
        read_judges(judgements),
        None if scores is None else read_scores(scores),
    )
    if not study.judged_systems:
        raise InputError(
            "judges no candidate", path=judgements, remedy="Name the systems as in --candidates."
        )
    values = given.fixed_values(
        given.given_values(study.most_references, study.of_judges), dict(map(_pair, fix))
    )
    drawn = given.draw_universes(
        values, universes, systems=study.judged_systems, judges=study.of_judges, seed=seed
    )
    found = given.given_effects(study, drawn, claims, resamples=resamples, seed=seed)
    out.mkdir(parents=True, exist_ok=True)
    table = given.given_universe_table(drawn, claims, found, confidence)
    answers = given.given_claim_table(claims, found, confidence)
    parts = given.given_choice_table(drawn, claims, found), given.given_variance_table(drawn, claims, found)
    for name, part in zip(GIVEN_TABLES, (answers, *parts, table), strict=True):
        write_tsv(out / f"{name}.tsv", part)
    drawable = [claim for claim in claims if table[claim.name].isin(["holds", "fails"]).any()]
    for claim in drawable:
        save(given.given_curve(table, claim, confidence), out / claim.name)
    columns = ["claim", "share", "low", "high", "undefined", "universes", "verdict"]
    say(aligned(printed(answers[columns].assign(claim=answers["claim"].str.replace("_", " ")))))
    for row in answers.itertuples():
        if row.why_undefined:
            say(printable(f"Undefined: {row.claim.replace('_', ' ')}: {row.why_undefined}"))
    say(f"{counted(len(claims), 'claim')} in {universes} universes; tables and curves are in {out}")


def _pair(text: str) -> tuple[str, str]:
    """A choice and its value; InputError for a text without ``=``."""
    name, sign, value = text.partition("=")
    if not sign:
        raise InputError(f"--fix has {shown(text)}", remedy="Write CHOICE=VALUE, as in --fix level=system.")
    return name.strip(), value.strip()
