"""The commands on summarizers: list them, and summarise by one."""

from pathlib import Path
from typing import Any

import click

from sera.cli.inputs import IN, LANGUAGE, OUT, SOURCES, read_sources
from sera.cli.options import Command, counted, options, say
from sera.errors import InputError
from sera.settings import shown
from sera.text.languages import ENGLISH


@click.command(cls=Command)
def summarizers() -> None:
    """List the summarizers, each with a description in one line."""
    from sera.summarizers import SUMMARIZERS

    for name in SUMMARIZERS:
        say(f"{name:<16}  {SUMMARIZERS.describe(name)}")


LENGTH = options(
    click.option("--words", type=click.IntRange(1), show_default="250", help="Length limit, in words."),
    click.option("--sentences", type=click.IntRange(1), help="Length limit, in sentences instead."),
    click.option(
        "--share",
        type=click.FloatRange(0, 1, min_open=True),
        help="Length limit, as a share of the source's words instead.",
    ),
)


@click.command(cls=Command)
@click.option("--system", required=True, help="Summarizer, as `sera summarizers` lists it.")
@SOURCES
@click.option("--citances", type=IN, help="JSONL: topic, citing, text; for the citation-based systems.")
@click.option("--references", type=IN, help="JSONL: topic, annotator, sentences; for the oracle.")
@LENGTH
@click.option(
    "--order",
    type=click.Choice(["source", "choice"]),
    default="source",
    help="Order of the sentences: as in the source, or as chosen.",
)
@click.option("--seed", type=click.IntRange(0, 2**32 - 1), default=0, help="Seed of the random numbers.")
@LANGUAGE
@click.option(
    "--set",
    "parameters",
    multiple=True,
    metavar="NAME=VALUE",
    help="Parameter of the system, for example variant=paper; may be repeated.",
)
@click.option("--out", required=True, type=OUT, help="JSONL to write: topic, system, sentences.")
def summarize(
    system: str,
    sources: Path,
    citances: Path | None,
    references: Path | None,
    seed: int,
    language: str,
    parameters: tuple[str, ...],
    out: Path,
    **length: Any,
) -> None:
    """Summarise each source with one system, in whole sentences.

    docs/summarizers.md lists the parameters of each system for --set.
    """
    from sera.extras import import_nltk
    from sera.io.records import Citance, Reference, Source, read, read_unique, write
    from sera.progress import progress
    from sera.summarizers import SUMMARIZERS, summarizer
    from sera.summarizers import summarize as summarize_one
    from sera.summarizers.budget import budget

    import_nltk()
    # wrong options are reported before anything is read
    needs = SUMMARIZERS.needs(system)
    settings = _parameters(parameters)
    if language != ENGLISH:
        settings = {"language": language, **settings}
    summarizer(system, **settings)
    budget(Source("", ""), **length)
    for what, path in (("citances", citances), ("references", references)):
        if what in needs and path is None:
            problem = f"no {what} are given, and {system} needs them"
            raise InputError(problem, remedy=f"Name their file: --{what} FILE.")
    citance_list = read(citances, Citance) if citances else []
    reference_list = read_unique(references, Reference) if references else []
    summaries = (
        summarize_one(system, source, citance_list, reference_list, seed=seed, **length, **settings)
        for source in progress(read_sources(sources, language), "articles summarised")
    )
    say(f"{counted(write(out, summaries), 'summary')} in {out}")


def _parameters(texts: tuple[str, ...]) -> dict[str, Any]:
    from sera.io.files import parse_json

    parameters: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or name in ("words", "sentences", "share", "seed", "order"):
            problem = f"--set {shown(text)} is not a parameter of a system"
            raise InputError(problem, remedy="It is NAME=VALUE.")
        try:
            parameters[name] = parse_json(value)
        except InputError:
            parameters[name] = value
    return parameters
