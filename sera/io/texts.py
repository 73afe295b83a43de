"""Read summaries from files of other tools: a table (CSV or TSV), or text with a summary on each line.

A table of candidates has the columns ``topic``, ``system`` and ``summary``; one of references has ``topic``
and ``summary``, and ``annotator`` if it is known. In a text file (``.txt``), the number of a line is the
topic of its summary, and the file's name is the system or the annotator. All may be compressed (``.gz``,
``.bz2``, ``.xz``).
"""

from collections import Counter
from collections.abc import Iterator
from typing import TypeVar

from sera import names
from sera.errors import InputError, Path
from sera.io import tsv
from sera.io.files import file_form, json_form, lines, uncompressed_path
from sera.io.records import Candidate, Reference, collect, mark_running_text, read_unique

Summary = TypeVar("Summary", Candidate, Reference)

TABLES = (".csv", ".tsv")
LINES = ".txt"


def read_texts(path: Path, kind: type[Summary], language: str | None) -> list[Summary]:
    """The candidates or references of a table, of a text file or, by any other name, of JSONL.

    ``language`` is that in which the texts of tables and text files are split by those that read sentences;
    if it is None, each is one sentence. Raises InputError as `read_unique` does.
    """
    if file_form(path) not in (*TABLES, LINES):
        return read_unique(path, kind)
    return collect(path, _each_summary(path, kind, language), unique=True)


def _each_summary(
    path: Path, kind: type[Summary], language: str | None
) -> Iterator[tuple[int, Summary | InputError]]:
    author_column: str = "system" if kind is Candidate else "annotator"
    columns = ["topic", "summary", *([author_column] if kind is Candidate else [])]
    rows = tsv.iterate(path, columns, optional=[author_column] if kind is Reference else [])
    count: Counter[str] = Counter()
    for number, (topic, text, name) in _lines(path) if file_form(path) == LINES else rows:
        count[topic] += 1
        if kind is Reference and not name:  # the references of a topic are numbered if nobody is named
            name = str(count[topic])
        try:
            for field, value in (("topic", topic), (author_column, name)):
                names.check(field, value, path=path, line=number)
            yield number, kind(topic, name, mark_running_text(text, language))
        except InputError as error:
            yield number, error


def _lines(path: Path) -> Iterator[tuple[int, list[str]]]:
    """The number of each line, with it as the topic, the text, and the file's name."""
    for number, text in lines(path, "summaries, one a line"):
        if form := json_form(text):
            remedy = "End the name of a file of records with .jsonl."
            raise InputError(f"is {form}, not a summary", path=path, line=number, remedy=remedy)
        yield number, [str(number), text, uncompressed_path(path).stem]
