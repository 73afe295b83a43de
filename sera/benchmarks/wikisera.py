"""Scores of TAC 2009's summaries, released with GeSERA (López Espejel et al. 2021), without the texts.

``SCORES_TAC2009.txt`` has a summary a line: ``<topic>.<system>``, people's Pyramid by four models and by
three, and recall, precision and F of seven variants of ROUGE. ``ordered_score_wiki_0-4840.txt`` has SERA at
cut-off 5 on Wikipedia, by each of four references and their mean. The release names neither the form of the
queries nor the number of documents.

TAC 2009 has two sets of the same 44 topics and 55 systems: A, and B, whose summaries are updates of those of
A. Each is a benchmark.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sera.benchmarks import release as parts
from sera.benchmarks.released_scores import ScoresAlone
from sera.errors import InputError
from sera.io import files
from sera.io.records import GivenScore, Judgement

ORIGIN = (
    "Get correlation/data_example of https://github.com/JessicaLopezEspejel/GeSERA: "
    "sera datasets get wikisera_tac2009."
)
_SCORES, _SERA = "SCORES_TAC2009.txt", "ordered_score_wiki_0-4840.txt"
_ROUGE = [f"ROUGE-{name}" for name in ("1", "2", "3", "4", "L", "W-1.2", "SU4")]
_METRICS = [f"{name}-{side}" for name in _ROUGE for side in "RPF"]
_LINE = re.compile(r"(D\d{4}-[AB])\.(\d+) (\S+) (\S+)((?: [RPF]:\S+){21})")
_SERA_LINE = re.compile(r"(D\d{4}-[AB])\.M\.100\.[A-H]\.(\d+)\t(?:\S+ ){4}(\S+)")


@dataclass(frozen=True)
class WikiSera(ScoresAlone):
    """The summaries of one set, ``A`` or ``B``."""

    name: str
    RELEASE = ("TAC 2009", 44)

    def inputs(self, release: str | Path) -> list[Path]:
        """Both files; InputError for one that is missing, or a link."""
        return sorted(parts.required(release, [_SCORES, _SERA], ORIGIN))

    def judged(self, release: str | Path) -> tuple[list[str], list[str]]:
        """The systems in order of their numbers, and the judgement."""
        return list(dict.fromkeys(system for (_, system), *_ in _rows(release))), ["pyramid"]

    def scores(self, release: str | Path) -> tuple[list[Judgement], list[GivenScore]]:
        """Those of the set; InputError with file and line for a line that is not as described."""
        rows = [row for row in _rows(release) if row[0][0].endswith(self.name)]
        return (
            [Judgement(*summary, "pyramid", pyramid) for summary, pyramid, _ in rows],
            [GivenScore(*summary, *score) for summary, _, scores in rows for score in scores.items()],
        )


def _rows(release: str | Path) -> Iterator[tuple[tuple[str, str], float, dict[str, float]]]:
    """The topic and the system of each summary, its Pyramid by four models, and its scores."""
    path, other = Path(release, _SCORES), Path(release, _SERA)
    both = [list(files.lines(path)), list(files.lines(other))]
    if len(both[0]) != len(both[1]):
        problem = f"has {len(both[1])} lines where {_SCORES} has {len(both[0])}"
        raise InputError(problem, path=other, remedy=ORIGIN)
    for (number, line), (_, second) in zip(*both, strict=True):
        match, sera = _LINE.fullmatch(line.strip()), _SERA_LINE.fullmatch(second.strip())
        if not match or not sera or match.group(1, 2) != sera.group(1, 2):
            wrong = path if not match else other
            raise InputError("has not the scores of a summary", path=wrong, line=number, remedy=ORIGIN)
        try:
            rouge = [float(each[2:]) for each in match[5].split()]
            scores = dict(zip(_METRICS, rouge, strict=True)) | {"SERA-5": float(sera[3])}
            yield (match[1], match[2]), float(match[3]), scores
        except ValueError as error:
            raise InputError(str(error), path=path, line=number, remedy=ORIGIN) from None


SET_A, SET_B = WikiSera("A"), WikiSera("B")
