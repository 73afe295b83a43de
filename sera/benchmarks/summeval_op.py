"""SummEval-OP (Siledar et al. 2024): summaries of the reviews of 32 products, judged by three people.

In ``annotated_dataset``, a line of ``summeval-op.jsonl`` has a product's eight reviews and thirteen summaries
with the means of the judges, rounded; the same line of ``summeval-op-detailed.jsonl`` has the three judges'
scores (1 to 5) of seven dimensions. The single scores are read, and the rounded means checked by them.

One of the thirteen is a person's summary (``human-summaries``). It is the reference here and no system, since
it cannot be scored against itself.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sera import files, names
from sera.benchmarks import Topic, plain_texts
from sera.benchmarks import release as parts
from sera.errors import Faults, InputError
from sera.records import Judgement

JUDGED = True
RELEASE = "SummEval-OP", 32
HUMAN_SYSTEM = "human-summaries"
OPINION_DIMENSIONS = {
    "Relevance": "re",
    "Aspect Coverage": "ac",
    "Faithfulness": "fa",
    "Sentiment Consistency": "sc",
    "Specificity": "sp",
    "Coherence": "co",
    "Fluency": "fl",
}
"""The judgements, each with its key in the detailed file."""
SUMMEVAL_OP_FROM = (
    "Get the folder annotated_dataset of https://github.com/tjsiledar/SummEval-OP: "
    "sera datasets get summeval_op."
)
_FOLDER = "annotated_dataset"
_FILES = ("summeval-op.jsonl", "summeval-op-detailed.jsonl")


def inputs(*, release: str | Path, pyramids: str | Path | None = None) -> list[Path]:
    """Both files; InputError names those that are missing."""
    folder = Path(release, _FOLDER)
    return sorted(parts.required(folder if folder.is_dir() else release, _FILES, SUMMEVAL_OP_FROM))


def collection(release: str | Path) -> Path | None:
    """None, since the benchmark has no documents but those of its topics."""
    return None


def judged(release: str | Path) -> tuple[list[str], list[str]]:
    """The systems in the order of the file, and the judgements; InputError as in `read`."""
    path, rows = _rows(release)[0]
    try:
        systems = [names.check("system", name, path=path) for name in rows[0]["summaries"]]
    except (KeyError, TypeError, IndexError):
        raise InputError("has no summaries", path=path, line=1, remedy=SUMMEVAL_OP_FROM) from None
    return [name for name in systems if name != HUMAN_SYSTEM], list(OPINION_DIMENSIONS)


def has_nuggets(release: str | Path) -> bool:
    """False: no content units are marked."""
    return False


def brings(release: str | Path) -> tuple[str, ...]:
    """The names of the judges."""
    return ("judges",)


def read(*, release: str | Path, pyramids: str | Path | None = None, cleaning: str = "full") -> list[Topic]:
    """The products in the files' order; a topic's id is its line, from 0, and its article the reviews.

    ``pyramids`` and ``cleaning`` have no effect. InputError as in `inputs`, and with file and line for lines
    that do not belong together: other texts, or judges whose mean is not the one beside it.
    """
    (_, whole), (path, detailed) = _rows(release)
    if len(whole) != len(detailed):
        raise InputError(
            f"has {len(detailed)} lines where {_FILES[0]} has {len(whole)}",
            path=path,
            remedy=SUMMEVAL_OP_FROM,
        )
    faults, topics = Faults(), []
    for number, (row, single) in enumerate(zip(whole, detailed, strict=True)):
        try:
            topics.append(_topic(str(number), row, single))
        except InputError as error:
            faults.append(InputError(error.problem, path=path, line=number + 1, remedy=SUMMEVAL_OP_FROM))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            problem = f"is no product of the release: {error!r}"[:160]
            faults.append(InputError(problem, path=path, line=number + 1, remedy=SUMMEVAL_OP_FROM))
    faults.raise_all()
    return topics


def _rows(release: str | Path) -> list[tuple[Path, list[Any]]]:
    """What `_FILES` hold, each with its path."""
    by_name = {path.name: path for path in inputs(release=release)}
    return [
        (
            path,
            [
                files.parse_json(line, path=path, line=number)
                for number, line in files.lines(path)
                if line.strip()
            ],
        )
        for path in map(by_name.__getitem__, _FILES)
    ]


def _topic(name: str, row: dict[str, Any], single: dict[str, Any]) -> Topic:
    systems = list(row["summaries"])
    texts = {system: row["summaries"][system]["summary"] for system in systems}
    if [*texts.values()] != single["summaries"] or [*row["reviews"].values()] != single["reviews"]:
        raise InputError(f"has other texts than {_FILES[0]}")
    judgements = []
    for place, system in enumerate(systems):
        for dimension, key in OPINION_DIMENSIONS.items():
            scores = [float(score) for score in single[key][place]]
            mean = row["summaries"][system]["dimensions"][dimension]
            if abs(sum(scores) / len(scores) - mean) > 0.006:  # the mean has two decimals
                raise InputError(f"has another mean of {dimension} of {system} than {_FILES[0]}")
            judgements += [
                Judgement(name, system, dimension, score, f"judge_{number}")
                for number, score in enumerate(scores, 1)
                if system != HUMAN_SYSTEM
            ]
    gold = {"human": texts.pop(HUMAN_SYSTEM)}
    return plain_texts.topic(name, row["reviews"].values(), gold, texts, judgements=judgements)
