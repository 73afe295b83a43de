"""Scores by metrics and by people of the same summaries, and their evaluation in one call: `evaluate`.

Both are data frames, read from files or made in Python. They have a row per summary (topic and system) and a
column per metric or judgement, or a row per score, as tables of ``sera score`` do.
"""

from __future__ import annotations

import warnings
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from sera.errors import InputError, Path
from sera.evaluation import meta_evaluation
from sera.evaluation.correlation.correlate import Bootstrap, Scores
from sera.evaluation.further_tables import further_tables
from sera.evaluation.gaps import same_summaries
from sera.evaluation.people.preference_tables import of_scored, preference_tables
from sera.io.data_frames import as_pandas
from sera.io.scores import LARGEST_SCORE, distinct_names
from sera.metrics import falling as falling_families
from sera.metrics.base import Caution
from sera.names import check
from sera.registry import unknown
from sera.settings import number, one_of, shown

_SUMMARY = ["topic", "system"]


@dataclass(frozen=True)
class JudgedScores:
    """Scores and judgements of the same summaries.

    table:       topic, system, metric, score; the judgements, below the scores, are metrics too
    metrics:     the names of the metrics, in their order
    judgements:  the names of the judgements, in their order; the first one is foremost
    topics:      the number of topics in the scores, those that were left out included
    left_out:    what was left out because it is not scored or not judged, in words
    kept:        how many systems and topics are left then, in words; empty if nothing was left out
    """

    table: pd.DataFrame
    metrics: tuple[str, ...]
    judgements: tuple[str, ...]
    topics: int
    left_out: tuple[str, ...]
    kept: str = ""

    @classmethod
    def of(
        cls,
        scores: pd.DataFrame,
        judgements: pd.DataFrame,
        *,
        missing: str = "stop",
        path: Path | None = None,
    ) -> JudgedScores:
        """The scores and judgements of tables of `read_scores` and `read_judgements`.

        ``path`` is the file of the judgements, for the errors. InputError for a judgement that has the name
        of a metric, and as of `same_summaries`, which has ``missing``.
        """
        one_of("missing", missing, ("stop", "drop"))
        judged = judgements.rename(columns={"judgement": "metric"})
        distinct_names(scores, judged, path)
        table, left_out = same_summaries(scores, judged, path, missing=missing)
        metrics, by = (tuple(dict.fromkeys(part["metric"])) for part in (scores, judged))
        kept = _kept(pd.concat([scores, judged]), table) if left_out else ""
        return cls(table, metrics, by, scores["topic"].nunique(), tuple(left_out), kept)

    @property
    def scores(self) -> Scores:
        """All scores and judgements as an array."""
        return Scores.of(self.table)

    def evaluate(
        self,
        *,
        compare: Collection[str] = (),
        falling: Collection[str] = (),
        top: Sequence[int] = (),
        bootstrap: str = "topics",
        resamples: int = 1000,
        confidence: float = 95.0,
        seed: int = 0,
    ) -> dict[str, pd.DataFrame]:
        """The tables of `evaluate`."""
        for name in (*compare, *falling):
            if name not in self.metrics:
                raise unknown("metric in the scores", name, self.metrics)
        return meta_evaluation.evaluate(
            self.scores,
            self.judgements,
            falling=[*falling, *falling_families(self.metrics)],
            bootstrap=Bootstrap(bootstrap, resamples, seed),
            confidence=number("confidence", confidence, 0, 100, above=True),
            top=top,
            compared=list(dict.fromkeys(compare)),
        )

    def further(
        self,
        *,
        falling: Collection[str] = (),
        bootstrap: str = "both",
        resamples: int = 1000,
        confidence: float = 95.0,
        seed: int = 0,
        summaries: pd.DataFrame | None = None,
        judges: pd.DataFrame | None = None,
    ) -> dict[str, pd.DataFrame]:
        """The tables of `sera.evaluation.further_tables.further_tables`.

        InputError if ``summaries`` has no text of some judged summary.
        """
        if summaries is not None:
            summary = [*_SUMMARY]
            wanted = self.table[summary].drop_duplicates()
            with_text = wanted.merge(summaries[summary], how="left", on=summary, indicator=True)
            if (lacking := with_text[with_text["_merge"] == "left_only"]).size:
                row = lacking.iloc[0]
                raise InputError(
                    f"{len(lacking)} judged summaries have no text, as that of {row['system']} for "
                    f"{row['topic']}",
                    remedy="Add them to the candidates, or leave the candidates out.",
                )
        return further_tables(
            self.scores,
            self.judgements,
            falling=[*falling, *falling_families(self.metrics)],
            bootstrap=Bootstrap(bootstrap, resamples, seed),
            confidence=number("confidence", confidence, 0, 100, above=True),
            summaries=summaries,
            judges=judges,
        )


