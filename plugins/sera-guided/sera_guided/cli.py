"""The command `sera-guided`: train a summarizer, and write with it."""

from __future__ import annotations

from pathlib import Path

import click

from sera.cli.inputs import IN, OUT
from sera.cli.options import Folder, Group, counted, say
from sera.errors import InputError


@click.group(cls=Group)
def main() -> None:
    """Train and run the summarizers of ROUGE-K's paper; see plugins/sera-guided/README.md."""


@main.command()
def systems() -> None:
    """List the systems, each with a description in one line."""
    from sera_guided import GUIDED

    for name in GUIDED:
        say(f"{name:<8}  {GUIDED.describe(name)}")


@main.command()
@click.option("--system", required=True, help="System, as `sera-guided systems` lists it.")
@click.option(
    "--sources", required=True, type=IN, help="JSONL of the training articles: topic, id, sentences."
)
@click.option(
    "--references", required=True, type=IN, help="JSONL of their summaries: topic, annotator, sentences."
)
@click.option(
    "--dev-sources", required=True, type=IN, help="JSONL of the articles that choose the best pass."
)
@click.option("--dev-references", required=True, type=IN, help="JSONL of their summaries.")
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    help="Setting of training or generation, for example epochs=5; may be repeated.",
)
@click.option(
    "--checkpoints",
    type=Folder(),
    help="Folder of checkpoints, from which a killed training goes on; by default --out with .training.",
)
@click.option("--out", required=True, type=Folder(), help="Folder to write: the trained system and its log.")
def train(
    system: str,
    sources: Path,
    references: Path,
    dev_sources: Path,
    dev_references: Path,
    settings: tuple[str, ...],
    checkpoints: Path | None,
    out: Path,
) -> None:
    """Train a system on articles and their summaries.

    plugins/sera-guided/README.md lists the settings for --set.
    """
    from sera.io.records import Reference, Source, read_unique
    from sera_guided import GUIDED
    from sera_guided.examples import Topics
    from sera_guided.extras import import_needed
    from sera_guided.settings import GuidedSettings

    GUIDED.describe(system)  # refuses an unknown one
    chosen = GuidedSettings.read(settings)
    training = import_needed("sera_guided.training", f"the system {system}")
    topics, development = (
        Topics.collect(read_unique(articles, Source), read_unique(summaries, Reference))
        for articles, summaries in ((sources, references), (dev_sources, dev_references))
    )
    work = checkpoints or out.with_name(f"{out.name}.training")
    trained = training.train(system, chosen, topics, development, out, work=work, say=say)
    say(f"The best pass is {trained.best} of {trained.rows[-1].number}; the system is in {out}")


@main.command()
@click.option(
    "--model",
    "models",
    required=True,
    multiple=True,
    type=Folder(),
    help="Folder that `sera-guided train` has written; may be repeated, each with its own --sources.",
)
@click.option(
    "--sources", required=True, multiple=True, type=IN, help="JSONL: topic, id, title, sections or sentences."
)
@click.option("--name", help="Name of the system in the summaries, in place of its own.")
@click.option("--out", required=True, type=OUT, help="JSONL to write: topic, system, sentences.")
def generate(models: tuple[Path, ...], sources: tuple[Path, ...], name: str | None, out: Path) -> None:
    """Write a summary of each article with a trained system."""
    from sera.io.records import Source, read_unique, write
    from sera_guided.systems import generate as generate_all
    from sera_guided.systems import load

    if len(models) != len(sources):
        raise InputError(
            f"there are {counted(len(models), 'model')} and {counted(len(sources), 'file')} of articles",
            remedy="Give --sources once for each --model.",
        )
    articles = [read_unique(path, Source) for path in sources]
    written = [
        candidate
        for model, own in zip(models, articles, strict=True)
        for candidate in generate_all(load(model), own, name=name)
    ]
    say(f"{counted(write(out, written), 'summary')} in {out}")
