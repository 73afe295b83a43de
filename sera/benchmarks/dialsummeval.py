"""DialSummEval (Gao & Wan 2022): summaries of 100 dialogues by 13 systems, judged by three people.

``annotation_campus/human_judgment.jsonl`` has a dialogue, a summary and the scores of three judges (1 to 5) a
line. ``reproduce/analysis/models_eval_new/<system>/metrics.csv`` has the scores of other metrics, a row a
dialogue in the order of ``dials.txt`` beside it, which is not the order of the judgements.

System A is the reference of SAMSum itself. It is the reference here and no system, since every metric that
reads the reference gives it the highest score.
"""

from pathlib import Path

from sera.benchmarks import Topic, turned
from sera.benchmarks import release as parts
from sera.benchmarks.released_metrics import falling_metrics, read_number, released_metrics
from sera.errors import InputError
from sera.io import files
from sera.io.fields import Fields, Once, read_objects, read_rows
from sera.io.records import GivenScore, Judgement

JUDGED = True
BRINGS = "judges", "given"
RELEASE = "DialSummEval", 100
DIMENSIONS = ("relevance", "coherence", "consistency", "fluency")
REFERENCE = "A"
ORIGIN = "Get https://github.com/kite99520/DialSummEval: sera datasets get dialsummeval."
_JUDGEMENTS = "annotation_campus/human_judgment.jsonl"
_SCORES = "reproduce/analysis/models_eval_new"


def inputs(release: str | Path) -> list[Path]:
    """All files that `read` reads, sorted; InputError for one that is missing, or a link."""
    scores = [f"{_SCORES}/{system}/metrics.csv" for system in judged(release)[0]]
    return sorted(parts.required(release, [_JUDGEMENTS, f"{_SCORES}/dials.txt", *scores], ORIGIN))


def judged(release: str | Path) -> tuple[list[str], list[str]]:
    """The judged systems in order of name, without the reference, and the judgements."""
    systems = {system for rows in _records(release).values() for system in rows}
    return sorted(systems - {REFERENCE}), list(DIMENSIONS)


def read(release: str | Path) -> list[Topic]:
    """The dialogues in the order of the judgements.

    InputError as in `inputs`, and with file and line for a dialogue without the reference or without a
    system's summary, and for scores of other dialogues.
    """
    inputs(release=release)
    records, (systems, _) = _records(release), judged(release)
    scores = _read_scores(Path(release, _SCORES), systems, records)
    return [_topic(name, rows, systems, scores[name]) for name, rows in records.items()]


def _records(release: str | Path) -> dict[str, dict[str, Fields]]:
    (path,) = parts.required(release, [_JUDGEMENTS], ORIGIN)
    records: dict[str, dict[str, Fields]] = {}
    once = Once()
    for row in read_objects(path, ORIGIN):
        name, system = row.text("id", "topic"), row.text("model_id", "system")
        once.check((name, system), row, f"summary of {name} by {system}")
        records.setdefault(name, {})[system] = row
    return records


def _topic(name: str, rows: dict[str, Fields], systems: list[str], scores: list[GivenScore]) -> Topic:
    first = next(iter(rows.values()))
    if absent := [system for system in (REFERENCE, *systems) if system not in rows]:
        raise first.fault(f"is of a dialogue without a summary by {absent[0]}")
    return parts.topic(
        name,
        [first.text("dialogue")],
        {"samsum": rows[REFERENCE].text("summary")},
        {system: rows[system].text("summary") for system in systems},
        judgements=[
            Judgement(name, system, dimension, judge.number(dimension), f"judge_{number}")
            for system in systems
            for number, judge in enumerate(rows[system].nested_list("annotations"), 1)
            for dimension in DIMENSIONS
        ],
        given=scores,
    )


def _read_scores(
    folder: Path, systems: list[str], records: dict[str, dict[str, Fields]]
) -> dict[str, list[GivenScore]]:
    """The released scores by dialogue, turned so that higher is better."""
    names_by_text = {next(iter(rows.values())).text("dialogue"): name for name, rows in records.items()}
    order = []
    for line, text in files.lines(folder / "dials.txt"):
        if text not in names_by_text:
            raise InputError("is no judged dialogue", path=folder / "dials.txt", line=line, remedy=ORIGIN)
        order.append(names_by_text[text])
    metrics, scores = released_metrics("dialsummeval"), []
    for system in systems:
        path = folder / system / "metrics.csv"
        score_rows = list(read_rows(path, [each.field for each in metrics], ORIGIN))
        if len(score_rows) != len(order):
            raise InputError(f"has {len(score_rows)} rows, not {len(order)}", path=path, remedy=ORIGIN)
        scores += [
            GivenScore(name, system, each.metric, read_number(row, each.field))
            for name, row in zip(order, score_rows, strict=True)
            for each in metrics
        ]
    scores_by_dialogue: dict[str, list[GivenScore]] = {name: [] for name in records}
    for one in turned(scores, falling_metrics("dialsummeval")):
        scores_by_dialogue[one.topic].append(one)
    return scores_by_dialogue
