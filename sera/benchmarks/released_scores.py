"""Scores of a study and its judgements, released without texts.

A release is a folder: ``scores.tsv.gz`` has the scores of the judged systems, ``judgements.tsv`` their
judgements.
``baselines.tsv.gz`` has the scores of further systems, which are shown and not correlated, by metrics and
by the judgements. ``signatures.tsv`` has the settings of the metrics, ``provenance.json`` the origin of all.
"""

from dataclasses import dataclass
from pathlib import Path

from sera.benchmarks import Benchmark, Topic, topics_of
from sera.benchmarks import release as parts
from sera.io.records import GivenScore, Judgement, Source
from sera.io.scores import JUDGEMENT_COLUMNS, SCORE_COLUMNS, read_judgements, read_scores

FILES = ("scores.tsv.gz", "judgements.tsv", "baselines.tsv.gz", "signatures.tsv", "provenance.json")
_REMEDY = "Name a folder that `python -m study publish released` wrote."


class ScoresAlone(Benchmark):
    """A benchmark without texts: its topics have judgements and given scores."""

    JUDGED = True
    HAS_TEXTS = False
    BRINGS = ("given",)

    def scores(self, release: str | Path) -> tuple[list[Judgement], list[GivenScore]]:
        """The judgements and the scores of a release; InputError for a fault of its files."""
        raise NotImplementedError

    def read(self, release: str | Path) -> list[Topic]:
        """The topics of the judgements in their order, without texts."""
        judgements, scores = self.scores(release)
        names = dict.fromkeys(each.topic for each in judgements)
        sources = [Source(name, name, "", ()) for name in names]
        return topics_of(sources, {}, references=(), judgements=judgements, given=scores)


@dataclass(frozen=True)
class ReleasedScores(ScoresAlone):
    """The scores of a study, in the form of this module; ``RELEASE`` as in `Benchmark`."""

    RELEASE: tuple[str, int]

    def inputs(self, release: str | Path) -> list[Path]:
        """The five files; InputError for one that is missing, or a link."""
        return sorted(parts.required(release, FILES, _REMEDY))

    def judged(self, release: str | Path) -> tuple[list[str], list[str]]:
        """The systems and the names of ``judgements.tsv``."""
        table = read_judgements(Path(release, "judgements.tsv"))
        return list(dict.fromkeys(table["system"])), list(dict.fromkeys(table["judgement"]))

    def scores(self, release: str | Path) -> tuple[list[Judgement], list[GivenScore]]:
        """Those of the judged systems and of the baselines."""
        table = read_judgements(Path(release, "judgements.tsv"))
        score_table, more = (
            read_scores(Path(release, name)) for name in ("scores.tsv.gz", "baselines.tsv.gz")
        )
        is_judgement = more["metric"].isin(set(table["judgement"]))
        judgements = [*table[JUDGEMENT_COLUMNS].to_numpy(), *more.loc[is_judgement, SCORE_COLUMNS].to_numpy()]
        given_rows = [
            *score_table[SCORE_COLUMNS].to_numpy(),
            *more.loc[~is_judgement, SCORE_COLUMNS].to_numpy(),
        ]
        return [Judgement(*row) for row in judgements], [GivenScore(*row) for row in given_rows]


TAC2014 = ReleasedScores(("TAC 2014 BiomedSumm", 20))
