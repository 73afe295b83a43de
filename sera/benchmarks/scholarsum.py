"""ScholarSum (Chen et al. 2024): summaries of arXiv and PubMed articles, judged facet by facet.

``arxiv.json`` and ``pubmed.json`` have one JSON object a line: the ``article``, its abstract (``human``), the
systems' summaries and, for each judged system, people's score ``<system>_human`` (0 to 1), its parts by facet
``<system>_human_list``, and scores by other metrics, which are taken as given. A system without a score by
people (``bartbase``) is left out. Each file is a benchmark, since the systems differ.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sera import files, names
from sera.benchmarks import Topic, plain_texts
from sera.benchmarks import release as parts
from sera.errors import Faults, InputError
from sera.records import GivenScore, Judgement

SCHOLARSUM_FROM = (
    "Get the folder dataset of https://github.com/iriscxy/ScholarSum: sera datasets get scholarsum."
)
_FACETS = ("background", "method", "result", "conclusion")
_JUDGEMENTS = ("facets", *(f"facet_{name}" for name in _FACETS))
_METRICS = {
    "bert": "BERTScore",
    "questeval": "QuestEval",
    "delta": "DELTA",
    "acu3": "LitePyramid",
    "newrouge1": "ROUGE-1",
    "newrouge2": "ROUGE-2",
    "newrougel": "ROUGE-L",
    "geval": "G-Eval",
    "gpt4": "GPT-4",
    "gpt4_fm": "FM-GPT-4",
    "gpt35_fm": "FM-GPT-3.5",
    "gpt4_wo": "gpt4_wo",
    "llama": "llama",
    "llama_base": "llama_base",
}
"""Metrics by the ending of their key; three keep it, since the release does not describe them."""


@dataclass(frozen=True)
class ScholarSum:
    """The part of the release in one file."""

    file: str
    RELEASE: tuple[str, int]
    JUDGED = True

    def inputs(self, *, release: str | Path, pyramids: str | Path | None = None) -> list[Path]:
        """The one file; InputError if it is missing, or a link."""
        return parts.required(release, [self.file], SCHOLARSUM_FROM)

    def collection(self, release: str | Path) -> Path | None:
        """None, since the benchmark has no documents but those of its topics."""
        return None

    def judged(self, release: str | Path) -> tuple[list[str], list[str]]:
        """The judged systems, in the order of the file, and the judgements; InputError as in `read`."""
        return self._systems(self._rows(release)), list(_JUDGEMENTS)

    def has_nuggets(self, release: str | Path) -> bool:
        """False: no content units are marked."""
        return False

    def brings(self, release: str | Path) -> tuple[str, ...]:
        """Scores by other metrics."""
        return ("given",)

    def read(
        self, *, release: str | Path, pyramids: str | Path | None = None, cleaning: str = "full"
    ) -> list[Topic]:
        """The articles in the file's order; a topic's id is its line, from 0.

        ``pyramids`` and ``cleaning`` have no effect. InputError as in `inputs`, and with file and line for an
        article that lacks a text or a score of a system that is judged in the first line.
        """
        rows = self._rows(release)
        systems = self._systems(rows)
        path = Path(release, self.file)
        faults, topics = Faults(), []
        for number, row in enumerate(rows):
            try:
                topics.append(_topic(str(number), row, systems))
            except (KeyError, TypeError, ValueError) as error:
                problem = f"has no usable {str(error)[:80]}"
                faults.append(InputError(problem, path=path, line=number + 1, remedy=SCHOLARSUM_FROM))
        faults.raise_all()
        return topics

    def _rows(self, release: str | Path) -> list[dict[str, Any]]:
        (path,) = self.inputs(release=release)
        rows = [files.parse_json(line, path=path, line=number) for number, line in files.lines(path) if line]
        if not rows or not all(isinstance(row, dict) for row in rows) or not self._systems(rows):
            raise InputError("has no judged summary", path=path, remedy=SCHOLARSUM_FROM)
        return rows

    def _systems(self, rows: list[dict[str, Any]]) -> list[str]:
        """The systems of the first article with a summary and a score by people."""
        judged = [key.removesuffix("_human") for key in rows[0] if key.endswith("_human")]
        return [names.check("system", name) for name in judged if name in rows[0]]


def _topic(name: str, row: Mapping[str, Any], systems: list[str]) -> Topic:
    judgements, given = [], []
    for system in systems:
        scores = [row[f"{system}_human"], *row[f"{system}_human_list"]]
        judgements += [
            Judgement(name, system, judgement, float(score))
            for judgement, score in zip(_JUDGEMENTS, scores, strict=True)
        ]
        given += [
            GivenScore(name, system, metric, float(row[f"{system}_{ending}"]))
            for ending, metric in _METRICS.items()
            if f"{system}_{ending}" in row
        ]
    texts = {key: str(row[key]) for key in ("article", "human", *systems)}
    return plain_texts.topic(
        name,
        [texts["article"]],
        {"author": texts["human"]},
        {system: texts[system] for system in systems},
        judgements=judgements,
        given=given,
    )


ARXIV = ScholarSum("arxiv.json", ("ScholarSum, arXiv", 50))
PUBMED = ScholarSum("pubmed.json", ("ScholarSum, PubMed", 50))
