"""ROUGE: equal to ROUGE-1.5.5 wherever its answer is recorded."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest
from conftest import RECORDED, rows

from sera.io.records import Candidate, Reference, read
from sera.metrics.rouge.bootstrap_155 import average_of
from sera.metrics.rouge.measures import Rouge
from sera.metrics.rouge.preparation import exceptions, stem
from sera.resources import lines

CONFIGURATIONS = {
    "case": {},
    "stem": {"stem": True},
    "stop": {"stop": True},
    "stem_stop": {"stem": True, "stop": True},
    "stem_best": {"stem": True, "multi": "best"},
    "stem_len100": {"stem": True, "words": 100},
    "stem_bytes665": {"stem": True, "bytes": 665},
}

TEXTS = {  # what they are, how many candidates they have, and how many systems
    "pages": ("sentences of this documentation", 40, 8),
    "tac": ("summaries of TAC 2014", 170, 22),
    "realsumm": ("summaries of REALSumm", 1000, 25),
    "realsumm_slice": ("summaries of four topics of REALSumm", 100, 25),
}
RUNS = [
    (texts, name)
    for texts in TEXTS
    for name in (CONFIGURATIONS if texts in ("pages", "tac") else list(CONFIGURATIONS)[:5])
]


@pytest.fixture(scope="session")
def program(shared: Path) -> Path:
    return shared / "oracles" / "rouge155"


@pytest.fixture
def oracle(texts: str, request) -> Path:
    """The folder of what was recorded on these texts; `pages` and `realsumm_slice` come with the project."""
    if texts in ("pages", "realsumm_slice"):
        return RECORDED / "rouge155"
    return request.getfixturevalue("program")


def cells(path: Path) -> list[list[str]]:
    return [row.split("\t") for row in rows(path)[1:]]


@pytest.mark.parametrize(("texts", "configuration"), RUNS)
def test_every_recorded_score_is_met_to_the_last_digit(oracle, texts, configuration, fidelity) -> None:
    references = defaultdict(list)
    for reference in read(oracle / f"{texts}_references.jsonl", Reference):
        references[reference.topic].append(reference)
    recorded = defaultdict(dict)
    for topic, system, measure, *values in cells(oracle / f"{texts}_scores_{configuration}.tsv"):
        for part, value in zip("PRF", values):
            recorded[topic, system][f"{measure.replace('*', '')}-{part}"] = value

    candidates = read(oracle / f"{texts}_candidates.jsonl", Candidate)
    wrong, compared = [], 0
    for candidate in candidates:
        others = [r for r in references[candidate.topic] if r.annotator != candidate.annotator]
        expected = recorded.pop((candidate.topic, candidate.system))
        metrics = [Rouge.parse(name, **CONFIGURATIONS[configuration]) for name in expected]
        scores = Rouge.score_together(metrics, candidate, others)
        compared += len(scores)
        for (name, value), score in zip(expected.items(), scores, strict=True):
            if f"{score:.5f}" != value or score != float(value):
                wrong.append((candidate.topic, candidate.system, name, value, score))
    on, count, _ = TEXTS[texts]
    assert len(candidates) == count
    assert not recorded and not wrong
    fidelity("metric `ROUGE`: scores", on, compared, "ROUGE-1.5.5", "to the last digit printed")


def test_every_recorded_stem_is_met(program, fidelity) -> None:
    recorded = cells(program / "stems.tsv")
    assert len(recorded) == 44143
    assert [(token, stem(token)) for token, _ in recorded] == [tuple(row) for row in recorded]
    fidelity("metric `ROUGE`: stems", "words of both", len(recorded), "ROUGE-1.5.5", "equal")


@pytest.mark.parametrize(
    ("texts", "configuration"), [run for run in RUNS if run[0] != "realsumm_slice"]
)  # the program recorded the averages of all topics of REALSumm together
def test_every_recorded_average_and_interval_is_met(oracle, texts, configuration, fidelity) -> None:
    scores = defaultdict(lambda: defaultdict(list))
    for topic, system, _, *values in cells(oracle / f"{texts}_scores_{configuration}.tsv"):
        annotator = system.removeprefix("human_") if system.startswith("human_") else None
        evaluation = f"{topic}-h{annotator}" if annotator else topic
        scores[system][evaluation] += map(float, values)
    recorded = defaultdict(list)
    for system, _, _, *values in cells(oracle / f"{texts}_system_averages_{configuration}.tsv"):
        recorded[system].append([float(value) for value in values])
    on, _, systems = TEXTS[texts]
    assert len(recorded) == systems
    for system, expected in recorded.items():
        by_measure = [dict(zip(scores[system], values)) for values in zip(*scores[system].values())]
        assert [average_of(of, system) for of in by_measure] == expected
    subject = "metric `ROUGE`: averages and intervals"
    original = "ROUGE-1.5.5"
    agreement = "to the last digit printed"
    fidelity(subject, on, sum(len(row) for rows in recorded.values() for row in rows), original, agreement)


def test_word_lists_are_those_of_the_program(program) -> None:
    assert lines("smart_stop_words.txt") == (program / "smart_stop_words.txt").read_text().splitlines()
    assert exceptions() == dict(cells(program / "wordnet20_exceptions.tsv"))