def evaluate(
    scores: pd.DataFrame,
    judgements: pd.DataFrame,
    *,
    compare: Collection[str] = (),
    falling: Collection[str] = (),
    missing: str = "stop",
    top: Sequence[int] = (),
    bootstrap: str = "topics",
    resamples: int = 1000,
    confidence: float = 95.0,
    seed: int = 0,
    further: bool = False,
    preferences: pd.DataFrame | None = None,
) -> dict[str, pd.DataFrame]:
    """Evaluate how well metrics follow human judgements: tables by name, as ``sera evaluate`` writes them.

    ``scores`` and ``judgements`` have a row per summary, the columns ``topic`` and ``system``, and a column
    per metric or judgement. They may also have a row per score, with the columns ``metric`` (in the
    judgements ``judgement``) and ``score``. Frames of polars and tables of pyarrow are taken too. A score
    that is NaN is undefined; a judgement that is NaN is missing. The tables are
    `sera.evaluation.meta_evaluation.TABLE_NAMES`; docs/meta-evaluation.md defines every number in them.

    >>> import pandas as pd
    >>> names = [(str(topic), f"s{system}") for topic in range(4) for system in range(3)]
    >>> table = pd.DataFrame(names, columns=["topic", "system"])
    >>> judged, scored = table.assign(quality=[1, 2, 3] * 4), table.assign(mine=[1, 3, 2] * 4)
    >>> tables = evaluate(scored, judged, resamples=10)
    >>> tables["system_level"][["metric", "against", "spearman"]]
      metric  against  spearman
    0   mine  quality       0.5

    compare:     metrics to compare in pairs, with tests of significance (table ``differences``)
    falling:     metrics of your own for which lower is better
    missing:     "stop" refuses summaries that are scored and not judged, or judged and not scored; "drop"
                 leaves them out, with a warning (`sera.metrics.base.Caution`)
    top:         numbers of best systems to evaluate alone (table ``top_systems``)
    bootstrap:   what to resample for the intervals: "systems", "topics" or "both"
    resamples:   number of resamples, and of permutations of the tests, 1 to a million
    confidence:  confidence level of the intervals, in percent, 0 to 100
    seed:        seed of the resamples and of the permutations
    further:     whether to make the tables of `sera.evaluation.further_tables.ALWAYS_WRITTEN` too: accuracy
                 on pairs, clusters of metrics, power
    preferences: people's preferences between two scored summaries, topic, system_a, system_b, preference
                 ("A", "B" or "tie") and, if several judge, judge: for the tables of
                 `sera.evaluation.people.preference_tables.PREFERENCE_TABLES`

    Raises InputError for a frame without these columns, for text among the numbers, for a summary or a score
    that stands twice, and for a metric in ``compare`` or ``falling`` that has no scores.
    """
    judged = judged_frames(scores, judgements, missing=missing)
    tables = judged.evaluate(
        compare=compare,
        falling=falling,
        top=top,
        bootstrap=bootstrap,
        resamples=resamples,
        confidence=confidence,
        seed=seed,
    )
    if further:
        tables |= judged.further(
            falling=falling, bootstrap=bootstrap, resamples=resamples, confidence=confidence, seed=seed
        )
    if preferences is not None:
        scored = long_form(scores, "scores", "metric")
        preferences = as_pandas(preferences, "preferences")
        if not isinstance(preferences, pd.DataFrame) or preferences.empty:
            raise InputError(
                f"the preferences are {shown(preferences)}"
                if not isinstance(preferences, pd.DataFrame)
                else "the preferences have no row",
                remedy="Give a data frame with the columns topic, system_a, system_b and preference.",
            )
        names = preferences.astype({name: str for name in preferences.columns})
        chosen, left_out = of_scored(
            names if "judge" in names else names.assign(judge=""), scored, missing=missing
        )
        for line in left_out:
            warnings.warn(line, Caution, stacklevel=2)
        tables |= preference_tables(
            chosen,
            scored,
            falling=[*falling, *falling_families(judged.metrics)],
            resamples=resamples,
            confidence=confidence,
            seed=seed,
        )
    return tables


