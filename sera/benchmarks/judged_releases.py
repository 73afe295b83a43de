"""Releases of judged summaries with a record of fields for every article: a table of them, and their reader.

A line of the table, such as `NEWSROOM`, says where in a record the article, the references, the systems'
summaries and their scores are. A place is the names that lead to it, with ``/`` between; in the places of a
summary, ``*`` stands for the system. A class is only for what a place cannot say: scores of another form, and
judgements or scores in further files, which are joined.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from sera import names
from sera.benchmarks import Benchmark, Topic, with_records
from sera.benchmarks import release as parts
from sera.benchmarks.llm_judges import JUDGED_SYSTEMS, answer_files, read_answers
from sera.benchmarks.plain_pickle import read_plain
from sera.benchmarks.released_metrics import released_metrics
from sera.errors import InputError, checked_each
from sera.io.fields import Fields, Once, read_objects
from sera.io.records import GivenScore, Judgement

Records = Mapping[str, Fields]
"""The record of each topic."""
Score = Judgement | GivenScore


@dataclass(frozen=True, kw_only=True)
class JudgedRelease(Benchmark):
    """A release with a record for each article; the articles are numbered from 0 if the file has no names.

    RELEASE:     as in `Benchmark`
    origin:      where to get the release
    files:       the file of the records, JSON Lines or a pickle, and those to join
    dimensions:  the judgements, the foremost one first
    article:     the place of its text, or with ``/*`` at its end of an object or list of its parts
    references:  the place of each annotator's text, or with ``/*`` of a list of texts, whose numbers replace
                 ``{}`` in the annotator's name; ``or`` stands before another place
    summary:     the place of a system's text
    scores:      the place of the object with the scores of a system's summary by dimension
    """

    RELEASE: tuple[str, int] | None
    origin: str
    files: tuple[str, ...]
    dimensions: tuple[str, ...]
    article: str
    references: Mapping[str, str]
    summary: str
    scores: str = ""
    JUDGED = True

    def inputs(self, release: str | Path) -> list[Path]:
        return sorted(parts.required(self.folder(release), self.files, self.origin))

    def judged(self, release: str | Path) -> tuple[list[str], list[str]]:
        return self.systems(self.records(release)), list(self.dimensions)

    def read(self, release: str | Path) -> list[Topic]:
        self.inputs(release=release)
        records = self.records(release)
        systems = self.systems(records)
        topics = checked_each(lambda item: self.topic(*item, systems), records.items())
        return with_records(topics, self.joined(Path(release), records))

    def records(self, release: str | Path) -> dict[str, Fields]:
        """The record of each topic."""
        (path,) = parts.required(self.folder(release), self.files[:1], self.origin)
        records = self.records_of(path)
        if not records:
            raise InputError("holds no article", path=path, remedy=self.origin)
        return records

    def folder(self, release: str | Path) -> Path:
        """The folder of the files."""
        return Path(release)

    def records_of(self, path: Path) -> dict[str, Fields]:
        """The records in a file, by topic."""
        return {str(number): record for number, record in enumerate(read_objects(path, self.origin))}

    def systems(self, records: Records) -> list[str]:
        """The judged systems: those of the first record."""
        return self.systems_of(next(iter(records.values())))

    def systems_of(self, record: Fields) -> list[str]:
        """The systems that a record has where the place of a summary has its ``*``, without references."""
        fields, _ = record.at(self.summary.partition("*")[0] + "*")
        if not fields.values:
            raise record.fault(f"has no {self.summary.partition('/')[0]}")
        for system in fields.values:
            names.check("system", system, path=record.path, line=record.line)
        references = set(self.references.values())
        return [name for name in fields.values if self.summary.replace("*", name) not in references]

    def topic(self, name: str, record: Fields, systems: list[str]) -> Topic:
        """The topic of a record; every record has the same systems."""
        article = _texts(record, self.article)
        references: dict[str, str] = {}
        for annotator, place in self.references.items():
            texts = _texts(record, place)
            references |= {annotator.format(number): text for number, text in enumerate(texts, 1)}
        summaries = {system: _texts(record, self.summary.replace("*", system))[0] for system in systems}
        scores = [score for system in systems for score in self.scores_of(name, system, record)]
        return with_records([parts.topic(name, article, references, summaries)], scores)[0]

    def scores_of(self, topic: str, system: str, record: Fields) -> Iterator[Score]:
        """The scores of a system's summary in the record of its topic."""
        if self.scores:
            fields, field = record.at(self.scores.replace("*", system))
            by_dimension = fields.nested(field)
            for dimension in self.dimensions:
                yield Judgement(topic, system, dimension, by_dimension.number(dimension))

    def joined(self, release: Path, records: Records) -> Iterable[Score]:
        """The scores in other files."""
        return ()

    def by_judges(
        self, topic: str, system: str, judges: Iterable[Fields], kind: str = "judge", ending: str = ""
    ) -> Iterator[Judgement]:
        """The judgements by judges of whom each has an object of scores; they are named by their places."""
        for number, judge in enumerate(judges, 1):
            for dimension in self.dimensions:
                score = judge.number(dimension)
                yield Judgement(topic, system, f"{dimension}{ending}", score, f"{kind}_{number}")


def _texts(record: Fields, place: str) -> list[str]:
    """The texts at a place: one, or those of an object or a list that the place names with ``/*``.

    Of two places, the second counts where the record has nothing in the first.
    """
    first, _, second = place.partition(" or ")
    place = second if second and not record.values.get(first.removesuffix("/*")) else first
    fields, name = record.at(place.removesuffix("/*"))
    if not place.endswith("/*"):
        return [fields.text(name)]
    if isinstance(fields.values.get(name), dict):
        fields = fields.nested(name)
        return [fields.text(part) for part in fields.values]
    return fields.items(name, str)


class JudgedPickle(JudgedRelease):
    """``data.pkl`` as released with BARTScore: SummEval (Fabbri et al. 2021), Newsroom (Grusky et al. 2018).

    It has a record for each topic, with one reference (``ref_summ``) or more (``ref_summs``), and means of
    the judges' scores. A topic may lack systems. The file is read as plain data: nothing is run.
    """

    def records_of(self, path: Path) -> dict[str, Fields]:
        records = {}
        for topic, values in Fields(read_plain(path), path, remedy=self.origin).values.items():
            name = names.check("topic", str(topic), path=path)
            records[name] = Fields(values, path, within=f"topic {topic}", remedy=self.origin)
        return records

    def systems(self, records: Records) -> list[str]:
        """Those of all topics, in order of name."""
        return sorted({system for record in records.values() for system in self.systems_of(record)})

    def topic(self, name: str, record: Fields, systems: list[str]) -> Topic:
        """The topic of a record, with those of the systems that it has, in its order."""
        return super().topic(
            name, record, [system for system in self.systems_of(record) if system in systems]
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
        systems, dimensions = super().judged(release)
        return systems, [*dimensions, *(f"{name}_crowd" for name in dimensions if self._outputs(release))]

    def brings(self, release: str | Path) -> tuple[str, ...]:
        return (*(["judges"] if self._outputs(release) else []), *self.BRINGS)

    def joined(self, release: Path, records: Records) -> Iterable[Score]:
        """The judgements of single judges; InputError for those of a summary that is not there."""
        systems = self.systems(records)
        for path in self._outputs(release):
            system, once = path.name.removesuffix(self._ENDING), Once()
            for row in read_objects(path, self.origin):
                name = row.text("id")
                once.check(name, row, f"summary of {name}")
                if name not in records or system not in {*systems} & {*self.systems_of(records[name])}:
                    problem = f"has the topic {name[:60]!r}, of which data.pkl has no summary by {system}"
                    raise row.fault(problem)
                for key, (kind, ending) in self._LISTS.items():
                    yield from self.by_judges(name, system, row.items(key, Fields), kind, ending)

    def _outputs(self, release: str | Path) -> list[Path]:
        """The files of single judges, in the first folder that has some."""
        for folder in (Path(release, name) for name in self.JUDGES_IN):
            there = parts.entries(folder) if folder.is_dir() else []
            if paths := [path for path in there if path.name.endswith(self._ENDING)]:
                return paths
        return []


class LanguageModelJudges(SummEval):
    """The twelve systems of SummEval that language models judged too, with their scores (`llm_judges`)."""

    BRINGS = ("given",)

    def inputs(self, release: str | Path) -> list[Path]:
        return sorted([*super().inputs(release=release), *answer_files(release, self.origin)])

    def systems(self, records: Records) -> list[str]:
        return [name for name in super().systems(records) if name in JUDGED_SYSTEMS]

    def joined(self, release: Path, records: Records) -> Iterable[Score]:
        """As of `SummEval`, with the models' scores; an answer without a number is undefined, NaN."""
        yield from super().joined(release, records)
        yield from read_answers(release, self.origin)


class ScholarSum(JudgedRelease):
    """ScholarSum (Chen et al. 2024): summaries of arXiv and PubMed articles, judged facet by facet.

    A line has the ``article``, its abstract (``human``), the systems' summaries and, for each judged system,
    people's score ``<system>_human`` (0 to 1), its parts by facet ``<system>_human_list``, and scores by
    other metrics, which are taken as given. A system without a score by people (``bartbase``) is left out.
    Each of the two files is a benchmark, since the systems differ.
    """

    BRINGS = ("given",)

    def systems(self, records: Records) -> list[str]:
        """The systems of the first article with a summary and a score by people."""
        first = records["0"]
        summarizers = [
            name for key in first.values if (name := key.removesuffix("_human")) != key and name in first
        ]
        if not summarizers:
            raise first.fault("has no judged summary")
        return [names.check("system", name, path=first.path) for name in summarizers]

    def scores_of(self, topic: str, system: str, record: Fields) -> Iterator[Score]:
        scores = [record.number(f"{system}_human"), *record.items(f"{system}_human_list", float)]
        if len(scores) != len(self.dimensions):
            raise record.fault(f"has {len(scores) - 1} facets in '{system}_human_list'")
        for dimension, score in zip(self.dimensions, scores, strict=True):
            yield Judgement(topic, system, dimension, score)
        for metric in released_metrics("scholarsum"):
            if (field := f"{system}_{metric.field}") in record:
                yield GivenScore(topic, system, metric.metric, record.number(field))


class SummEvalOP(JudgedRelease):
    """SummEval-OP (Siledar et al. 2024): summaries of the reviews of 32 products, judged by three people.

    In ``annotated_dataset``, a line of the first file has a product's eight reviews and thirteen summaries
    with the means of the judges, rounded; the same line of the second has the three judges' scores (1 to 5)
    of seven dimensions, which are read.

    One of the thirteen is a person's summary. It is the reference here and no system, since it cannot be
    scored against itself.
    """

    BRINGS = ("judges",)
    KEYS: ClassVar = ("re", "ac", "fa", "sc", "sp", "co", "fl")
    """The keys of the dimensions in the second file."""

    def folder(self, release: str | Path) -> Path:
        """The release, or its ``annotated_dataset``."""
        folder = Path(release, "annotated_dataset")
        return folder if folder.is_dir() else Path(release)

    def records_of(self, path: Path) -> dict[str, Fields]:
        """The lines of the first file, each with that of the second as its field ``detailed``."""
        records = super().records_of(path)
        (second,) = parts.required(path.parent, self.files[1:], self.origin)
        details = list(read_objects(second, self.origin))
        if len(details) != len(records):
            problem = f"has {len(details)} lines where {self.files[0]} has {len(records)}"
            raise InputError(problem, path=second, remedy=self.origin)
        for record, detailed in zip(records.values(), details, strict=True):
            record.values["detailed"] = detailed
        return records

    def topic(self, name: str, record: Fields, systems: list[str]) -> Topic:
        """The topic of a line; InputError too where the second file has other texts or systems."""
        detailed, summaries = record.nested("detailed"), record.nested("summaries")
        texts = [summaries.nested(system).text("summary") for system in summaries.values]
        reviews = _texts(record, self.article)
        if texts != detailed.items("summaries", object) or reviews != detailed.items("reviews", object):
            raise detailed.fault(f"has other texts than {self.files[0]}")
        if wrong := [key for key in self.KEYS if len(detailed.items(key, object)) != len(texts)]:
            raise detailed.fault(f"has not {len(texts)} lists of scores as {wrong[0]!r}")
        return super().topic(name, record, systems)

    def scores_of(self, topic: str, system: str, record: Fields) -> Iterator[Score]:
        """The single judges' scores; the second file has them in the order of the first one's summaries."""
        detailed, order = record.nested("detailed"), record.nested("summaries").values
        for dimension, key in zip(self.dimensions, self.KEYS, strict=True):
            of_systems = detailed.wrap(dict(zip(order, detailed.items(key, object), strict=True)))
            for number, score in enumerate(of_systems.items(system, float), 1):
                yield Judgement(topic, system, dimension, score, f"judge_{number}")


# The table. Licences, sizes and citations are in sera/resources/datasets.json.

_BARTSCORE = "https://github.com/neulab/BARTScore"
_PICKLE: dict[str, Any] = {
    "files": ("data.pkl",),
    "article": "src",
    "references": {"ref_{}": "ref_summs/* or ref_summ"},
    "summary": "sys_summs/*/sys_summ",
    "scores": "sys_summs/*/scores",
}
SUMMEVAL, LLM_JUDGES = (
    kind(
        RELEASE=("SummEval", 100),
        origin=f"Get SUM/SummEval/data.pkl of {_BARTSCORE}: sera datasets get summeval.",
        dimensions=("relevance", "coherence", "consistency", "fluency"),
        **_PICKLE,
    )
    for kind in (SummEval, LanguageModelJudges)
)
NEWSROOM = JudgedPickle(
    RELEASE=("Newsroom's judged articles", 60),
    origin=f"Get SUM/Newsroom/data.pkl of {_BARTSCORE}: sera datasets get newsroom.",
    dimensions=("informativeness", "relevance", "coherence", "fluency"),
    **_PICKLE,
)
SCHOLARSUM_ARXIV, SCHOLARSUM_PUBMED = (
    ScholarSum(
        RELEASE=(f"ScholarSum, {name}", 50),
        origin="Get the folder dataset of https://github.com/iriscxy/ScholarSum: "
        "sera datasets get scholarsum.",
        files=(f"{name.lower()}.json",),
        dimensions=("facets", "facet_background", "facet_method", "facet_result", "facet_conclusion"),
        article="article",
        references={"author": "human"},
        summary="*",
    )
    for name in ("arXiv", "PubMed")
)
SUMMEVAL_OP = SummEvalOP(
    RELEASE=("SummEval-OP", 32),
    origin="Get the folder annotated_dataset of https://github.com/tjsiledar/SummEval-OP: "
    "sera datasets get summeval_op.",
    files=("summeval-op.jsonl", "summeval-op-detailed.jsonl"),
    dimensions=(
        *("Relevance", "Aspect Coverage", "Faithfulness", "Sentiment Consistency", "Specificity"),
        *("Coherence", "Fluency"),
    ),
    article="reviews/*",
    references={"human": "summaries/human-summaries/summary"},
    summary="summaries/*/summary",
)
