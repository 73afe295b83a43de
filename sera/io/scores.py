"""Tables of scores, judgements, preferences and signatures: their columns, and how to read and write them."""

from __future__ import annotations

import csv
from collections.abc import Collection, Iterable, Mapping
from dataclasses import astuple
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from sera.errors import Faults, InputError
from sera.io import tsv
from sera.io.files import file_form, writing
from sera.io.records import GivenScore, Judgement, Preference
from sera.io.tables import JSON, Columns, read_file, read_long

if TYPE_CHECKING:
    import pandas as pd


SCORE_COLUMNS = ["topic", "system", "metric", "score"]
SIGNATURE_COLUMNS = ["metric", "signature", "settings", "caution"]
JUDGEMENT_COLUMNS = ["topic", "system", "judgement", "score"]
NOTE = "note"
"""The column of a score table that says why a score is undefined or says little, if there is one."""
JUDGE = "judge"
"""The column of the judges, which a table of judgements may have."""
PREFERENCE_COLUMNS = ["topic", "system_a", "system_b", "judge", "preference"]
PREFERENCES = ("A", "B", "tie")
GIVEN = "given:"
"""The beginning of a metric's name in a study if its scores come with the benchmark."""


def read_signatures(path: str | PathLike[str]) -> dict[str, str]:
    """The signatures of metrics by label; InputError for a table without the two columns."""
    table = tsv.read(path, SIGNATURE_COLUMNS[:2], named=SIGNATURE_COLUMNS[:1])
    return dict(zip(table["metric"], table["signature"], strict=True))


def write_scores(path: str | PathLike[str], table: pd.DataFrame) -> None:
    """Write a score table, as CSV if the name ends in ``.csv``; an undefined score reads ``nan``.

    Floats are written to the last digit.
    """
    tsv.write(path, table, undefined="nan")


def write_score_columns(path: str | PathLike[str], columns: Mapping[str, np.ndarray]) -> None:
    """Write a score table that is given by its columns, as `write_scores` does, without pandas."""
    form: dict[str, Any] = {"delimiter": "\t", "quoting": csv.QUOTE_NONE, "quotechar": None}
    with writing(path) as stream:
        rows = csv.writer(stream, lineterminator="\n", **({} if tsv.is_csv(path) else form))
        rows.writerow(columns)
        rows.writerows(zip(*(column.tolist() for column in columns.values()), strict=True))  # NaN reads nan


def read_scores(path: str | PathLike[str], given: Columns | None = None) -> pd.DataFrame:
    """Read a score table, TSV or CSV, with its notes (`sera.metrics.notes`) if it has any.

    With ``given`` columns, the table is one of a user's: in any form, and its columns may have other names or
    be the metrics (`sera.io.tables.read_long`). InputError names what is missing, or the line that holds no
    number.
    """
    return _read(path, SCORE_COLUMNS, given, undefined=True)


def read_all_scores(paths: Iterable[str | PathLike[str]], given: Columns | None = None) -> pd.DataFrame:
    """Read several score tables as one; InputError also for a score that is in two of them."""
    import pandas as pd  # slow to import

    tables = [read_scores(path, given).assign(file=str(path)) for path in paths]
    table = pd.concat(tables, ignore_index=True)
    if NOTE in table:
        table[NOTE] = table[NOTE].fillna("")
    if (twice := table.duplicated(SCORE_COLUMNS[:-1])).any():
        row = table[twice].iloc[0]
        problem = f"{row['metric']} of {row['system']} for {row['topic']} is in an earlier file too"
        raise InputError(problem, path=row["file"], remedy="Keep one of them.")
    return table.drop(columns="file")


def write_judgements(path: str | PathLike[str], judgements: Iterable[Judgement]) -> None:
    """Write human judgements as TSV: topic, system, judgement, score, and judge if there is one."""
    import pandas as pd  # slow to import

    table = pd.DataFrame(map(astuple, judgements), columns=[*JUDGEMENT_COLUMNS, JUDGE])
    write_scores(path, table if table[JUDGE].any() else table[JUDGEMENT_COLUMNS])


