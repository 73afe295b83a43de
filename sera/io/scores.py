"""Tables of scores, of judgements and of signatures: their columns, and how to read and write them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import astuple
from os import PathLike
from typing import TYPE_CHECKING

from sera.errors import Faults, InputError, together
from sera.io import tsv
from sera.io.records import Judgement
from sera.io.score_formats import NOTE, read_in_format
from sera.names import check

if TYPE_CHECKING:
    import pandas as pd


SCORE_COLUMNS = ["topic", "system", "metric", "score"]


SIGNATURE_COLUMNS = ["metric", "signature", "settings", "caution"]


JUDGEMENT_COLUMNS = ["topic", "system", "judgement", "score"]


JUDGE = "judge"
"""The column of the judges, which a table of judgements may have."""


LARGEST_SCORE = 1e100
"""Scores beyond it have no squares and sums that are numbers."""


def read_signatures(path: str | PathLike[str]) -> dict[str, str]:
    """The signatures of metrics by label; InputError for a table without the two columns."""
    table = tsv.read(path, SIGNATURE_COLUMNS[:2], named=SIGNATURE_COLUMNS[:1])
    return dict(zip(table["metric"], table["signature"], strict=True))


def write_scores(path: str | PathLike[str], table: pd.DataFrame) -> None:
    """Write a score table as TSV; an undefined score reads ``nan``. Floats are written to the last digit."""
    tsv.write(path, table, undefined="nan")


def read_scores(path: str | PathLike[str]) -> pd.DataFrame:
    """Read a score table, TSV, JSONL or Parquet, with its notes (`sera.metrics.notes`) if it has any.

    InputError names what is missing, or the line that holds no number.
    """
    return _read(path, SCORE_COLUMNS, undefined=True)


def read_all_scores(paths: Iterable[str | PathLike[str]]) -> pd.DataFrame:
    """Read several score tables as one; InputError also for a score that stands in two of them."""
    import pandas as pd  # slow to import

    tables = [read_scores(path).assign(file=str(path)) for path in paths]
    table = pd.concat(tables, ignore_index=True)
    if NOTE in table:
        table[NOTE] = table[NOTE].fillna("")
    if (twice := table.duplicated(SCORE_COLUMNS[:-1])).any():
        row = table[twice].iloc[0]
        raise InputError(
            f"{row['metric']} of {row['system']} for {row['topic']} stands in an earlier file too",
            path=row["file"],
        )
    return table.drop(columns="file")


def write_judgements(path: str | PathLike[str], judgements: Iterable[Judgement]) -> None:
    """Write human judgements as TSV: topic, system, judgement, score, and judge if there is one."""
    import pandas as pd  # slow to import

    table = pd.DataFrame(map(astuple, judgements), columns=[*JUDGEMENT_COLUMNS, JUDGE])
    write_scores(path, table if table[JUDGE].any() else table[JUDGEMENT_COLUMNS])


def read_judgements(path: str | PathLike[str]) -> pd.DataFrame:
    """Read human judgements: topic, system, judgement, score; an undefined score is an error too.

    The score of several judges is their mean, unless the table also has a row without a judge: this is then
    the score of the summary. InputError as of `read_judges`.
    """
    import pandas as pd  # slow to import

    table = read_judges(path)
    key = JUDGEMENT_COLUMNS[:-1]
    whole = table[table[JUDGE] == ""].set_index(key)["score"]
    if len(whole) == len(table):
        return table[JUDGEMENT_COLUMNS]
    first = table.drop_duplicates(key)
    names = pd.MultiIndex.from_frame(first[key])
    means = table[table[JUDGE] != ""].groupby(key, sort=False)["score"].mean()
    scores = whole.reindex(names).fillna(means.reindex(names))
    return first[JUDGEMENT_COLUMNS].assign(score=scores.to_numpy())


def read_judges(path: str | PathLike[str]) -> pd.DataFrame:
    """Read human judgements (TSV, JSONL or Parquet) as they stand: topic, system, judgement, judge, score.

    A row without a judge has an empty text there, as all rows have if the table lacks the column. The index
    is each row's line. InputError as of `read_scores`, for an undefined score, for a judge who judges a
    summary twice, and for a table without a line.
    """
    table = _read(path, JUDGEMENT_COLUMNS, undefined=False, optional=JUDGE)
    if table.empty:
        raise InputError("holds no judgement", path=path)
    return table.reindex(columns=[*JUDGEMENT_COLUMNS[:-1], JUDGE, "score"], fill_value="")


def with_judgements(scores: pd.DataFrame, judgements: str | PathLike[str] | None) -> pd.DataFrame:
    """Scores and, where a file of judgements is named, these too, each judgement as a metric of its own name.

    InputError as of `read_judgements`, and for a judgement that is named as a metric is.
    """
    import pandas as pd  # slow to import

    if judgements is None:
        return scores
    table = read_judgements(judgements).rename(columns={"judgement": "metric"})
    distinct_names(scores, table, judgements)
    return pd.concat([scores, table], ignore_index=True)


def distinct_names(
    scores: pd.DataFrame, judged: pd.DataFrame, path: str | PathLike[str] | None = None
) -> None:
    """InputError for a metric of ``judged``, whose file is ``path``, that is one of ``scores`` too."""
    if same := sorted(set(judged["metric"]) & set(scores["metric"])):
        raise InputError(f"a metric has the judgement's name, {same[0]}", path=path, remedy="Rename it.")


def _read(
    path: str | PathLike[str], columns: list[str], *, undefined: bool, optional: str = ""
) -> pd.DataFrame:
    """A table of scores, text but for the last of its columns; ``undefined`` allows ``nan`` there.

    ``optional`` is a column that the table may have; its cells are names or empty. InputError names up to ten
    lines whose score is no number, is too large, or stands twice.
    """
    table = read_in_format(path, columns, [NOTE] if undefined else [optional])
    scores = tsv.numbers(table, "score", path, undefined=["nan"] if undefined else [])
    named = columns[2]
    more = [optional] if optional in table else []
    for name in (name for column in more for name in table[column].unique() if name):
        check(optional, name, path=path, line=int((table[optional] == name).idxmax()))
    twice = table.duplicated([*columns[:-1], *more])
    large = scores.abs() > LARGEST_SCORE
    remedy = "Keep one of them."
    if optional and not more:
        remedy = f"Keep one of them, or say who gave each in a column {optional}."
    faults = Faults()
    for line in table.index[twice | large]:
        cells = table.loc[line]
        problem = (
            f"{cells[named]} of {cells['system']} for {cells['topic']}"
            f"{f' by {cells[optional]}' if more and cells[optional] else ''} stands twice"
            if twice[line]
            else f"score {cells['score'][:60]!r} is too large"
        )
        faults.append(InputError(problem, path=path, line=int(line), remedy=remedy if twice[line] else ""))
    if fault := together(faults):
        raise fault
    kept = [*columns, *more, *(column for column in [NOTE] if undefined and column in table)]
    return table[kept].assign(score=scores)
