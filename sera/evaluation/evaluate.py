"""Scores by metrics and by people of the same summaries, and their evaluation in one call: `evaluate`.

docs/statistics.md defines each number of the tables and names its source.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import chain, compress, product
from typing import Any

import numpy as np
import pandas as pd

from sera.defaults import BOOTSTRAP, CONFIDENCE, MISSING, RESAMPLES, SEED
from sera.errors import MOST_FAULTS, InputError, Path
from sera.evaluation.bootstrap import Bootstrap
from sera.evaluation.clusters import metric_clusters
from sera.evaluation.coefficients import COEFFICIENTS
from sera.evaluation.correlate import (
    LEVELS,
    WHY,
    Scores,
    complete_topics,
    correlate,
    level_coefficients,
    why_undefined,
)
from sera.evaluation.discrimination import discrimination
from sera.evaluation.judges import judge_tables
from sera.evaluation.pairwise import calibrate, pairwise
from sera.evaluation.partial import partial_correlations
from sera.evaluation.s3_tables import S3_TABLES, failures, s3_distribution, s3_table1, s3_table3
from sera.evaluation.significance import compare
from sera.evaluation.ties import mean_scores
from sera.evaluation.versus import choose_versus, list_variants, select_variants, verdict_lines
from sera.io.data_frames import check_frame
from sera.io.scores import distinct_names, mean_judgements, reverse_scales
from sera.io.tables import Columns, Table, read_long
from sera.metrics import falling as falling_families
from sera.metrics.base import Caution
from sera.names import check, check_forms
from sera.registry import unknown
from sera.settings import number, one_of, shown, whole

_SUMMARY = ["topic", "system"]


TABLE_NAMES = (
    *(f"{level}_level" for level in LEVELS),
    *("differences", "discrimination", "top_systems", *S3_TABLES),
)
"""The tables that `evaluate` makes."""

FURTHER_TABLES = ("pairwise", "clusters")
"""The tables that it makes too if asked for ``further`` ones."""

TEXT_TABLES = ("partial",)
JUDGE_TABLES = ("judges", "ceilings", "system_level_judges")
"""The tables that need the texts of the summaries, and the scores of single judges."""

ALL_TABLES = (*TABLE_NAMES, *FURTHER_TABLES, *TEXT_TABLES, *JUDGE_TABLES)


class Evaluation(dict[str, pd.DataFrame]):
    """The tables of an evaluation by name, and the verdicts on its metrics."""

    def __init__(self, tables: Mapping[str, pd.DataFrame], make_verdicts: Callable[..., list[str]]) -> None:
        super().__init__(tables)
        self._make_verdicts = make_verdicts

    @cached_property
    def verdicts(self) -> list[str]:
        """The lines that ``sera evaluate`` prints below its table; they are computed when first asked for."""
        return self._make_verdicts(compared=self.get("differences"))


@dataclass(frozen=True)
class JudgedScores:
    """Scores and judgements of the same summaries.

    table:       topic, system, metric, score; the judgements, below the scores, are metrics too
    metrics:     the names of the metrics, in their order
    judgements:  the names of the judgements, in their order
    topics:      the number of topics in the scores, those that were left out included
    left_out:    what was left out because it is not scored or not judged, in words
    falling:     the metrics for which lower is better, whose scores are as given
    reversed:    the judgements for which lower was better, on reversed scales (`reverse_scales`)
    """

    table: pd.DataFrame
    metrics: tuple[str, ...]
    judgements: tuple[str, ...]
    topics: int
    left_out: tuple[str, ...]
    falling: tuple[str, ...] = ()
    reversed: tuple[str, ...] = ()

    @classmethod
    def from_tables(
        cls,
        scores: pd.DataFrame,
        judgements: pd.DataFrame,
        *,
        missing: str = MISSING,
        falling: Collection[str] = (),
        path: Path | None = None,
    ) -> JudgedScores:
        """The scores and judgements of tables of `read_scores` and `read_judgements`.

        ``falling`` names metrics and judgements for which lower is better, in addition to the families that
        declare it, and ``path`` is the file of the judgements. InputError for a judgement with the name of a
        metric, for names as of `sera.names.check_forms`, if no summary is in both, for `gaps` unless
        ``missing`` is "drop", which leaves these out, and for an unknown name in ``falling``.
        """
        one_of("missing", missing, ("stop", "drop"))
        judgement_table = judgements.rename(columns={"judgement": "metric"})
        distinct_names(scores, judgement_table, path)
        for kind in _SUMMARY:
            check_forms(kind, judgement_table[kind].unique(), scores[kind].unique(), path=path)
        remedy = "Look whether topics and systems have the same names in the tables."
        if scores.merge(judgement_table, on=_SUMMARY).empty:
            raise InputError("no summary is both scored and judged", path=path, remedy=remedy)
        lines, parts = gaps(scores, judgement_table)
        if lines and missing == "stop":
            problem = f"scores and judgements are not of the same summaries: {'; '.join(lines)}"
            advice = "Add or rename what is missing, or drop it: --missing drop, missing='drop' in Python."
            raise InputError(problem, path=path, remedy=advice)
        if parts[0].merge(parts[1], on=_SUMMARY).empty:
            raise InputError("nothing is left without what is missing", path=path, remedy=remedy)
        metrics, judgement_names = (tuple(dict.fromkeys(part["metric"])) for part in parts)
        left_out = tuple(f"Left out: {line}" for line in lines)
        for name in falling:
            if name not in (*metrics, *judgement_names):
                raise unknown("metric or judgement", name, [*metrics, *judgement_names])
        table = pd.concat([parts[0], reverse_scales(parts[1], falling)], ignore_index=True)
        lower_is_better = (*(name for name in metrics if name in falling), *falling_families(metrics))
        return cls(
            table,
            metrics,
            judgement_names,
            scores["topic"].nunique(),
            left_out,
            tuple(dict.fromkeys(lower_is_better)),
            tuple(name for name in judgement_names if name in falling),
        )

    @cached_property
    def scores(self) -> Scores:
        """All scores and judgements as an array."""
        return Scores.from_table(self.table)

    @property
    def reversal_notes(self) -> list[str]:
        """The note on each judgement whose scale is reversed."""
        return [
            f"Lower is better for {name}: a score is turned, lowest + highest − score"
            for name in self.reversed
        ]

    def tables(
        self,
        names: Collection[str] = TABLE_NAMES,
        *,
        bootstrap: Bootstrap,
        confidence: float,
        versus: str | None = None,
        compare: Collection[str] = (),
        summaries: pd.DataFrame | None = None,
        judges: pd.DataFrame | None = None,
        **more: Any,
    ) -> Evaluation:
        """The tables ``names`` of `evaluation_tables`, which has ``more`` options, and `verdict_lines`.

        InputError for a metric without scores, and if ``summaries`` has no text of some judged summary.
        """
        choose_versus(versus, self.metrics)  # the verdicts, which refuse it too, come later
        for name in compare:
            if not list_variants(name, self.metrics):
                raise unknown("metric in the scores", name, self.metrics)
        if len(set(compare)) == 1:
            problem = f"{next(iter(compare))} alone cannot be compared in pairs"
            raise InputError(problem, remedy="Name two metrics or more.")
        if summaries is not None:
            for kind in _SUMMARY:
                check_forms(kind, self.table[kind].unique(), summaries[kind].unique())
            index, texts = (pd.MultiIndex.from_frame(table[_SUMMARY]) for table in (self.table, summaries))
            if len(gap := index.difference(texts)):
                topic, system = gap[0]
                problem = f"{len(gap)} judged summaries have no text, as that of {system} for {topic}"
                raise InputError(problem, remedy="Add them to the candidates, or leave the candidates out.")
        if judges is not None:
            judges = reverse_scales(judges, self.reversed, by="judgement")
        more |= {"falling": self.falling, "compared": compare, "summaries": summaries, "judges": judges}
        intervals: dict[str, Any] = {"bootstrap": bootstrap, "confidence": confidence}
        tables = evaluation_tables(self.scores, self.judgements, names, **intervals, **more)
        return Evaluation(tables, partial(verdict_lines, self, versus, **intervals))


def evaluate(
    scores: pd.DataFrame,
    judgements: pd.DataFrame,
    *,
    compare: Collection[str] = (),
    versus: str | None = None,
    falling: Collection[str] = (),
    missing: str = MISSING,
    top: Sequence[int] = (),
    bootstrap: str = BOOTSTRAP,
    resamples: int = RESAMPLES,
    confidence: float = CONFIDENCE,
    seed: int = SEED,
    further: bool = False,
    columns: Mapping[str, str] | None = None,
) -> Evaluation:
    """Evaluate how well metrics follow human judgements: tables by name, as ``sera evaluate`` writes them.

    ``verdicts`` of what it returns are the lines that ``sera evaluate`` prints, by each judgement: which
    metric is highest, whether each is better than that of ``versus``, and which differences can be found.

    ``scores`` and ``judgements`` have a row per summary, the columns ``topic`` and ``system``, and a column
    per metric or judgement. They may also have a row per score, with the columns ``metric`` (in the
    judgements ``judgement``, and maybe ``judge``) and ``score``. Columns may have the other names in
    `sera.io.tables.ROLES`; a `Caution` lists those that were used, and columns without numbers. A score
    that is NaN is undefined; a judgement that is NaN is missing. The tables are
    `TABLE_NAMES`; docs/statistics.md defines every number in them.

    >>> import pandas as pd
    >>> names = [(str(topic), f"s{system}") for topic in range(4) for system in range(3)]
    >>> table = pd.DataFrame(names, columns=["topic", "system"])
    >>> judged, scored = table.assign(quality=[1, 2, 3] * 4), table.assign(mine=[1, 3, 2] * 4)
    >>> tables = evaluate(scored, judged, resamples=10)
    >>> tables["system_level"][["metric", "against", "spearman"]]
      metric  against  spearman
    0   mine  quality       0.5
    >>> evaluate(scored.assign(good=judged["quality"]), judged, versus="mine", resamples=10).verdicts[2]
    'good is ahead of mine by 0.50 in ranking 3 systems (+0.00 to +2.00, p = 0.500): not significant.'

    compare:     metrics to compare in pairs, with tests of significance (table ``differences``); a measure
                 without its part, as ROUGE-2, is the one of its P, R and F that follows the judgement best
    versus:      the metric with which the verdicts compare all others, named in advance: ROUGE-1-F if it is
                 there, else the first one; "best" takes the best one, and its intervals allow for the choice
    falling:     metrics of your own for which lower is better, and judgements, as ranks or numbers of errors
    missing:     "stop" refuses summaries that are scored and not judged, or judged and not scored; "drop"
                 leaves them out, with a warning (`sera.metrics.base.Caution`)
    top:         numbers of best systems to evaluate alone (table ``top_systems``)
    bootstrap:   what to resample for the intervals: "systems" for other systems and as many topics as here,
                 "topics" for these systems, "both" for an upper bound
    resamples:   number of resamples, and of permutations of the tests, 1 to a million
    confidence:  confidence level of the intervals, in percent, 0 to 100
    seed:        seed of the resamples and of the permutations
    further:     whether to make the tables `FURTHER_TABLES` too: accuracy on pairs, clusters
    columns:     which columns hold what, if their names do not say it, as ``{"topic": "doc_id"}``

    Raises InputError for a frame without these columns, for text among the numbers, for a summary or a score
    that is there twice, and for a name in ``compare``, ``versus`` or ``falling`` that has no scores.
    """
    draws = Bootstrap(bootstrap, resamples, seed)
    number("confidence", confidence, 0, 100, above=True)
    top = [whole("top", best, 2, 10**6) for best in top]
    judged_scores = judged_frames(scores, judgements, missing=missing, falling=falling, columns=columns)
    names = (*TABLE_NAMES, *FURTHER_TABLES) if further else TABLE_NAMES
    options: dict[str, Any] = {"top": top, "bootstrap": draws, "confidence": confidence}
    return judged_scores.tables(names, compare=compare, versus=versus, **options)


def evaluation_tables(
    scores: Scores,
    judgements: Sequence[str],
    names: Collection[str] = TABLE_NAMES,
    *,
    falling: Collection[str] = (),
    bootstrap: Bootstrap | None = None,
    confidence: float = CONFIDENCE,
    top: Sequence[int] = (),
    compared: Collection[str] = (),
    clustered: Collection[str] | None = None,
    s3: Scores | None = None,
    summaries: pd.DataFrame | None = None,
    judges: pd.DataFrame | None = None,
) -> dict[str, pd.DataFrame]:
    """Evaluate every metric by every judgement, over the judged systems: the tables ``names``, by name.

    judgements:  the metrics of ``scores`` that are human judgements
    falling:     the metrics whose lower scores are better
    bootstrap:   draws systems if not given; permutations use its number of resamples and its seed
    top:         the numbers of best systems that are compared alone
    compared:    the metrics that are compared in pairs (`select_variants`)
    clustered:   those of ``clusters``, all if not given
    s3:          the scores for the tables of S3's paper, ``scores`` if not given
    summaries:   the properties of the texts (`sera.evaluation.partial.properties`), for `TEXT_TABLES`
    judges:      the scores of single judges (`sera.evaluation.judges.judge_tables`), for `JUDGE_TABLES`
    """
    bootstrap = bootstrap or Bootstrap()
    rising = scores.negate(falling)  # higher is better by every metric
    intervals: dict[str, Any] = {"bootstrap": bootstrap, "confidence": confidence}
    permutations = {"permutations": bootstrap.resamples, "seed": bootstrap.seed}
    parts: dict[str, list[pd.DataFrame]] = {}
    for judgement in judgements:
        own, own_rising, own_s3 = (part.keep_judged(judgement) for part in (scores, rising, s3 or scores))
        pairs = [(name, judgement) for name in own.metrics if name != judgement]
        metrics = [name for name in own.metrics if name not in judgements]
        pool = select_variants(metrics if clustered is None else clustered, own_rising, judgement)
        pool = [name for name in metrics if name in pool]
        rivals = select_variants(compared, own_rising, judgement)
        makers: dict[str, Callable[[], pd.DataFrame]] = {
            "system_level": partial(correlate, own, pairs, level="system", **intervals),
            "summary_level": partial(_summary_level, own, pairs, falling, **intervals),
            "global_level": partial(correlate, own, pairs, level="global", **intervals),
            "differences": partial(compare, own_rising, rivals, judgement, **intervals),
            "discrimination": partial(discrimination, own, pairs, falling),
            "top_systems": partial(best_systems, own, pairs, top),
            "s3_table1": partial(s3_table1, own_s3, judgement),
            "s3_table3": partial(s3_table3, own_s3, judgement, falling),
            "s3_distribution": partial(s3_distribution, own_s3, judgement),
            "pairwise": partial(pairwise, own_rising, pairs, **intervals),
            "clusters": partial(metric_clusters, own_rising, pool, judgement, **permutations),
        }
        if summaries is not None:
            makers["partial"] = partial(partial_correlations, own, pairs, summaries)
        for name in names:
            if name in makers:
                parts.setdefault(name, []).append(makers[name]())
    # an empty table has no types, which would change those of the others
    tables = {
        name: pd.concat([table for table in found if len(table)] or found[:1], ignore_index=True)
        for name, found in parts.items()
    }
    if judges is not None and not set(JUDGE_TABLES).isdisjoint(names):
        tables |= judge_tables(judges, rising, **intervals)
    return tables


def _summary_level(
    scores: Scores, pairs: Sequence[tuple[str, str]], falling: Collection[str], **intervals: Any
) -> pd.DataFrame:
    table = correlate(scores, pairs, level="summary", **intervals)
    accuracies = [calibrate(scores.metric(name), scores.metric(against)).accuracy for name, against in pairs]
    table.insert(2, "acc_eq", np.array(accuracies, float))
    return table.merge(failures(scores, pairs, falling), on=["metric", "against"])


def best_systems(scores: Scores, pairs: Sequence[tuple[str, str]], top: Sequence[int]) -> pd.DataFrame:
    """The system-level coefficients over the best systems alone: those with the highest mean judgement.

    ``top`` holds numbers of systems, column ``best`` each of them. Systems that tie with the last one are
    kept too, and ``systems`` counts them all. A number that leaves out no system is ignored.
    """
    rows = []
    for metric, against in pairs:
        targets = scores.metric(against)
        means = mean_scores(targets[complete_topics(targets)])
        both = replace(scores, metrics=(metric, against), values=scores.stack([metric, against]))
        for best in [count for count in top if count < len(scores.systems)]:
            subset = both.keep_systems(list(compress(both.systems, ~(means < np.sort(means)[-best]))))
            row = level_coefficients(subset, metric, against)
            why = why_undefined(row, subset, metric, against)
            rows.append({"metric": metric, "against": against, "best": best, **row, WHY: why})
    columns = ["metric", "against", "best", *COEFFICIENTS, "systems", "topics", "undefined", WHY]
    return pd.DataFrame(rows, columns=columns)


def judged_frames(
    scores: pd.DataFrame,
    judgements: pd.DataFrame,
    *,
    missing: str = MISSING,
    falling: Collection[str] = (),
    columns: Mapping[str, str] | None = None,
) -> JudgedScores:
    """`JudgedScores` of data frames in either form of `evaluate`; warns of what it leaves out."""
    taken: list[str] = []
    chosen = Columns(columns, taken.append)
    table = long_form(judgements, "judgements", "judgement", chosen)
    score_table = long_form(scores, "scores", "metric", chosen)
    chosen.check_seen()
    judged_scores = JudgedScores.from_tables(score_table, table, missing=missing, falling=falling)
    for line in (*taken, *judged_scores.left_out):
        warnings.warn(line, Caution, stacklevel=3)
    return judged_scores


def long_form(frame: pd.DataFrame, what: str, named: str, columns: Columns | None = None) -> pd.DataFrame:
    """A data frame of scores, called ``what``, with a row per score: topic, system, ``named`` and score.

    For its forms see `sera.io.tables.read_long`. Names become text. The judgements of several judges are
    averaged, and those that are missing left out. InputError as of `evaluate`.
    """
    frame = check_frame(frame, what)
    read = read_long(Table.of_frame(frame, what), columns or Columns(), named, frame)
    long = read.drop(columns="note", errors="ignore").reset_index(drop=True)
    judged_by = ["judge"] if "judge" in long else []
    for name in judged_by:
        long[name] = long[name].fillna("").astype(str)
    for name in (*_SUMMARY, named):
        if long[name].isna().any():
            raise InputError(f"the {what} have a row without a {name}", remedy="Name it, or leave it out.")
        long[name] = long[name].astype(str)
        for value in long[name].unique():
            check(name, value)
    labels = long[named] + " of " + long["system"] + " for " + long["topic"]
    numbers = pd.to_numeric(long["score"], errors="coerce").astype(float)
    wrong = (numbers.isna() & long["score"].notna()) | (numbers.abs() == float("inf"))
    if wrong.any():
        problem = f"the {what} have {shown(long['score'][wrong].tolist()[0])} for {labels[wrong].iloc[0]}"
        raise InputError(problem, remedy="Give finite numbers, or NaN for an undefined score.")
    if (twice := long.duplicated([*_SUMMARY, named, *judged_by])).any():
        raise InputError(f"the {what} have {labels[twice].iloc[0]} twice", remedy="Keep one of them.")
    long = long.assign(score=numbers)
    if named == "judgement":
        long = long.dropna(subset="score")
    return mean_judgements(long) if judged_by else long


def gaps(scores: pd.DataFrame, judgements: pd.DataFrame) -> tuple[list[str], list[pd.DataFrame]]:
    """What is missing, in words, and both tables without the systems and topics that lack something.

    The tables have topic, system, metric (or judgement) and score. Every judged summary needs a score by
    every metric, which may be undefined, and every scored system and topic a judgement, which has each of its
    systems on each of its topics. Single summaries stay in the tables, since each level of correlation counts
    what has no score. The words name at most `MOST_FAULTS` of each kind, with the number of the others.
    """
    systems, topics = (_find_gaps(scores, judgements, side) for side in ("system", "topic"))
    scored, judged = (
        table[~(table["system"].isin(systems) | table["topic"].isin(topics))].reset_index(drop=True)
        for table in (scores, judgements)
    )
    needs = {
        name: list(product(rows["topic"].unique(), rows["system"].unique()))
        for name, rows in judged.groupby("metric", sort=False)
    }
    needs |= dict.fromkeys(scored["metric"].unique(), list(dict.fromkeys(chain(*needs.values()))))
    keys = set(pd.concat([judged, scored])[["metric", *_SUMMARY]].itertuples(index=False, name=None))
    lines = []
    for texts in (
        [f"system {name!r} {lack}" for name, lack in systems.items()],
        [f"topic {name!r} {lack}" for name, lack in topics.items()],
        [
            f"no {name} of {system!r} for {topic!r}"
            for name, pairs in needs.items()
            for topic, system in pairs
            if (name, topic, system) not in keys
        ],
    ):
        more = f" and {len(texts) - MOST_FAULTS} more" if len(texts) > MOST_FAULTS else ""
        if texts:
            lines.append(", ".join(texts[:MOST_FAULTS]) + more)
    return lines, [scored, judged]


def _find_gaps(scores: pd.DataFrame, judgements: pd.DataFrame, side: str) -> dict[str, str]:
    """What systems or topics lack, in the order of the judgements: scores, those by a metric, judgements."""
    judged, scored = (dict.fromkeys(table[side]) for table in (judgements, scores))
    gaps_by_name = {name: "is not scored" for name in judged if name not in scored}
    for metric, rows in scores.groupby("metric", sort=False):
        names = set(rows[side])
        for name in judged:
            if name not in names:
                gaps_by_name.setdefault(name, f"is not scored by {metric}")
    return gaps_by_name | {name: "is not judged" for name in scored if name not in judged}
