"""DialSummEval (Gao & Wan 2022): summaries of 100 dialogues by 13 systems, judged by three people.

``annotation_campus/human_judgment.jsonl`` has a dialogue, a summary and the scores of three judges (1 to 5) a
line. ``reproduce/analysis/models_eval_new/<system>/metrics.csv`` has the scores of other metrics, a row a
dialogue in the order of ``dials.txt`` beside it, which is not the order of the judgements.

System A is the reference of SAMSum itself. It is the reference here and no system, since every metric that
reads the reference gives it the highest score.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

from sera.benchmarks import Topic, reverse_scores
from sera.benchmarks import release as parts
from sera.benchmarks.judged_releases import JudgedRelease, Records, Score
from sera.benchmarks.released_metrics import lower_is_better, released_metrics
from sera.errors import InputError
from sera.io import files
from sera.io.fields import Fields, Once, read_objects, read_rows
from sera.io.records import GivenScore, Judgement

_SCORES = "reproduce/analysis/models_eval_new"


class DialSummEval(JudgedRelease):
    """A record has the line of each system's summary of a dialogue, by the system's name."""

    BRINGS = "judges", "given"

    def inputs(self, release: str | Path) -> list[Path]:
        scores = [f"{_SCORES}/{system}/metrics.csv" for system in self.judged(release)[0]]
        return sorted(parts.required(release, [*self.files, *scores], self.origin))

    def records_of(self, path: Path) -> dict[str, Fields]:
        """The lines of each dialogue."""
        records: dict[str, Fields] = {}
        once = Once()
        for row in read_objects(path, self.origin):
            name, system = row.text("id", "topic"), row.text("model_id", "system")
            once.check((name, system), row, f"summary of {name} by {system}")
            records.setdefault(name, Fields({}, path, row.line, remedy=self.origin)).values[system] = row
        return records

    def systems(self, records: Records) -> list[str]:
        return sorted({system for record in records.values() for system in self.systems_of(record)})

    def topic(self, name: str, record: Fields, systems: list[str]) -> Topic:
        """The topic of a dialogue; InputError if it lacks the reference or a system's summary."""
        if absent := [system for system in ("A", *systems) if system not in record]:
            raise record.fault(f"is of a dialogue without a summary by {absent[0]}")
        return super().topic(name, record, systems)

    def scores_of(self, topic: str, system: str, record: Fields) -> Iterator[Judgement]:
        return self.by_judges(topic, system, record.nested(system).items("annotations", Fields))

    def joined(self, release: Path, records: Records) -> Iterable[Score]:
        """The released scores, reversed so that higher is better; InputError for those of other dialogues."""
        folder = Path(release, _SCORES)
        names_by_text = {record.nested("A").text("dialogue"): name for name, record in records.items()}
        order = []
        for line, text in files.lines(folder / "dials.txt"):
            if text not in names_by_text:
                problem = "is no judged dialogue"
                raise InputError(problem, path=folder / "dials.txt", line=line, remedy=self.origin)
            order.append(names_by_text[text])
        metrics, scores = released_metrics("dialsummeval"), []
        for system in self.systems(records):
            path = folder / system / "metrics.csv"
            rows = list(read_rows(path, [metric.field for metric in metrics], self.origin))
            if len(rows) != len(order):
                raise InputError(f"has {len(rows)} rows, not {len(order)}", path=path, remedy=self.origin)
            scores += [
                GivenScore(name, system, metric.metric, row.cell_number(metric.field))
                for name, row in zip(order, rows, strict=True)
                for metric in metrics
            ]
        return reverse_scores(scores, lower_is_better("dialsummeval"))


DIALSUMMEVAL = DialSummEval(
    RELEASE=("DialSummEval", 100),
    origin="Get https://github.com/kite99520/DialSummEval: sera datasets get dialsummeval.",
    files=("annotation_campus/human_judgment.jsonl", f"{_SCORES}/dials.txt"),
    dimensions=("relevance", "coherence", "consistency", "fluency"),
    article="A/dialogue",
    references={"samsum": "A/summary"},
    summary="*/summary",
)
