"""The commands of the room `sera.guided`: train a summarizer, write with it, ask a language model."""

from __future__ import annotations

from pathlib import Path

import click

from sera.cli.inputs import IN, OUT
from sera.cli.options import Folder, Group, Whole
from sera.cli.output import counted, say
from sera.errors import InputError


@click.group(cls=Group)
def guided() -> None:
    """Train and run the summarizers of ROUGE-K's paper; see docs/guided.md.

    `train`, `generate` and `ask` need the extra: pip install 'sera-reproduction[guided]'. Of its packages,
    `ask` needs syntok and urllib3 alone, without torch.
    """


@guided.command()
def systems() -> None:
    """List the systems, each with a description in one line."""
    from sera.guided import GUIDED

    for name in GUIDED:
        say(f"{name:<8}  {GUIDED.describe(name)}")


@guided.command()
@click.option("--system", required=True, help="System, as `sera guided systems` lists it.")
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

    docs/guided.md lists the settings for --set.
    """
    from sera.extras import imported
    from sera.guided import GUIDED
    from sera.guided.examples import Topics
    from sera.guided.guided_settings import GuidedSettings
    from sera.records import Reference, Source, read_unique

    GUIDED.describe(system)  # refuses an unknown one
    chosen = GuidedSettings.read(settings)
    training = imported("sera.guided.guided_training", f"the system {system}")
    topics, development = (
        Topics.of(read_unique(articles, Source), read_unique(summaries, Reference))
        for articles, summaries in ((sources, references), (dev_sources, dev_references))
    )
    work = checkpoints or out.with_name(f"{out.name}.training")
    trained = training.train(system, chosen, topics, development, out, work=work, say=say)
    say(f"The best pass is {trained.best} of {trained.rows[-1].number}; the system is in {out}")


@guided.command()
@click.option(
    "--model",
    "models",
    required=True,
    multiple=True,
    type=Folder(),
    help="Folder that `sera guided train` has written; may be repeated, each with its own --sources.",
)
@click.option(
    "--sources", required=True, multiple=True, type=IN, help="JSONL: topic, id, title, sections or sentences."
)
@click.option("--name", help="Name of the system in the summaries, in place of its own.")
@click.option("--out", required=True, type=OUT, help="JSONL to write: topic, system, sentences.")
def generate(models: tuple[Path, ...], sources: tuple[Path, ...], name: str | None, out: Path) -> None:
    """Write a summary of each article with a trained system."""
    from sera.guided.generation import generate as generate_all
    from sera.guided.systems import load
    from sera.records import Source, read_unique, write

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


@guided.command()
@click.option("--sources", required=True, type=IN, help="JSONL: topic, id, title, sections or sentences.")
@click.option("--model", required=True, help="Model, by its name on the server.")
@click.option("--name", default="llm", show_default=True, help="Name of the system in the summaries.")
@click.option("--prompt", help="Instruction before the article; by default that of ROUGE-K's paper.")
@click.option(
    "--input-words", type=Whole(1), default=384, show_default=True, help="Words of an article to send."
)
@click.option(
    "--output-tokens", type=Whole(1), default=128, show_default=True, help="Most tokens of an answer."
)
@click.option(
    "--sentences", type=Whole(1), default=1, show_default=True, help="Sentences of an answer to keep."
)
@click.option("--answers", required=True, type=Folder(), help="Folder that keeps the answers, by content.")
@click.option("--out", required=True, type=OUT, help="JSONL to write: topic, system, sentences.")
def ask(
    sources: Path,
    model: str,
    name: str,
    prompt: str | None,
    input_words: int,
    output_tokens: int,
    sentences: int,
    answers: Path,
    out: Path,
) -> None:
    """Ask a language model for summaries, on a server with OpenAI's interface.

    The environment variable SERA_LLM_URL has its address, SERA_LLM_KEY its key, if it needs one. An answer
    that is in the folder already is not asked for again.
    """
    from sera.guided.language_model import Question, server_of_environment, summaries_of_model
    from sera.records import Source, read_unique, write

    given = {"instruction": prompt} if prompt is not None else {}
    question = Question(
        model, input_words=input_words, output_tokens=output_tokens, sentences=sentences, **given
    )
    articles = read_unique(sources, Source)
    if answers.exists() and not answers.is_dir():
        raise InputError("is no folder", path=answers, remedy="Name a folder.")
    candidates = summaries_of_model(question, articles, name, server_of_environment(), answers)
    say(f"{counted(write(out, candidates), 'summary')} in {out}")
