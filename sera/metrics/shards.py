"""Parts of a benchmark that are scored apart, and the tables of the parts as those of one run.

A part holds whole topics, since the summaries of a topic meet the same references and the same article.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from sera.errors import InputError, Path
from sera.io import tsv
from sera.io.files import lines, writing
from sera.io.records import Candidate
from sera.io.scores import SIGNATURE_COLUMNS

_AGAIN = "Delete it, and run again: it is made again."


class Shard(NamedTuple):
    """The part ``number``, from 1, of ``parts``: runs of items whose lengths differ by one at most."""

    number: int = 1
    parts: int = 1

    @classmethod
    def named(cls, name: str) -> Shard:
        """The shard that the wildcard of a job names.

        >>> Shard.named("2-of-3")
        Shard(number=2, parts=3)
        """
        number, _, parts = name.partition("-of-")
        return cls(int(number), int(parts))

    @property
    def name(self) -> str:
        return f"{self.number}-of-{self.parts}"

    def of(self, items: int) -> range:
        """The numbers of this part's items, from 0."""
        return range(items * (self.number - 1) // self.parts, items * self.number // self.parts)


class TopicShard:
    """The topics of a shard, in the order in which the candidates name them; all if it has no name."""

    def __init__(self, name: str | None, candidates: Iterable[Candidate]) -> None:
        topics = list(dict.fromkeys(each.topic for each in candidates))
        chosen = (Shard.named(name) if name else Shard()).of(len(topics))
        self.topics = frozenset(topics[chosen.start : chosen.stop])

    def of(self, records: Iterable[Any]) -> list[Any]:
        """The records of these topics, in their order."""
        return [each for each in records if each.topic in self.topics]


def gather_scores(path: Path, candidates: Iterable[Candidate], tables: Sequence[Path]) -> None:
    """Write the score tables of all shards as the one table of all candidates, in their order.

    Raises InputError for a table of another header, and for one that lacks a candidate or has others.
    """
    rows: dict[tuple[str, ...], list[str]] = {}
    header = ""
    for table in tables:
        found = (line for _, line in lines(table))
        first = next(found, "")
        header = header or first
        if first != header:
            problem = f"has the header {first!r}, not {header!r}"
            raise InputError(problem, path=table, line=1, remedy=_AGAIN)
        for row in found:
            rows.setdefault(tuple(row.split("\t", 2)[:2]), []).append(row)
    scored = bool(rows)  # there may be no metric
    with writing(path) as whole:
        whole.write(header + "\n")
        for each in candidates if scored else ():
            if (each.topic, each.system) not in rows:
                problem = f"the shards do not have the scores of {each.system} for {each.topic}"
                raise InputError(problem, path=tables[0], remedy=_AGAIN)
            whole.writelines(f"{row}\n" for row in rows.pop((each.topic, each.system)))
        for topic, system in rows:
            problem = f"the shards have scores of {system} for {topic}, which is not a candidate"
            raise InputError(problem, path=tables[0], remedy=_AGAIN)


def gather_signatures(path: Path, tables: Sequence[Path]) -> None:
    """Write the signatures of all shards as those of one run.

    A caution says what is known when a shard is scored, and that only grows: the longest is that of all.
    Raises InputError for shards that were scored by other metrics or settings.
    """
    parts = [tsv.read(table, SIGNATURE_COLUMNS).reset_index(drop=True) for table in tables]
    whole = parts[0]
    *fixed, caution = SIGNATURE_COLUMNS
    for table, part in zip(tables, parts, strict=True):
        if not part[fixed].equals(whole[fixed]):
            raise InputError(f"has other metrics than {tables[0]}", path=table, remedy=_AGAIN)
    cautions = [max(texts, key=len) for texts in zip(*(part[caution] for part in parts), strict=True)]
    tsv.write(path, whole.assign(**{caution: cautions}))
