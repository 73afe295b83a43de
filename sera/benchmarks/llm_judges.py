"""Language models as judges of SummEval (Shen et al. 2023): answers as text, and the scores in them.

A file ``<model>/eval_<system>_generations/<dimension>_<prompt>.txt`` has a summary's answer a line. Some
answers were asked for twice: their mean counts.
"""

import logging
import math
import re
from collections.abc import Iterator
from pathlib import Path

from sera.benchmarks import release as parts
from sera.benchmarks.released_metrics import released_metrics
from sera.io.fields import read_objects
from sera.io.records import GivenScore

log = logging.getLogger(__name__)

JUDGED_SYSTEMS = tuple(f"M{number}" for number in (8, 9, 10, 11, 12, 13, 14, 15, 17, 20, 22, 23))
_FOLDER = "summeval_llm_judges/eval_model_generations"
_WORDS = {"one": 1.0, "two": 2.0, "three": 3.0, "four": 4.0, "five": 5.0}
_NUMBER = rf"([1-5](?:\.\d+)?|{'|'.join(_WORDS)})"
_CHOICE = re.compile(r"\W*([A-E])\b")
_STARS = re.compile(rf"\b{_NUMBER}[- ]stars?\b", re.I)
_PHRASES = (
    re.compile(rf"\b{_NUMBER}\s*(?:/|out of)\s*(?:5|five)\b", re.I),
    re.compile(
        rf"\b(?:scor|rat)(?:e|es|ed|ing)\b[^\d.!?\n]{{0,60}}?\b{_NUMBER}\b(?!\s*(?:-|to)\s*[1-5])", re.I
    ),
    _STARS,
    re.compile(rf"\b(?:give|making) it an? (?:perfect )?{_NUMBER}\b", re.I),
    re.compile(r"\(?\b([1-5](?:\.\d+)?)\b\W*$"),
)


def read_score(answer: str, prompt: str) -> float:
    """The score in an answer, 1 to 5; NaN if it has none.

    ``prompt`` is the ending of a file's name. An answer to a multiple choice (``mcq``) begins with its
    letter, E for 5. In other answers the last number counts that stands before "out of 5" or "/5", after
    "score" or "rate", before "stars", after "give it a", or at the end, in this order of precedence.

    >>> read_score("It misses the goal. Score: 4/5.", "rts"), read_score("D", "altmcq")
    (4.0, 4.0)
    """
    if prompt.endswith("mcq"):
        letter = _CHOICE.match(answer)
        return "ABCDE".index(letter[1]) + 1.0 if letter else math.nan
    phrases = (_STARS, *_PHRASES) if prompt == "stareval" else _PHRASES
    for phrase in phrases:
        if matches := phrase.findall(answer):
            return _WORDS.get(matches[-1].lower()) or float(matches[-1])
    return math.nan


def answer_files(release: str | Path, remedy: str) -> list[Path]:
    """The files of answers; InputError for one that is missing, or a link."""
    files = [
        _file(metric.field, system) for metric in released_metrics("summeval") for system in JUDGED_SYSTEMS
    ]
    return parts.required(release, files, remedy)


def read_answers(release: str | Path, remedy: str) -> Iterator[GivenScore]:
    """The judges' scores of each summary; a log has how many answers have none, which are NaN."""
    answer_files(release, remedy)
    for metric in released_metrics("summeval"):
        prompt, absent, total = metric.field.rpartition("_")[2], 0, 0
        for system in JUDGED_SYSTEMS:
            answers: dict[str, list[float]] = {}
            for row in read_objects(Path(release, _file(metric.field, system)), remedy):
                answers.setdefault(row.text("id"), []).append(read_score(row.text("resp"), prompt))
            for topic, scores in answers.items():
                score = math.fsum(scores) / len(scores)
                total, absent = total + 1, absent + math.isnan(score)
                yield GivenScore(topic, system, metric.metric, score)
        if absent:
            log.warning("%s: %d of %d answers have no score", metric.metric, absent, total)


def _file(field: str, system: str) -> str:
    model, name = field.split("/")
    return f"{_FOLDER}/{model}/eval_{system}_generations/{name}.txt"
