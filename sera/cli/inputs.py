"""What several commands are given: their options, and how to read the files that these name."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from sera.cli.options import Folder, In, Number, Out, Whole
from sera.cli.output import say
from sera.errors import InputError, printable
from sera.retrieval.engines import ENGINES
from sera.text.languages import ENGLISH, LANGUAGES

if TYPE_CHECKING:
    import pandas as pd

    from sera.evaluation.judged import JudgedScores

_Command = TypeVar("_Command", bound=Callable[..., Any])

IN = In()
OUT = Out()
ENGINE = click.option(
    "--engine",
    type=click.Choice(list(ENGINES)),
    default="embedded",
    show_default=True,
    help="Search engine; environment variables (ELASTICSEARCH_HOSTS and others) name the server.",
)


CONFIDENCE = click.option(
    "--confidence",
    type=Number(0, 100, above=True),
    default=95,
    show_default=True,
    help="Confidence level of the interval, in percent.",
)
BOOTSTRAP = click.option(
    "--bootstrap",
    type=click.Choice(["topics", "systems", "both"]),
    default="topics",
    show_default=True,
    help="What to resample for the intervals.",
)
RESAMPLE_COUNT = click.option(
    "--resamples", type=Whole(1, 10**6), default=1000, show_default=True, help="Number of resamples."
)
SEED = click.option("--seed", type=Whole(0, 2**63 - 1), default=0, show_default=True)
MISSING = click.option(
    "--missing",
    type=click.Choice(["stop", "drop"]),
    default="stop",
    show_default=True,
    help="If a summary is judged but not scored, or scored but not judged: list it and stop, or drop it.",
)
VECTORS = click.option(
    "--vectors", type=IN, help="ROUGE-WE, AVG_SIM, S3: word vectors (word2vec, GloVe, fastText, or learnt)."
)
LANGUAGE = click.option(
    "--language",
    type=click.Choice(list(LANGUAGES)),
    default=ENGLISH,
    show_default=True,
    help="Language of the texts.",
)
FREQUENT_WORDS = click.option(
    "--frequent-words",
    type=IN,
    help="MOULIN-ROUGE: list of frequent words, one a line, in place of an index.",
)
FRAMENET = click.option("--framenet", type=Folder(), help="Frame, S3: folder of a FrameNet release.")


def read_vectors(path: Path | None, texts: list[Any]) -> Any:
    """The vectors of the words of these texts."""
    if path is None:
        return None
    from sera.metrics.s3.words import distinct_words
    from sera.vectors.word_vectors import read

    return _kept(read, path, distinct_words(texts))


def read_frames(folder: Path | None) -> Any:
    if folder is None:
        return None
    from sera.metrics.framenet import FrameNet

    return _kept(FrameNet, folder)


def read_model(path: Path | None) -> Any:
    """The model of S3 in a file."""
    from sera.metrics.s3.model import load

    assert path is not None
    return load(path)


@cache
def _kept(make: Any, *arguments: Any) -> Any:
    """What is read once, though several families of metrics ask for it."""
    return make(*arguments)


def open_engine(engine: str, folder: Path) -> Any:
    return ENGINES.load(engine)(folder)


def read_collection(engine: str, index: Path | None, words: Path | None) -> Any:
    """The frequent words of a list if one is named, otherwise those of an index."""
    from sera.metrics.frequent_words import IndexedCollection, read_word_list

    if words is not None:
        return read_word_list(words)
    assert index is not None
    return IndexedCollection(open_engine(engine, index))


def read_summaries(candidates: Path, references: Path) -> tuple[list[Any], list[Any]]:
    """The candidates and references of two files; InputError for a file without any."""
    from sera.records import Candidate, Reference, read_unique

    summaries, gold = read_unique(candidates, Candidate), read_unique(references, Reference)
    for path, read, what in ((candidates, summaries, "candidate"), (references, gold, "reference")):
        if not read:
            raise InputError(f"holds no {what}", path=path, remedy=f"A {what} is a JSON object in a line.")
    return summaries, gold


def without_words(texts: list[Any], what: str) -> str:
    """What a closing line says of texts that are empty; nothing if none is."""
    empty = sum(not any(map(str.strip, text.sentences)) for text in texts)
    return f"; {empty} of {len(texts)} {what} without words" if empty else ""


def read_judged(table: pd.DataFrame, judgements: Path, missing: str) -> JudgedScores:
    """A table of scores with the judgements in a file; what is left out is printed."""
    from sera.evaluation.judged import JudgedScores
    from sera.metrics.scoring import read_judgements

    judged = JudgedScores.of(table, read_judgements(judgements), path=judgements, missing=missing)
    for line in filter(None, (*judged.left_out, judged.kept)):
        say(printable(line))
    return judged
