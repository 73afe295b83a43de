"""Releases of scores and judgements without texts: our own of TAC 2014, and those of TAC 2009.

Ours is a folder: ``scores.tsv.gz`` has the scores of the judged systems, ``judgements.tsv`` their judgements.
``baselines.tsv.gz`` has the scores of further systems, which are shown and not correlated, by metrics and
by the judgements. ``signatures.tsv`` has the settings of the metrics, ``provenance.json`` the origin of all.

Those of TAC 2009's summaries were released with GeSERA (López Espejel et al. 2021). ``SCORES_TAC2009.txt``
has a summary a line: ``<topic>.<system>``, people's Pyramid by four models and by three, and recall,
precision and F of seven variants of ROUGE. ``ordered_score_wiki_0-4840.txt`` has SERA at cut-off 5 on
Wikipedia, by each of four references and their mean. The release names neither the form of the queries nor
the number of documents. TAC 2009 has two sets of the same 44 topics and 55 systems: A, and B, whose summaries
are updates of those of A. Each is a benchmark.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sera.benchmarks import Benchmark, Topic, topics_of
from sera.benchmarks import release as parts
from sera.errors import InputError
from sera.io import files
from sera.io.records import GivenScore, Judgement, Source
from sera.io.scores import JUDGEMENT_COLUMNS, SCORE_COLUMNS, read_judgements, read_scores


@dataclass(frozen=True, kw_only=True)
class ScoresAlone(Benchmark):
    """A benchmark without texts, which `scores` reads from ``files``; ``origin`` says where to get them."""

    RELEASE: tuple[str, int] | None
    files: tuple[str, ...]
    origin: str
    JUDGED = True
    HAS_TEXTS = False
    BRINGS = ("given",)

    def inputs(self, release: str | Path) -> list[Path]:
        return sorted(parts.required(release, self.files, self.origin))

    def read(self, release: str | Path) -> list[Topic]:
        """The topics of the judgements in their order, without texts."""
        judgements, scores = self.scores(release)
        topics = dict.fromkeys(judgement.topic for judgement in judgements)
        sources = [Source(topic, topic, "", ()) for topic in topics]
        return topics_of(sources, judgements, scores, documents={})

    def scores(self, release: str | Path) -> tuple[list[Judgement], list[GivenScore]]:
        """The judgements and the scores of a release; InputError for a fault of its files."""
        raise NotImplementedError


class ReleasedScores(ScoresAlone):
    """The scores of a study."""

    def judged(self, release: str | Path) -> tuple[list[str], list[str]]:
        table = read_judgements(Path(release, "judgements.tsv"))
        return list(table["system"].unique()), list(table["judgement"].unique())

    def scores(self, release: str | Path) -> tuple[list[Judgement], list[GivenScore]]:
        table = read_judgements(Path(release, "judgements.tsv"))[JUDGEMENT_COLUMNS]
        scores, more = (
            read_scores(Path(release, name))[SCORE_COLUMNS] for name in ("scores.tsv.gz", "baselines.tsv.gz")
        )
        is_judgement = more["metric"].isin(set(table["judgement"]))
        return (
            [Judgement(*row) for part in (table, more[is_judgement]) for row in part.to_numpy()],
            [GivenScore(*row) for part in (scores, more[~is_judgement]) for row in part.to_numpy()],
        )


_SCORES, _SERA = "SCORES_TAC2009.txt", "ordered_score_wiki_0-4840.txt"
_METRICS = [f"ROUGE-{name}-{side}" for name in ("1", "2", "3", "4", "L", "W-1.2", "SU4") for side in "RPF"]
_LINE = re.compile(r"(D\d{4}-[AB])\.(\d+) (\S+) (\S+)((?: [RPF]:\S+){21})")
_SERA_LINE = re.compile(r"(D\d{4}-[AB])\.M\.100\.[A-H]\.(\d+)\t(?:\S+ ){4}(\S+)")


@dataclass(frozen=True, kw_only=True)
class WikiSera(ScoresAlone):
    """The summaries of one set of TAC 2009, ``A`` or ``B``."""

    set_name: str

    def judged(self, release: str | Path) -> tuple[list[str], list[str]]:
        return list(dict.fromkeys(system for (_, system), *_ in self._rows(release))), ["pyramid"]

    def scores(self, release: str | Path) -> tuple[list[Judgement], list[GivenScore]]:
        rows = [row for row in self._rows(release) if row[0][0].endswith(self.set_name)]
        return (
            [Judgement(*summary, "pyramid", pyramid) for summary, pyramid, _ in rows],
            [GivenScore(*summary, *score) for summary, _, scores in rows for score in scores.items()],
        )

    def _rows(self, release: str | Path) -> Iterator[tuple[tuple[str, str], float, dict[str, float]]]:
        """The topic and the system of each summary, its Pyramid by four models, and its scores."""
        path, other = Path(release, _SCORES), Path(release, _SERA)
        both = [list(files.lines(path)), list(files.lines(other))]
        if len(both[0]) != len(both[1]):
            problem = f"has {len(both[1])} lines where {_SCORES} has {len(both[0])}"
            raise InputError(problem, path=other, remedy=self.origin)
        for (number, line), (_, second) in zip(*both, strict=True):
            match, sera = _LINE.fullmatch(line.strip()), _SERA_LINE.fullmatch(second.strip())
            if not match or not sera or match.group(1, 2) != sera.group(1, 2):
                wrong = path if not match else other
                problem = "has not the scores of a summary"
                raise InputError(problem, path=wrong, line=number, remedy=self.origin)
            try:
                rouge = [float(cell[2:]) for cell in match[5].split()]
                scores = dict(zip(_METRICS, rouge, strict=True)) | {"SERA-5": float(sera[3])}
                yield (match[1], match[2]), float(match[3]), scores
            except ValueError as error:
                raise InputError(str(error), path=path, line=number, remedy=self.origin) from None


TAC2014 = ReleasedScores(
    RELEASE=("TAC 2014 BiomedSumm", 20),
    files=("scores.tsv.gz", "judgements.tsv", "baselines.tsv.gz", "signatures.tsv", "provenance.json"),
    origin="Name a folder that `python -m study publish released` wrote.",
)
TAC2009, TAC2009_B = (
    WikiSera(
        RELEASE=("TAC 2009", 44),
        files=(_SCORES, _SERA),
        origin="Get correlation/data_example of https://github.com/JessicaLopezEspejel/GeSERA: "
        "sera datasets get wikisera_tac2009.",
        set_name=name,
    )
    for name in "AB"
)
