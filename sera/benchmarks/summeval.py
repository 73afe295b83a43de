"""SummEval (Fabbri et al. 2021) and Newsroom's judgements (Grusky et al. 2018), as released with BARTScore.

``data.pkl`` has for each article its text (``src``), one or more references (``ref_summs`` or ``ref_summ``)
and each system's summary with the means of its judges' scores. It is read as plain data: nothing is run.

SummEval's single judges come with the outputs of twelve of its systems, in files
``<system>_outputs_annotations.jsonl`` in the folder itself or in a folder in it (`JUDGES_IN`): three experts,
whose mean is the released score, and five crowd workers, whose scores are judgements of their own
(``relevance_crowd``). A judge is named by its place in the row (``expert_1``), and the release does not say
that the same place is the same person.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sera import files, names
from sera.benchmarks import Topic, plain_texts
from sera.benchmarks import release as parts
from sera.benchmarks.plain_pickle import read_plain
from sera.errors import Faults, InputError
from sera.records import Judgement

JUDGES_IN = ("", "summeval_judges", "model_output_annotations")
CROWD = "_crowd"
_ENDING = "_outputs_annotations.jsonl"
_LISTS = {"expert_annotations": ("expert", ""), "turker_annotations": ("crowd", CROWD)}
# Brackets are written as -lrb- and -rrb- in one of the releases.
_BRACKETS = re.compile(r"-[lr][rsc]b-")
_NO_WORDS = re.compile(r"[\W_]+")


@dataclass(frozen=True)
class JudgedPickle:
    """A benchmark in one ``data.pkl``.

    RELEASE:     its title and number of topics
    dimensions:  its judgements, the foremost one first
    origin:      where to get it
    judges:      whether files of single judges may be there
    """

    RELEASE: tuple[str, int]
    dimensions: tuple[str, ...]
    origin: str
    judges: bool = False
    JUDGED = True

    def inputs(self, *, release: str | Path, pyramids: str | Path | None = None) -> list[Path]:
        """``data.pkl`` and the files of judges, sorted; InputError if the first is missing, or for a link."""
        return sorted(
            map(
                parts.check_file,
                [*parts.required(release, ["data.pkl"], self.origin), *self._outputs(release)],
            )
        )

    def collection(self, release: str | Path) -> Path | None:
        """None, since the benchmark has no documents but those of its topics."""
        return None

    def judged(self, release: str | Path) -> tuple[list[str], list[str]]:
        """The systems in order of name, and the judgements; InputError for a file of another form."""
        self.inputs(release=release)
        systems = sorted({system for _, of in self._content(release) for system in of["sys_summs"]})
        crowd = [f"{name}{CROWD}" for name in self.dimensions] if self._outputs(release) else []
        return systems, [*self.dimensions, *crowd]

    def has_nuggets(self, release: str | Path) -> bool:
        """False: no content units are marked."""
        return False

    def brings(self, release: str | Path) -> tuple[str, ...]:
        """The names of the judges, where the files of single judges are there."""
        return ("judges",) if self._outputs(release) else ()

    def read(
        self, *, release: str | Path, pyramids: str | Path | None = None, cleaning: str = "full"
    ) -> list[Topic]:
        """The topics in the file's order; ``pyramids`` and ``cleaning`` have no effect.

        InputError for a file of another form, for a judged text that is not the summary of ``data.pkl``, and
        for judges whose mean is not the released score.
        """
        self.inputs(release=release)
        path = Path(release, "data.pkl")
        faults = Faults()
        found = [faults.checked(self._topic, path, *item) for item in self._content(release)]
        faults.raise_all()
        topics = {topic.id: topic for topic in found if topic}
        single: dict[str, list[Judgement]] = {}
        for file in self._outputs(release):
            for judgement in faults.checked(self._judges, file, topics) or ():
                single.setdefault(judgement.topic, []).append(judgement)
        faults.raise_all()
        return [
            Topic(**{**vars(topic), "judgements": (*topic.judgements, *single.get(topic.id, ()))})
            for topic in topics.values()
        ]

    def _content(self, release: str | Path) -> list[tuple[str, dict[str, Any]]]:
        """What the file holds of each topic, whose form is checked down to the systems' names."""
        path = Path(release, "data.pkl")
        content = read_plain(path)
        if not isinstance(content, dict) or not content:
            raise self._wrong(path, "is no dictionary of topics")
        for name, of in content.items():
            names.check("topic", str(name), path=path)
            if not isinstance(of, dict) or not isinstance(of.get("sys_summs"), dict) or not of["sys_summs"]:
                raise self._wrong(path, f"has no sys_summs for topic {name}")
            for system in of["sys_summs"]:
                names.check("system", str(system), path=path)
        return [(str(name), of) for name, of in content.items()]

    def _topic(self, path: Path, name: str, of: Any) -> Topic:
        summaries, judgements = {}, []
        try:
            references = of.get("ref_summs") or [of["ref_summ"]]
            texts = [of["src"], *references]
            for system, one in of["sys_summs"].items():
                summaries[str(system)] = one["sys_summ"]
                judgements += [
                    Judgement(name, str(system), each, float(one["scores"][each])) for each in self.dimensions
                ]
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise self._wrong(path, f"has no {error} for topic {name}") from None
        if not all(isinstance(each, str) for each in [*texts, *summaries.values()]):
            raise self._wrong(path, f"has a text that is none for topic {name}")
        named = {f"ref_{number}": text for number, text in enumerate(references, 1)}
        return plain_texts.topic(name, [of["src"]], named, summaries, judgements=judgements)

    def _outputs(self, release: str | Path) -> list[Path]:
        """The files of single judges, in the first folder that has some."""
        for folder in (Path(release, name) for name in JUDGES_IN if self.judges):
            if folder.is_dir() and (
                found := [path for path in parts.entries(folder) if path.name.endswith(_ENDING)]
            ):
                return found
        return []

    def _judges(self, path: Path, topics: Mapping[str, Topic]) -> list[Judgement]:
        found: list[Judgement] = []
        for line, row in _rows(path):
            try:
                system = path.name.removesuffix(_ENDING)
                topic = topics[row["id"]]
                summary = next(each for each in topic.candidates if each.system == system)
                if _words(" ".join(summary.sentences)) != _words(row["decoded"]):
                    raise self._wrong(path, f"has another summary of {topic.id} than data.pkl", line)
                released = {each.judgement: each.score for each in topic.judgements if each.system == system}
                for key, (kind, ending) in _LISTS.items():
                    found += self._of_judges(topic.id, system, row[key], kind, ending)
                for name, score in released.items():
                    experts = [float(each[name]) for each in row["expert_annotations"]]
                    if abs(sum(experts) / len(experts) - score) > 1e-6:
                        raise self._wrong(
                            path, f"has another mean of {name} of {topic.id} than data.pkl", line
                        )
            except InputError:
                raise
            except (KeyError, TypeError, ValueError, StopIteration, ZeroDivisionError) as error:
                raise self._wrong(path, f"is no judged summary of data.pkl: {error!r}"[:200], line) from None
        return found

    def _of_judges(
        self, topic: str, system: str, scores: list[dict[str, float]], kind: str, ending: str
    ) -> Iterator[Judgement]:
        for number, one in enumerate(scores, 1):
            for name in self.dimensions:
                yield Judgement(topic, system, f"{name}{ending}", float(one[name]), f"{kind}_{number}")

    def _wrong(self, path: Path, problem: str, line: int | None = None) -> InputError:
        return InputError(problem, path=path, line=line, remedy=self.origin)


def _rows(path: Path) -> Iterator[tuple[int, Any]]:
    for number, line in files.lines(path):
        if line.strip():
            yield number, files.parse_json(line, path=path, line=number)


def _words(text: str) -> str:
    """The letters and digits of a text, in small letters: two releases tokenise it differently."""
    return _NO_WORDS.sub("", _BRACKETS.sub("", text.lower()))


SUMMEVAL = JudgedPickle(
    ("SummEval", 100),
    ("relevance", "coherence", "consistency", "fluency"),
    "Get SUM/SummEval/data.pkl of https://github.com/neulab/BARTScore: sera datasets get summeval.",
    judges=True,
)
NEWSROOM = JudgedPickle(
    ("Newsroom's judged articles", 60),
    ("informativeness", "relevance", "coherence", "fluency"),
    "Get SUM/Newsroom/data.pkl of https://github.com/neulab/BARTScore.",
)
