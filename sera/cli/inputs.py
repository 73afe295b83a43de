"""What several commands are given: their options, and how to read the files that these name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sera import defaults
from sera.cli.options import STDIN, Folder, In, Out, counted, options, say
from sera.errors import InputError, printable
from sera.names import separated
from sera.retrieval.engines import ENGINES
from sera.text.languages import ENGLISH, LANGUAGES

if TYPE_CHECKING:
    import pandas as pd

    from sera.evaluation.evaluate import JudgedScores
    from sera.io.tables import Columns


IN = In()
RECORDS = In(stdin=True)
OUT = Out()
INDEX = Folder(files=True)
"""An index that is read: a folder, or with a server its receipt."""
SCORES = click.argument("scores", nargs=-1, required=True, type=RECORDS)
JUDGEMENTS = click.argument("judgements", type=IN)
TEXTS = options(click.argument("candidates", type=RECORDS), click.argument("references", type=RECORDS))
COLUMNS = click.option(
    "--columns",
    multiple=True,
    metavar="ROLE=COLUMN",
    help="Which column holds what, as in topic=doc_id,summary=output; by default by their names.",
)
REFERENCES = click.option("--references", required=True, type=IN, help="JSONL: topic, annotator, sentences.")
SOURCES = click.option(
    "--sources",
    required=True,
    type=IN,
    help="JSONL: topic, id, title, sections or sentences; or CSV, TSV: topic, article.",
)
ENGINE = click.option(
    "--engine",
    type=click.Choice(list(ENGINES)),
    default="embedded",
    help="Search engine; ELASTICSEARCH_HOSTS names a server.",
)


CONFIDENCE = click.option(
    "--confidence",
    type=click.FloatRange(0, 100, min_open=True),
    default=defaults.CONFIDENCE,
    help="Confidence level of the interval, in percent.",
)
BOOTSTRAP = click.option(
    "--bootstrap",
    type=click.Choice(["systems", "topics", "both"]),
    default=defaults.BOOTSTRAP,
    help="Intervals: other systems, as many topics (systems); these systems (topics); an upper bound (both).",
)
SEED = click.option(
    "--seed", type=click.IntRange(0, 2**63 - 1), default=defaults.SEED, help="Seed of the random numbers."
)
RESAMPLING = options(
    click.option(
        "--resamples", type=click.IntRange(1, 10**6), default=defaults.RESAMPLES, help="Number of resamples."
    ),
    CONFIDENCE,
    SEED,
)
FALLING, FALLING_JUDGED = (
    click.option(
        "--falling",
        multiple=True,
        help=f"{what} for which lower is better (comma-separated); may be repeated.",
    )
    for what in ("Your metrics", "Your metrics, and judgements such as ranks,")
)
MISSING = click.option(
    "--missing",
    type=click.Choice(["stop", "drop"]),
    default=defaults.MISSING,
    help="If a summary is judged but not scored, or scored but not judged: list it and stop, or drop it.",
)
VECTORS = click.option(
    "--vectors", type=IN, help="ROUGE-WE, AVG_SIM, S3: word vectors (word2vec, GloVe, fastText, or learnt)."
)
LANGUAGE = click.option(
    "--language", type=click.Choice(list(LANGUAGES)), default=ENGLISH, help="Language of the texts."
)
FREQUENT_WORDS = click.option(
    "--frequent-words",
    type=IN,
    help="MOULIN-ROUGE: list of frequent words, one a line, in place of an index.",
)
ENCODER = click.option(
    "--encoder", help="BERTScore: language model, by name or folder; needs the extra `neural` or sera-guided."
)
FRAMENET = click.option("--framenet", type=Folder(), help="Frame, S3: folder of a FrameNet release.")


def resources(texts: Iterable[Any], given: Mapping[str, Any]) -> Any:
    """What metrics need besides texts, from the files that options name: each is read when it is used.

    ``texts`` are the texts whose words need vectors, which may still be empty; ``given`` holds the options.
    """
    from sera.io.language_models import Answers
    from sera.metrics.configure import Resources, openers

    return Resources(answers=Answers, **openers(given, texts))


def read_columns(texts: Sequence[str]) -> Columns:
    """What the options --columns say, as ``topic=doc_id,summary=output``; what is read is printed."""
    from sera.io.tables import Columns

    chosen: dict[str, str] = {}
    for text in (part for text in texts for part in separated(text)):
        role, equals, name = text.partition("=")
        if not (role and equals and name):
            problem = f"--columns {printable(text)} is not ROLE=COLUMN"
            raise InputError(problem, remedy="Write it as in topic=doc_id,summary=output.")
        chosen[role.strip()] = name.strip()
    return Columns(chosen, lambda line: click.echo(printable(line), err=True))


def read_some(
    path: Path, kind: type[Any], language: str | None = ENGLISH, columns: Columns | None = None
) -> Sequence[Any]:
    """The records of a file; InputError if it has none.

    Summaries may be in any form of `sera.io.tables`, articles in a table or, with their sections, as JSONL.
    """
    from sera.io.files import file_form
    from sera.io.records import Candidate, Reference, Source, read_unique
    from sera.io.tables import TABLES, read_file
    from sera.metrics.summaries import ROLES_OF, read_records

    if kind not in (Candidate, Reference) and not (kind is Source and file_form(path) in TABLES):
        return _filled(read_unique(path, kind), kind, path)
    columns = columns or read_columns(())
    table = read_file(path, f"{kind.__name__.lower()}s", ROLES_OF[kind], columns)
    _filled(table.places, kind, path)
    return _filled(read_records(table, kind, columns, language), kind, path)


def read_sources(path: Path, language: str = ENGLISH) -> Sequence[Any]:
    """The articles of a file by sentences: a text in the cell of a table is split."""
    from sera.io.records import RecordColumns, Section, Source
    from sera.metrics.base import sentences_of

    sources = read_some(path, Source, language)
    if not isinstance(sources, RecordColumns):
        return sources
    texts = [sentences_of(source.sentences) for source in sources]
    return [Source(old.topic, old.id, sections=(Section("", text),)) for old, text in zip(sources, texts)]


def _filled(records: Sequence[Any], kind: type[Any], path: Path) -> Sequence[Any]:
    if not records:
        what = kind.__name__.lower()
        raise InputError(f"holds no {what}", path=path, remedy="Write one in each line.")
    return records


def read_summaries(
    candidates: Path,
    references: Path | None,
    language: str | None = ENGLISH,
    columns: Columns | None = None,
) -> tuple[Sequence[Any], Sequence[Any]]:
    """The candidates and references of two files, or of one that has both.

    Two text files must have equally many lines.
    """
    from sera.io.files import file_form
    from sera.io.records import Candidate, Reference
    from sera.io.tables import LINES, read_file
    from sera.metrics.summaries import ROLES_OF, has_references, read_joint_references, read_records

    columns = columns or read_columns(())
    check_standard_input([candidates, references])
    is_alone, references = references is None, references or candidates
    if references == candidates:
        table = read_file(candidates, "candidates", (*ROLES_OF[Candidate], "reference"), columns)
        if table.places and has_references(table, columns):
            records = read_records(table, Candidate, columns, language)
            return records, _filled(read_joint_references(table, columns, language), Reference, candidates)
        if is_alone:
            _filled(table.places, Candidate, candidates)
            columns.find(table, "reference")  # which is not there
    summaries = read_some(candidates, Candidate, language, columns)
    reference_list = read_some(references, Reference, language, columns)
    if file_form(candidates) == file_form(references) == LINES and len(summaries) != len(reference_list):
        problem = f"has {counted(len(summaries), 'line')}, and {references} has {len(reference_list)}"
        remedy = "Put each reference on the line of its summary."
        raise InputError(problem, path=candidates, remedy=remedy)
    return summaries, reference_list


def check_standard_input(paths: Sequence[Path | None]) -> None:
    """InputError if more than one of the files is standard input."""
    if paths.count(STDIN) > 1:
        raise InputError("two files are standard input", remedy="Give - once.")


def without_words(records: Sequence[Any], what: str) -> str:
    """The part of a closing line on texts that are empty; an empty text if there are none."""
    count, empty = len(records), sum(not any(map(str.strip, record.sentences)) for record in records)
    return f"; {empty} of {count} {what} without words" if empty else ""


def read_tables(scores: tuple[Path, ...], columns: Columns | None = None) -> pd.DataFrame:
    """The scores of several files, of which one may be standard input, as one table."""
    from sera.io.scores import read_all_scores

    check_standard_input(scores)
    return read_all_scores(scores, columns or read_columns(()))


def read_tables_alone(scores: tuple[Path, ...], columns: Sequence[str]) -> pd.DataFrame:
    """As `read_tables`, for a command that reads nothing else; ``columns`` are the options --columns."""
    chosen = read_columns(columns)
    table = read_tables(scores, chosen)
    chosen.check_seen()
    return table


def split_names(texts: tuple[str, ...], known: Iterable[str]) -> list[str]:
    """The names in options, each alone or some with commas between, unless a ``known`` one is as the text."""
    known = set(known)
    return [name for text in texts for name in ([text] if text in known else separated(text))]


def read_judged(
    table: pd.DataFrame,
    judgements: Path,
    missing: str,
    falling: tuple[str, ...] = (),
    columns: Columns | None = None,
) -> JudgedScores:
    """A table of scores with the judgements in a file; what is left out is printed."""
    from sera.evaluation.evaluate import JudgedScores
    from sera.io.scores import read_judgements

    columns = columns or read_columns(())
    judged_table = read_judgements(judgements, columns)
    columns.check_seen()
    names = split_names(falling, [*table["metric"].unique(), *judged_table["judgement"].unique()])
    options: dict[str, Any] = {"path": judgements, "missing": missing, "falling": names}
    judged = JudgedScores.from_tables(table, judged_table, **options)
    for line in judged.left_out:
        say(printable(line))
    return judged