def _kept(whole: pd.DataFrame, left: pd.DataFrame) -> str:
    counts = (f"{left[name].nunique()} of {whole[name].nunique()} {name}s" for name in ("system", "topic"))
    return f"Left are {' and '.join(counts)}; systems are ranked on the topics where none lacks a score"


def judged_frames(scores: pd.DataFrame, judgements: pd.DataFrame, *, missing: str = "stop") -> JudgedScores:
    """`JudgedScores` of data frames in either form of `evaluate`; warns of what it leaves out."""
    judged = long_form(judgements, "judgements", "judgement").dropna(subset="score")
    found = JudgedScores.of(long_form(scores, "scores", "metric"), judged, missing=missing)
    for line in found.left_out:
        warnings.warn(line, Caution, stacklevel=3)
    return found


def long_form(frame: pd.DataFrame, what: str, named: str) -> pd.DataFrame:
    """A data frame of scores with a row per score: topic, system, ``named`` and score, names as text.

    ``named`` is the column of the names, and ``what`` the frame in errors. A frame without the columns
    ``named`` and ``score`` has a row per summary, and its other columns are the names. InputError as of
    `evaluate`.
    """
    frame = as_pandas(frame, what)
    if not isinstance(frame, pd.DataFrame):
        raise InputError(f"the {what} are {shown(frame)}, which is no data frame", remedy="Give a DataFrame.")
    columns = [name for name in frame.columns if name not in _SUMMARY]
    for name in _SUMMARY:
        if name not in frame.columns:
            raise InputError(
                f"the {what} have no column {name}",
                remedy="Name the columns topic and system: frame.rename(columns={...}).",
            )
    if {named, "score"} <= set(columns):
        long = frame[[*_SUMMARY, named, "score"]].reset_index(drop=True)
    elif not columns:
        raise InputError(
            f"the {what} have no column besides topic and system", remedy=f"Add a column per {named}."
        )
    else:
        _refuse_text(frame, columns, what)
        long = frame.melt(_SUMMARY, columns, var_name=named, value_name="score")
    for name in (*_SUMMARY, named):
        if long[name].isna().any():
            raise InputError(f"the {what} have a row without a {name}", remedy="Name it, or leave it out.")
        long[name] = long[name].astype(str)
        for value in long[name].unique():
            check(name, value)
    long["score"] = _numbers(long, what, named)
    if (twice := long.duplicated([*_SUMMARY, named])).any():
        raise InputError(f"the {what} have {_cell(long[twice], named)} twice", remedy="Keep one of them.")
    return long


def _refuse_text(frame: pd.DataFrame, columns: Sequence[Any], what: str) -> None:
    for name in columns:
        if not pd.api.types.is_numeric_dtype(frame[name]):
            raise InputError(
                f"the column {name} of the {what} has no numbers",
                remedy="Give topic, system and the columns of numbers alone: frame[['topic', ...]].",
            )


def _numbers(long: pd.DataFrame, what: str, named: str) -> pd.Series:
    """The scores as floats; InputError for text, and for what is too large."""
    numbers = pd.to_numeric(long["score"], errors="coerce").astype(float)
    wrong = (numbers.isna() & long["score"].notna()) | (numbers.abs() > LARGEST_SCORE)
    if wrong.any():
        value = long.loc[wrong, "score"].iloc[0]
        text = shown(value) if isinstance(value, str) else f"{value}"
        raise InputError(
            f"the {what} have {text} for {_cell(long[wrong], named)}",
            remedy=f"Give numbers up to {LARGEST_SCORE:g}, or NaN for an undefined score.",
        )
    return numbers


def _cell(rows: pd.DataFrame, named: str) -> str:
    row = rows.iloc[0]
    return f"{row[named]} of {row['system']} for {row['topic']}"
