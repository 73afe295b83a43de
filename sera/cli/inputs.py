"""What several commands are given: their options, and how to read the files that these name."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from sera.cli.options import Folder, In, Number, Out, Whole, say
from sera.errors import InputError, printable
from sera.retrieval.engines import ENGINES
from sera.settings import WHOLE_TEXT, shown
from sera.text.languages import ENGLISH, LANGUAGES

if TYPE_CHECKING:
    import pandas as pd

    from sera.evaluation.evaluate import JudgedScores

_Command = TypeVar("_Command", bound=Callable[..., Any])

STDIN = Path("/dev/stdin")


class Records(In):
    """A file of records that is read, or `-` for `STDIN`."""

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> Any:
        return super().convert(STDIN if os.fspath(value) == "-" else value, parameter, context)


class ShardOption(click.ParamType):
    """One of several parts, as in 1/4: its number and their number."""

    name = "part"

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> Any:
        number, slash, count = str(value).partition("/")
        if not (slash and WHOLE_TEXT.fullmatch(number) and WHOLE_TEXT.fullmatch(count)):
            self.fail(f"{shown(str(value))} is no part. Write I/N, as in 1/4.", parameter, context)
        if len(count) > 9 or not 1 <= int(number) <= int(count):
            self.fail(f"There is no part {shown(str(value))}. Parts go from 1/N to N/N.", parameter, context)
        return int(number), int(count)


IN = In()
RECORDS = Records()
OUT = Out()
SCORES = click.argument("scores", nargs=-1, required=True, type=RECORDS)
CANDIDATES = click.option("--candidates", required=True, type=IN, help="JSONL: topic, system, sentences.")
REFERENCES = click.option("--references", required=True, type=IN, help="JSONL: topic, annotator, sentences.")
SOURCES = click.option(
    "--sources", required=True, type=IN, help="JSONL: topic, id, title, sections or sentences."
)
ENGINE = click.option(
    "--engine",
    type=click.Choice(list(ENGINES)),
    default="embedded",
    show_default=True,
    help="Search engine; environment variables (ELASTICSEARCH_HOSTS or OPENSEARCH_HOSTS) name a server.",
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
FALLING = click.option(
    "--falling",
    multiple=True,
    help="Your metrics for which lower is better (comma-separated); may be repeated.",
)
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
TRIES = click.option(
    "--tries",
    type=click.IntRange(1),
    default=8,
    show_default=True,
    help="Number of attempts in a row without a byte before a file fails.",
)
ENCODER = click.option(
    "--encoder", help="BERTScore: language model, by name or folder; needs the extra `guided`."
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
    from sera.io.records import Candidate, Reference, read_unique

    summaries, gold = read_unique(candidates, Candidate), read_unique(references, Reference)
    for path, read, what in ((candidates, summaries, "candidate"), (references, gold, "reference")):
        if not read:
            raise _holds_none(path, what)
    return summaries, gold


def indexed(path: Path, kind: type[Any]) -> Any:
    """The candidates or references of a file, whose texts stay there; InputError for a file without any."""
    from sera.io.record_index import RecordIndex

    found = RecordIndex(path, kind)
    if not len(found):
        raise _holds_none(path, kind.__name__.lower())
    return found


def _holds_none(path: Path, what: str) -> InputError:
    return InputError(f"holds no {what}", path=path, remedy=f"A {what} is a JSON object in a line.")


def without_words(empty: int, count: int, what: str) -> str:
    """What a closing line says of texts that are empty; nothing if none is."""
    return f"; {empty} of {count} {what} without words" if empty else ""


def given_as(path: Path) -> str:
    """A file as the command line names it: `-` for `STDIN`."""
    return "-" if path == STDIN else str(path)


def read_tables(scores: tuple[Path, ...]) -> pd.DataFrame:
    """The scores of several files, of which one may be standard input, as one table."""
    from sera.io.scores import read_all_scores

    if scores.count(STDIN) > 1:
        raise InputError("two files are standard input", remedy="Give - once.")
    return read_all_scores(scores)


def read_judged(table: pd.DataFrame, judgements: Path, missing: str) -> JudgedScores:
    """A table of scores with the judgements in a file; what is left out is printed."""
    from sera.evaluation.evaluate import JudgedScores
    from sera.io.scores import read_judgements

    judged = JudgedScores.of(table, read_judgements(judgements), path=judgements, missing=missing)
    for line in filter(None, (*judged.left_out, judged.kept)):
        say(printable(line))
    return judged