def read_judgements(path: str | PathLike[str], given: Columns | None = None) -> pd.DataFrame:
    """Read human judgements: topic, system, judgement, score; an undefined score is an error too.

    The score of several judges is their mean, unless the table also has a row without a judge: this is then
    the score of the summary. For ``given`` columns see `read_scores`. InputError as of `read_judges`.
    """
    return mean_judgements(read_judges(path, given))


def mean_judgements(table: pd.DataFrame) -> pd.DataFrame:
    """The judgements in a table of single judges: their mean, or the score of nobody if there is one."""
    import pandas as pd  # slow to import

    key = JUDGEMENT_COLUMNS[:-1]
    of_nobody = table[JUDGE] == ""
    counts = of_nobody | ~of_nobody.groupby([table[name] for name in key]).transform("any")
    means = table[counts].groupby(key)["score"].mean()
    first = table.drop_duplicates(key)[JUDGEMENT_COLUMNS]
    return first.assign(score=means.loc[pd.MultiIndex.from_frame(first[key])].to_numpy())


def read_judges(path: str | PathLike[str], given: Columns | None = None) -> pd.DataFrame:
    """Read human judgements (TSV or CSV) unchanged: topic, system, judgement, judge, score.

    A row without a judge has an empty text there, as all rows have if the table lacks the column. The index
    is each row's line. For ``given`` columns see `read_scores`. InputError as of `read_scores`, for an
    undefined score, for a judge who judges a summary twice, and for a table without a line.
    """
    table = _read(path, JUDGEMENT_COLUMNS, given, undefined=False, optional=JUDGE)
    table = _filled(table, "judgement", path)
    return table.reindex(columns=[*JUDGEMENT_COLUMNS[:-1], JUDGE, "score"], fill_value="")


def add_judgements(scores: pd.DataFrame, judgements: str | PathLike[str] | None) -> pd.DataFrame:
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


def reverse_scales(table: pd.DataFrame, names: Collection[str], *, by: str = "metric") -> pd.DataFrame:
    """The table with a score s by a metric in ``names`` as the metric's lowest + highest score - s.

    ``by`` is the column of the names. So the better score is the higher one, a score stays on its scale, none
    becomes negative, and reversing again gives the same scores.
    """
    scores = table["score"].where(table[by].isin(list(names)))
    groups = scores.groupby(table[by])
    reversed_scores = groups.transform("min") + groups.transform("max") - scores
    return table.assign(score=reversed_scores.where(scores.notna(), table["score"]))


def _read(
    path: str | PathLike[str],
    columns: list[str],
    given: Columns | None = None,
    *,
    undefined: bool,
    optional: str = "",
) -> pd.DataFrame:
    """A table of scores, text but for the last of its columns; ``undefined`` allows ``nan`` there.

    ``optional`` is a column that the table may have; its cells are names or empty. InputError names up to ten
    lines whose score is not a number or is there twice.
    """
    if given is None:
        table = tsv.read(path, columns, named=columns[:-1])
    else:
        found = read_file(path, "scores", columns, given, is_json=False)
        table = read_long(found, given, columns[2], found.frame())
        table = table.fillna("nan") if undefined else table.dropna(subset="score")
        tsv.check_names(table, columns[:-1], path)
    absent = ["nan"] + [""] * (file_form(path) in JSON)  # JSON has null in place of NaN
    scores = tsv.numbers(table, "score", path, undefined=absent if undefined else [])
    name_column = columns[2]
    more = [optional] if optional in table else []
    for column in more:
        tsv.check_names(table[table[column] != ""], [column], path)
    remedy = "Keep one of them."
    if optional and not more:
        remedy = f"Keep one of them, or say who gave each in a column {optional}."
    faults = Faults()
    for line, cells in table[table.duplicated([*columns[:-1], *more])].iterrows():
        judge = f" by {cells[optional]}" if more and cells[optional] else ""
        problem = f"{cells[name_column]} of {cells['system']} for {cells['topic']}{judge} is there twice"
        faults.append(InputError(problem, path=path, line=line, remedy=remedy))
    faults.raise_all()
    header = [*columns, *more, *(column for column in [NOTE] if undefined and column in table)]
    return table[header].assign(score=scores)


