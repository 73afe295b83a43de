"""SummEval, Newsroom, ScholarSum and SummEval-OP: releases of judged summaries that are read alike.

Each has a record of fields for every article. A class says where in a record the texts and the scores of a
system are, and `JudgedRelease` makes topics of them.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

from sera import names
from sera.benchmarks import Benchmark, Topic
from sera.benchmarks import release as parts
from sera.benchmarks.llm_judges import JUDGED_SYSTEMS, answer_files, read_answers
from sera.benchmarks.plain_pickle import read_plain
from sera.benchmarks.released_metrics import released_metrics
from sera.errors import InputError, checked_each
from sera.io.fields import Fields, Once, read_objects
from sera.io.records import GivenScore, Judgement


@dataclass(frozen=True)
class JudgedRelease(Benchmark):
    """A release whose files are ``files``; ``origin`` says where to get it.

    ``dimensions`` are its judgements, the foremost one first. Each line of a file is a record, and a topic's
    id is its line, from 0.
    """

    files: tuple[str, ...]
    dimensions: tuple[str, ...]
    origin: str
    RELEASE: tuple[str, int] | None = None
    JUDGED = True

    def inputs(self, release: str | Path) -> list[Path]:
        """The files, sorted; InputError for one that is missing, or a link."""
        return sorted(parts.required(release, self.files, self.origin))

    def judged(self, release: str | Path) -> tuple[list[str], list[str]]:
        """The judged systems, and the judgements; InputError as in `read`."""
        return self.systems(self.records(release)), list(self.dimensions)

    def read(self, release: str | Path) -> list[Topic]:
        """The topics in the file's order.

        InputError as in `inputs`, and with file and place, up to ten, for what is not as described.
        """
        records = self.records(release)
        systems = self.systems(records)
        return checked_each(lambda one: self.topic(*one, systems), records.items())

    def records(self, release: str | Path) -> dict[str, Fields]:
        """The record of each topic."""
        path = next(path for path in self.inputs(release=release) if path.name == self.files[0])
        rows = {str(number): record for number, record in enumerate(read_objects(path, self.origin))}
        if not rows:
            raise InputError("holds no article", path=path, remedy=self.origin)
        return rows

    def systems(self, records: dict[str, Fields]) -> list[str]:
        """The judged systems."""
        raise NotImplementedError

    def topic(self, name: str, record: Fields, systems: list[str]) -> Topic:
        """The topic of a record."""
        raise NotImplementedError


class JudgedPickle(JudgedRelease):
    """``data.pkl`` as released with BARTScore: SummEval (Fabbri et al. 2021), Newsroom (Grusky et al. 2018).

    It has for each topic the text (``src``), one or more references (``ref_summs`` or ``ref_summ``) and each
    system's summary with the means of its judges' scores. It is read as plain data: nothing is run.
    """

    def records(self, release: str | Path) -> dict[str, Fields]:
        """What the file holds of each topic, by name or by number."""
        path = parts.required(release, self.files, self.origin)[0]
        content = read_plain(path)
        whole = Fields(content, path, remedy=self.origin).values
        return {
            names.check("topic", str(name), path=path): Fields(
                values, path, within=f"topic {name}", remedy=self.origin
            )
            for name, values in whole.items()
        }

    def systems(self, records: dict[str, Fields]) -> list[str]:
        """The systems of all topics, in order of name."""
        return sorted({system for record in records.values() for system in _names(record, "sys_summs")})

    def topic(self, name: str, record: Fields, systems: list[str]) -> Topic:
        """The topic of a record, with those of the systems that it has."""
        many = bool(record.values.get("ref_summs"))
        references = record.texts("ref_summs") if many else [record.text("ref_summ")]
        summaries = record.nested("sys_summs")
        outputs = {name: summaries.nested(name) for name in _names(record, "sys_summs") if name in systems}
        return parts.topic(
            name,
            [record.text("src")],
            {f"ref_{number}": text for number, text in enumerate(references, 1)},
            {system: one.text("sys_summ") for system, one in outputs.items()},
            judgements=[
                Judgement(name, system, each, one.nested("scores").number(each))
                for system, one in outputs.items()
                for each in self.dimensions
            ],
        )


class SummEval(JudgedPickle):
    """``data.pkl``, and the single judges of twelve systems, if their files are there.

    They are ``<system>_outputs_annotations.jsonl`` in the folder itself or in a folder in it (`JUDGES_IN`):
    three experts, whose mean is the released score, and five crowd workers, whose scores are judgements of
    their own (``relevance_crowd``). A judge is named by the place in the row (``expert_1``), and the release
    does not say that the same place is the same person.
    """

    JUDGES_IN: ClassVar = ("", "summeval_judges", "model_output_annotations")
    _ENDING: ClassVar = "_outputs_annotations.jsonl"
    _LISTS: ClassVar = {"expert_annotations": ("expert", ""), "turker_annotations": ("crowd", "_crowd")}

    def inputs(self, release: str | Path) -> list[Path]:
        """``data.pkl`` and the files of judges, sorted; InputError if the first is missing, or for a link."""
        return sorted([*super().inputs(release=release), *map(parts.check_file, self._outputs(release))])

    def judged(self, release: str | Path) -> tuple[list[str], list[str]]:
        """The systems in order of name, and the judgements."""
        systems, dimensions = super().judged(release)
        return systems, [*dimensions, *(f"{name}_crowd" for name in dimensions if self._outputs(release))]

    def brings(self, release: str | Path) -> tuple[str, ...]:
        """The names of the judges, where their files are there."""
        return ("judges",) if self._outputs(release) else ()

    def read(self, release: str | Path) -> list[Topic]:
        """The topics as of `JudgedRelease`; InputError too for judges of a summary that is not there."""
        topics = super().read(release)
        summaries = {(one.topic, one.system) for topic in topics for one in topic.candidates}
        judgements = {topic.id: [*topic.judgements] for topic in topics}
        for path in self._outputs(release):
            for one in self._of_judges(path, summaries):
                judgements[one.topic].append(one)
        return [replace(topic, judgements=tuple(judgements[topic.id])) for topic in topics]

    def _outputs(self, release: str | Path) -> list[Path]:
        """The files of single judges, in the first folder that has some."""
        for folder in (Path(release, name) for name in self.JUDGES_IN):
            there = parts.entries(folder) if folder.is_dir() else []
            if paths := [path for path in there if path.name.endswith(self._ENDING)]:
                return paths
        return []

    def _of_judges(self, path: Path, summaries: Collection[tuple[str, str]]) -> Iterator[Judgement]:
        """The judgements of single judges in a file of one system."""
        system, once = path.name.removesuffix(self._ENDING), Once()
        for row in read_objects(path, self.origin):
            name = row.text("id")
            once.check(name, row, f"summary of {name}")
            if (name, system) not in summaries:
                raise row.fault(f"has the topic {name[:60]!r}, of which data.pkl has no summary by {system}")
            for key, (kind, ending) in self._LISTS.items():
                for number, one in enumerate(row.nested_list(key), 1):
                    for each in self.dimensions:
                        score = one.number(each)
                        yield Judgement(name, system, f"{each}{ending}", score, f"{kind}_{number}")


class LanguageModelJudges(SummEval):
    """The twelve systems of SummEval that language models judged too, with their scores (`llm_judges`)."""

    def inputs(self, release: str | Path) -> list[Path]:
        """Those of `SummEval`, and the files of answers; InputError if there are none."""
        return sorted([*super().inputs(release=release), *answer_files(release, self.origin)])

    def systems(self, records: dict[str, Fields]) -> list[str]:
        """The systems that were judged by language models."""
        return [name for name in super().systems(records) if name in JUDGED_SYSTEMS]

    def brings(self, release: str | Path) -> tuple[str, ...]:
        """The names of the judges, where their files are there, and scores by language models."""
        return (*super().brings(release), "given")

    def read(self, release: str | Path) -> list[Topic]:
        """The topics as of `SummEval`, with the scores; an answer without a number is undefined, NaN."""
        scores: dict[str, list[GivenScore]] = {}
        for one in read_answers(release, self.origin):
            scores.setdefault(one.topic, []).append(one)
        return [
            replace(topic, given=tuple(scores.get(topic.id, ()))) for topic in super().read(release=release)
        ]


class ScholarSum(JudgedRelease):
    """ScholarSum (Chen et al. 2024): summaries of arXiv and PubMed articles, judged facet by facet.

    A line has the ``article``, its abstract (``human``), the systems' summaries and, for each judged system,
    people's score ``<system>_human`` (0 to 1), its parts by facet ``<system>_human_list``, and scores by
    other metrics, which are taken as given. A system without a score by people (``bartbase``) is left out.
    Each of the two files is a benchmark, since the systems differ.
    """

    BRINGS = ("given",)

    def systems(self, records: dict[str, Fields]) -> list[str]:
        """The systems of the first article with a summary and a score by people."""
        first = records["0"]
        summarizers = [
            name for key in first.values if (name := key.removesuffix("_human")) != key and name in first
        ]
        if not summarizers:
            raise first.fault("has no judged summary")
        return [names.check("system", name, path=first.path) for name in summarizers]

    def topic(self, name: str, record: Fields, systems: list[str]) -> Topic:
        """The topic of a line; every line has the same systems."""
        judgements, given_scores = [], []
        for system in systems:
            scores = [record.number(f"{system}_human"), *record.numbers(f"{system}_human_list")]
            if len(scores) != len(self.dimensions):
                raise record.fault(f"has {len(scores) - 1} facets in '{system}_human_list'")
            judgements += [
                Judgement(name, system, each, score)
                for each, score in zip(self.dimensions, scores, strict=True)
            ]
            given_scores += [
                GivenScore(name, system, each.metric, record.number(f"{system}_{each.field}"))
                for each in released_metrics("scholarsum")
                if f"{system}_{each.field}" in record
            ]
        return parts.topic(
            name,
            [record.text("article")],
            {"author": record.text("human")},
            {system: record.text(system) for system in systems},
            judgements=judgements,
            given=given_scores,
        )


class SummEvalOP(JudgedRelease):
    """SummEval-OP (Siledar et al. 2024): summaries of the reviews of 32 products, judged by three people.

    In ``annotated_dataset``, a line of the first file has a product's eight reviews and thirteen summaries
    with the means of the judges, rounded; the same line of the second has the three judges' scores (1 to 5)
    of seven dimensions, which are read.

    One of the thirteen is a person's summary (`HUMAN`). It is the reference here and no system, since it
    cannot be scored against itself.
    """

    BRINGS = ("judges",)
    HUMAN: ClassVar = "human-summaries"
    KEYS: ClassVar = ("re", "ac", "fa", "sc", "sp", "co", "fl")
    """The keys of the dimensions in the second file."""

    def inputs(self, release: str | Path) -> list[Path]:
        """Both files, in the folder or in its ``annotated_dataset``; InputError as in `JudgedRelease`."""
        folder = Path(release, "annotated_dataset")
        return super().inputs(release=folder if folder.is_dir() else release)

    def records(self, release: str | Path) -> dict[str, Fields]:
        """The lines of the first file, each with that of the second as its field ``detailed``."""
        rows = super().records(release)
        path = next(path for path in self.inputs(release=release) if path.name == self.files[1])
        details = list(read_objects(path, self.origin))
        if len(details) != len(rows):
            problem = f"has {len(details)} lines where {self.files[0]} has {len(rows)}"
            raise InputError(problem, path=path, remedy=self.origin)
        for record, single in zip(rows.values(), details, strict=True):
            record.values["detailed"] = single
        return rows

    def systems(self, records: dict[str, Fields]) -> list[str]:
        """The systems in the order of the first line."""
        return [name for name in _names(records["0"], "summaries") if name != self.HUMAN]

    def topic(self, name: str, record: Fields, systems: list[str]) -> Topic:
        """The topic of a line; its reviews are the article."""
        single: Fields = record.values["detailed"]
        summaries, reviews = record.nested("summaries"), record.nested("reviews")
        texts = {system: summaries.nested(system).text("summary") for system in (*systems, self.HUMAN)}
        articles = [reviews.text(review) for review in reviews.values]
        order = [*summaries.values]
        if [texts.get(one) for one in order] != single.list("summaries") or articles != single.list(
            "reviews"
        ):
            raise single.fault(f"has other texts than {self.files[0]}")
        if wrong := [key for key in self.KEYS if len(single.list(key)) != len(order)]:
            raise single.fault(f"has not {len(order)} lists of scores as {wrong[0]!r}")
        judgements = []
        for system in systems:
            for dimension, key in zip(self.dimensions, self.KEYS, strict=True):
                scores = single.wrap(dict(zip(order, single.list(key), strict=True))).numbers(system)
                judgements += [
                    Judgement(name, system, dimension, score, f"judge_{number}")
                    for number, score in enumerate(scores, 1)
                ]
        gold = {"human": texts.pop(self.HUMAN)}
        return parts.topic(name, articles, gold, texts, judgements=judgements)


def _names(record: Fields, field: str) -> Collection[str]:
    summaries = record.nested(field).values
    if not summaries:
        raise record.fault(f"has no {field}")
    for system in summaries:
        names.check("system", system, path=record.path, line=record.line)
    return summaries


_BARTSCORE = "https://github.com/neulab/BARTScore"
SUMMEVAL, LLM_JUDGES = (
    kind(
        ("data.pkl",),
        ("relevance", "coherence", "consistency", "fluency"),
        f"Get SUM/SummEval/data.pkl of {_BARTSCORE}: sera datasets get summeval.",
        ("SummEval", 100),
    )
    for kind in (SummEval, LanguageModelJudges)
)
NEWSROOM = JudgedPickle(
    ("data.pkl",),
    ("informativeness", "relevance", "coherence", "fluency"),
    f"Get SUM/Newsroom/data.pkl of {_BARTSCORE}: sera datasets get newsroom.",
    ("Newsroom's judged articles", 60),
)
SCHOLARSUM_ARXIV, SCHOLARSUM_PUBMED = (
    ScholarSum(
        (f"{name.lower()}.json",),
        ("facets", "facet_background", "facet_method", "facet_result", "facet_conclusion"),
        "Get the folder dataset of https://github.com/iriscxy/ScholarSum: sera datasets get scholarsum.",
        (f"ScholarSum, {name}", 50),
    )
    for name in ("arXiv", "PubMed")
)
SUMMEVAL_OP = SummEvalOP(
    ("summeval-op.jsonl", "summeval-op-detailed.jsonl"),
    (
        *("Relevance", "Aspect Coverage", "Faithfulness", "Sentiment Consistency", "Specificity"),
        *("Coherence", "Fluency"),
    ),
    "Get the folder annotated_dataset of https://github.com/tjsiledar/SummEval-OP: "
    "sera datasets get summeval_op.",
    ("SummEval-OP", 32),
)
