"""The command that asks a language model for summaries."""

from __future__ import annotations

from pathlib import Path

import click

from sera.cli.inputs import IN, OUT
from sera.cli.options import Command, Folder, Whole
from sera.cli.output import counted, say
from sera.errors import InputError


@click.command(cls=Command)
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
    that is in the folder already is not asked for again. The command needs syntok and urllib3 alone.
    """
    from sera.io.records import Source, read_unique, write
    from sera.summarizers.language_model import Question, server_of_environment, summaries_of_model

    given = {"instruction": prompt} if prompt is not None else {}
    question = Question(
        model, input_words=input_words, output_tokens=output_tokens, sentences=sentences, **given
    )
    articles = read_unique(sources, Source)
    if answers.exists() and not answers.is_dir():
        raise InputError("is no folder", path=answers, remedy="Name a folder.")
    candidates = summaries_of_model(question, articles, name, server_of_environment(), answers)
    say(f"{counted(write(out, candidates), 'summary')} in {out}")