def read_given(path: str | PathLike[str]) -> pd.DataFrame:
    """Read scores by metrics that come with a benchmark: topic, system, metric, score.

    They are taken to rise with quality. The index is each row's line. InputError as of `read_scores`, and for
    a table without a row.
    """
    return _filled(read_scores(path), "score", path)[SCORE_COLUMNS]


def _filled(table: pd.DataFrame, kind: str, path: str | PathLike[str]) -> pd.DataFrame:
    if table.empty:
        raise InputError(f"holds no {kind}", path=path, remedy=f"Add a line for each {kind}.")
    return table


def write_given(
    path: str | PathLike[str],
    signatures: str | PathLike[str],
    given: Iterable[GivenScore],
    *,
    prefix: str = GIVEN,
) -> None:
    """Write given scores, with a prefix before the names of their metrics, and their signatures, as TSV."""
    import pandas as pd  # slow to import

    table = pd.DataFrame(map(astuple, given), columns=SCORE_COLUMNS)
    table["metric"] = prefix + table["metric"].str.removeprefix(prefix)
    write_scores(path, table)
    rows = [(name, f"{name}|as released with the benchmark", "", "") for name in table["metric"].unique()]
    tsv.write(signatures, pd.DataFrame(rows, columns=SIGNATURE_COLUMNS))


def read_choices(path: str | PathLike[str]) -> pd.DataFrame:
    """Read preferences with the columns of `PREFERENCE_COLUMNS`; the index is each row's line.

    The judge is an empty text where none is named. InputError for a table without the columns or without a
    row, and, with up to ten lines, for a preference that is not in `PREFERENCES`, a system that is compared
    with itself, and a pair that the same judge compares twice.
    """
    columns = [name for name in PREFERENCE_COLUMNS if name != JUDGE]
    table = _filled(tsv.read(path, columns, named=columns[:-1]), "preference", path)
    if JUDGE not in table:
        table[JUDGE] = ""
    tsv.check_names(table[table[JUDGE] != ""], [JUDGE], path)
    faults, keys = Faults(), set()
    for line, topic, a, b, judge, preference in table[PREFERENCE_COLUMNS].itertuples(name=None):
        pair = (topic, frozenset((a, b)), judge)
        problem = ""
        if preference not in PREFERENCES:
            problem = f"the preference {preference[:40]!r} is not one of {', '.join(PREFERENCES)}"
        elif a == b:
            problem = f"{a!r} is compared with itself"
        elif judge and pair in keys:
            problem = f"{judge} compares {a} with {b} for {topic} twice"
        keys.add(pair)
        if problem:
            remedy = "Write A, B or tie, and each pair of two systems once a judge."
            faults.append(InputError(problem, path=path, line=int(line), remedy=remedy))
    faults.raise_all()
    return table[PREFERENCE_COLUMNS]


def write_choices(path: str | PathLike[str], preferences: Iterable[Preference]) -> None:
    """Write preferences as TSV with the columns of `PREFERENCE_COLUMNS`."""
    import pandas as pd  # slow to import

    tsv.write(path, pd.DataFrame(map(astuple, preferences), columns=PREFERENCE_COLUMNS))


def decided_pairs(preferences: pd.DataFrame) -> pd.DataFrame:
    """The rows of `read_choices` that are not ties, as columns topic, better and worse."""
    choices = preferences[preferences["preference"] != "tie"]
    a, b, is_first = choices["system_a"], choices["system_b"], choices["preference"] == "A"
    return choices[["topic"]].assign(better=a.where(is_first, b), worse=b.where(is_first, a))
