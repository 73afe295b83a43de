"""Which summaries are scored but not judged, or judged but not scored: the gaps between two tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import pandas as pd

from sera.errors import MOST_FAULTS, InputError, Path
from sera.names import nearest_names


@dataclass(frozen=True)
class Gaps:
    """What scores and judgements do not have in common.

    systems, topics:  (name, what it lacks) for those that lack all judgements, or all scores by a metric
    summaries:        (metric or judgement, system, topic) of the other scores and judgements that are missing
    """

    systems: tuple[tuple[str, str], ...]
    topics: tuple[tuple[str, str], ...]
    summaries: tuple[tuple[str, str, str], ...]

    def __bool__(self) -> bool:
        return bool(self.systems or self.topics or self.summaries)

    def lines(self) -> Iterator[str]:
        """The gaps in words, at most `MOST_FAULTS` of each kind, with the number of the others."""
        for kind, found in (("system", self.systems), ("topic", self.topics)):
            if found:
                yield _some([f"{kind} {name!r} {lack}" for name, lack in found])
        if self.summaries:
            yield _some([f"no {name} of {system!r} for {topic!r}" for name, system, topic in self.summaries])

    def error(self, path: Path | None) -> InputError:
        """The error for tables that should have no gaps; ``path`` is the file of the judgements, if any."""
        return InputError(
            f"scores and judgements are not of the same summaries: {'; '.join(self.lines())}",
            path=path,
            remedy="Add or rename what is missing, or drop it: --missing drop, missing='drop' in Python.",
        )

    def dropped(self, table: pd.DataFrame) -> pd.DataFrame:
        """A table of scores or judgements without the systems and topics that have gaps.

        Single summaries stay: each level of correlation leaves out what has no score, and counts it.
        """
        systems, topics = ({name for name, _ in found} for found in (self.systems, self.topics))
        return table[~table["system"].isin(systems) & ~table["topic"].isin(topics)].reset_index(drop=True)


def same_summaries(
    scores: pd.DataFrame, judged: pd.DataFrame, path: Path | None, *, missing: str = "stop"
) -> tuple[pd.DataFrame, list[str]]:
    """Scores and judgements of the same summaries, one below the other, and what was left out, in words.

    Both tables have topic, system, metric and score; ``path`` is the file of the judgements, if any.
    InputError if no summary is in both, and for `gaps` unless ``missing`` is "drop", which leaves these out.
    """
    remedy = "Look whether topics and systems have the same names in the tables."
    if scores.merge(judged, on=["topic", "system"]).empty:
        raise InputError("no summary is both scored and judged", path=path, remedy=remedy)
    found = gaps(scores, judged)
    if found and missing == "stop":
        raise found.error(path)
    kept = [found.dropped(table) for table in (scores, judged)]
    if kept[0].merge(kept[1], on=["topic", "system"]).empty:
        raise InputError("nothing is left without what is missing", path=path, remedy=remedy)
    return pd.concat(kept, ignore_index=True), [f"Left out: {line}" for line in found.lines()]


def gaps(scores: pd.DataFrame, judgements: pd.DataFrame) -> Gaps:
    """What is missing in two tables of topic, system, metric and score; ``metric`` names the judgement too.

    Every judged summary needs a score by every metric, which may be undefined, and every scored system and
    topic a judgement. A judgement may leave out systems and topics that another one has, but it must have
    each of its systems on each of its topics.
    """
    lacks = {side: _lacking(scores, judgements, side) for side in ("system", "topic")}
    whole = Gaps(lacks["system"], lacks["topic"], ())
    kept = [whole.dropped(table) for table in (scores, judgements)]
    wanted: dict[tuple[str, str], None] = {}  # the judged summaries, each once
    missing = []
    for name, judged in kept[1].groupby("metric", sort=False):
        pairs = set(zip(judged["system"], judged["topic"], strict=True))
        for topic in judged["topic"].unique():
            for system in judged["system"].unique():
                wanted[system, topic] = None
                if (system, topic) not in pairs:
                    missing.append((str(name), system, topic))
    for name, scored in kept[0].groupby("metric", sort=False):
        pairs = set(zip(scored["system"], scored["topic"], strict=True))
        missing += [(str(name), *pair) for pair in wanted if pair not in pairs]
    return replace(whole, summaries=tuple(missing))


def _lacking(scores: pd.DataFrame, judgements: pd.DataFrame, side: str) -> tuple[tuple[str, str], ...]:
    """The systems or topics, in the order of the judgements, that one of the tables or a metric lacks."""
    judged, scored = (dict.fromkeys(table[side]) for table in (judgements, scores))
    unjudged = [name for name in scored if name not in judged]
    found = {name: f"is not scored{_like(name, unjudged)}" for name in judged if name not in scored}
    for metric, rows in scores.groupby("metric", sort=False):
        there = set(rows[side])
        for name in judged:
            if name not in there:
                found.setdefault(name, f"is not scored by {metric}")
    found |= dict.fromkeys(unjudged, "is not judged")
    return tuple(found.items())


def _like(name: str, others: Sequence[str]) -> str:
    near = nearest_names(name, others, most=1, cutoff=0.8)
    return f" (its name may be {near[0]!r} there)" if near else ""


def _some(texts: Sequence[str]) -> str:
    more = len(texts) - MOST_FAULTS
    return ", ".join(texts[:MOST_FAULTS]) + (f" and {more} more" if more > 0 else "")
