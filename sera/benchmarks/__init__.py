"""Benchmarks: topics with an article, gold summaries and human annotations or judgements.

A benchmark is an instance of `Benchmark`, made of functions or of a class of its own; `load_benchmark` makes
one of a module of others too. The topics of a judged benchmark come with the summaries
of systems and with human judgements of these. Otherwise the systems of `sera.summarizers` write the
summaries, and Pyramid scores them by the nuggets marked in the gold summaries. Without judgements and without
nuggets, summaries are scored, and nothing is correlated.
"""

import logging
import os
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

from sera.errors import Faults, InputError
from sera.io.records import (
    Candidate,
    Citance,
    Document,
    GivenScore,
    Judgement,
    Nugget,
    Preference,
    Reference,
    Source,
)
from sera.io.scores import reverse_scales
from sera.registry import Registry, listed, unknown

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Topic:
    """One topic of a benchmark.

    ``documents`` are the plain texts that come with the topic: the article and the articles that cite it.
    ``nuggets`` is empty if the topic has no annotations. Only a judged benchmark has ``candidates``,
    ``judgements``, ``preferences`` and scores ``given`` with it.
    """

    id: str
    source: Source
    references: tuple[Reference, ...] = ()
    citances: tuple[Citance, ...] = ()
    nuggets: tuple[Nugget, ...] = ()
    documents: Sequence[Document] = ()
    candidates: tuple[Candidate, ...] = ()
    judgements: tuple[Judgement, ...] = ()
    preferences: tuple[Preference, ...] = ()
    given: tuple[GivenScore, ...] = ()


class Benchmark:
    """What a benchmark says of itself, and how its files are read. Only `inputs` and `read` have no default.

    ``parts`` are the facts and the functions of an instance that differ from the defaults.

    JUDGED:      whether its topics have the summaries of systems, and human judgements
    HAS_TEXTS:   whether it has texts; without, its topics have judgements and given scores alone
    BRINGS:      what comes with the judgements, where that does not depend on the files (`brings`)
    RELEASE:     the title of the whole benchmark and its number of topics, if it has always the same
    LACKS:       what none of its topics has: "nuggets", "citances" or both
    OPTIONS:     the settings that `read` takes besides ``release``; `inputs` takes those that name folders
    WRITTEN_IN:  the language of its texts, such as "de"; None if it does not say
    splits:      None, or a function of ``release`` that yields the name and the topics of each split; the
                 topics of the study are those of `read`
    """

    JUDGED: bool = False
    HAS_TEXTS: bool = True
    BRINGS: tuple[str, ...] = ()
    RELEASE: tuple[str, int] | None = None
    LACKS: tuple[str, ...] = ()
    OPTIONS: tuple[str, ...] = ()
    WRITTEN_IN: str | None = None
    splits: Callable[..., Iterable[tuple[str, list[Topic]]]] | None = None

    def __init__(self, **parts: Any) -> None:
        for name, part in parts.items():
            setattr(self, name, part)

    def inputs(self, release: str | Path) -> list[Path]:
        """All files that `read` reads, sorted; InputError names what is missing, and a link."""
        raise NotImplementedError

    def read(self, release: str | Path) -> list[Topic]:
        """The topics.

        InputError as in `inputs`, and, with file and line where there are lines and up to ten in all, for
        what has another form, is there twice or is missing.
        """
        raise NotImplementedError

    def check(self, release: str | Path) -> None:
        """InputError for all faults of the files together; only a user's own folder has some."""

    def collection(self, release: str | Path) -> Path | None:
        """The file of the documents to search; None if these are the documents of the topics."""
        return None

    def judged(self, release: str | Path) -> tuple[list[str], list[str]]:
        """The judged systems, and the names of the judgements; InputError as in `read`."""
        return [], []

    def has_nuggets(self, release: str | Path) -> bool:
        """Whether content units are marked."""
        return not self.JUDGED and "nuggets" not in self.LACKS

    def brings(self, release: str | Path) -> tuple[str, ...]:
        """What comes with the judgements: "preferences", "given" (metrics' scores), "judges" (names)."""
        return self.BRINGS


def load_benchmark(name: str) -> Benchmark:
    """A registered benchmark; one that is a module is made of its functions and facts."""
    loaded = BENCHMARKS.load(name)
    if isinstance(loaded, Benchmark):
        return loaded
    names = [name for name in vars(Benchmark) if not name.startswith("_") and hasattr(loaded, name)]
    return Benchmark(**{name: getattr(loaded, name) for name in names})


def as_document(source: Source) -> Document:
    """An article as a document to index, for a benchmark without a collection."""
    return Document(id=source.id, title=source.title, text=" ".join(source.sentences))


def topics_of(
    sources: Iterable[Source],
    *records: Iterable[Any],
    documents: Mapping[str, Sequence[Document]] | None = None,
) -> list[Topic]:
    """The topics of sources, in their order, with their records (`with_records`).

    ``documents`` are by topic, and without them a topic's document is its source.
    """
    topics = [
        Topic(
            source.topic,
            source,
            documents=tuple([as_document(source)] if documents is None else documents.get(source.topic, ())),
        )
        for source in sources
    ]
    return with_records(topics, *records)


_KINDS = {
    **{Reference: "references", Citance: "citances", Nugget: "nuggets", Candidate: "candidates"},
    **{Judgement: "judgements", Preference: "preferences", GivenScore: "given"},
}


def with_records(topics: Sequence[Topic], *records: Iterable[Any]) -> list[Topic]:
    """The topics, each with its own of these records after those that it has; other topics' are left out."""
    parts: dict[str, dict[str, Any]] = {topic.id: {} for topic in topics}
    for record in chain(*records):
        if record.topic in parts:
            parts[record.topic].setdefault(_KINDS[type(record)], []).append(record)
    for topic in topics:
        own = parts[topic.id]
        own.update({kind: (*getattr(topic, kind), *more) for kind, more in own.items()})
    return [replace(topic, **parts[topic.id]) for topic in topics]


def check_complete(
    path: str | Path, pairs: set[tuple[str, str]], things: Iterable[str], topics: Sequence[str], problem: str
) -> None:
    """Check that ``pairs`` has each thing for each topic, as (thing, topic).

    InputError names the things that are missing, with their topics; ``problem`` begins each.
    """
    faults = Faults()
    for thing in things:
        if absent := [topic for topic in topics if (thing, topic) not in pairs]:
            remedy = "Add it, or remove the system or the topic from all files."
            fault = f"{problem} {thing} for topic {listed(absent, 5)}"
            faults.append(InputError(fault, path=path, remedy=remedy))
    faults.raise_all()


def warn_of_equal(references: Iterable[Reference], path: str | Path) -> None:
    """Log a warning if two annotators' summaries of one topic are equal, since one may be a mistake."""
    first: dict[tuple[str, tuple[str, ...]], str] = {}
    for reference in references:
        other = first.setdefault((reference.topic, reference.sentences), reference.annotator)
        if other != reference.annotator:
            log.warning(
                "%s: the summaries of %s by %s and by %s are equal",
                path,
                reference.topic,
                other,
                reference.annotator,
            )


def check_complete_judgements(path: str | Path, judgements: Iterable[Judgement]) -> None:
    """Check that every judgement covers each of its systems on each of its topics.

    A judgement may leave out whole systems and whole topics. InputError names the missing pairs of the first
    judgement that lacks some; ``path`` is the file that should have them.
    """
    for name, pairs in _judged_pairs(judgements).items():
        systems, topics = (sorted({pair[part] for pair in pairs}) for part in (0, 1))
        check_complete(path, pairs, systems, topics, f"has no {name} of")


def _judged_pairs(judgements: Iterable[Judgement]) -> dict[str, set[tuple[str, str]]]:
    """The systems and topics that each judgement has a score of."""
    pairs: dict[str, set[tuple[str, str]]] = {}
    for judgement in judgements:
        pairs.setdefault(judgement.judgement, set()).add((judgement.system, judgement.topic))
    return pairs


_Scored = TypeVar("_Scored", Judgement, GivenScore)


def reverse_scores(scores: Sequence[_Scored], lower_is_better: Container[str]) -> list[_Scored]:
    """Judgements or given scores, so that higher is better in all of them.

    Scores by a name in ``lower_is_better`` have `reverse_scales`.
    """
    import pandas as pd  # slow to import

    names = [_scale(score) for score in scores]
    table = pd.DataFrame({"metric": names, "score": [score.score for score in scores]})
    reversed_scores = reverse_scales(table, [name for name in set(names) if name in lower_is_better])["score"]
    return [
        replace(score, score=reversed_score) if name in lower_is_better else score
        for score, name, reversed_score in zip(scores, names, reversed_scores.tolist(), strict=True)
    ]


def _scale(score: Judgement | GivenScore) -> str:
    return score.judgement if isinstance(score, Judgement) else score.metric


def warn_of_unjudged(judgements: Iterable[Judgement], path: str | Path) -> None:
    """Log how many of a judgement's summaries, each of its systems on each of its topics, nobody judged."""
    for name, pairs in _judged_pairs(judgements).items():
        systems, topics = ({pair[part] for pair in pairs} for part in (0, 1))
        if gaps := len(systems) * len(topics) - len(pairs):
            whole = sum(all((system, topic) in pairs for system in systems) for topic in topics)
            log.warning(
                "%s: %s has no judge for %d of %d summaries; all %d systems are judged on %d of %d topics",
                *(path, name, gaps, len(systems) * len(topics), len(systems), whole, len(topics)),
            )


BENCHMARKS = Registry(
    "benchmark",
    {
        "tac2014": (".tac2014:TAC2014", "TAC 2014 BiomedSumm with its Pyramid", "pyramids", "pmc_oa"),
        "tac2014_scores": (".released_scores:TAC2014", "our scores of TAC 2014, without texts"),
        "realsumm": (".realsumm:REALSUMM", "REALSumm: 25 judged systems on 100 news articles"),
        "pyrxsum": (".realsumm:PYRXSUM", "PyrXSum: 10 judged systems on 100 BBC articles"),
        "summeval": (".judged_releases:SUMMEVAL", "SummEval: 16 systems on 100 articles"),
        "summeval_llm_judges": (".judged_releases:LLM_JUDGES", "the same judged by models"),
        "newsroom": (".judged_releases:NEWSROOM", "Newsroom: 7 systems on 60 articles"),
        "scholarsum_arxiv": (".judged_releases:SCHOLARSUM_ARXIV", "ScholarSum: arXiv articles"),
        "scholarsum_pubmed": (".judged_releases:SCHOLARSUM_PUBMED", "the same: PubMed articles"),
        "mslr": (".mslr:MSLR", "MSLR: 6 judged systems on Cochrane reviews, with preferences"),
        "summeval_op": (".judged_releases:SUMMEVAL_OP", "SummEval-OP: reviews of 32 products"),
        "dialsummeval": (".dialsummeval:DIALSUMMEVAL", "DialSummEval: 13 judged systems on 100 dialogues"),
        "opinsummeval": (".opinsummeval:OPINSUMMEVAL", "OpinSummEval: reviews of 100 products"),
        "wikisera_tac2009": (".released_scores:TAC2009", "scores and Pyramid of TAC 2009, no texts"),
        "wikisera_tac2009_update": (".released_scores:TAC2009_B", "the same of its update summaries"),
        "nist": (".nist:NIST", "DUC 2001 to 2007 and TAC 2008 to 2011: judged systems on news"),
        "scitldr": (".scitldr:SCITLDR", "SciTLDR: 618 abstracts with summaries of one sentence"),
        "scitldr_informativeness": (".scitldr:INFORMATIVENESS", "judgements of 51 of these"),
        "scisummnet": (".scisummnet:SCISUMMNET", "ScisummNet: 973 papers with a summary", "archive?"),
        "dbs": (".dbs:DBS", "DBS: German summaries and nuggets of web pages on 10 or 30 topics"),
        "folder": (".folder:FOLDER", "your own folder of records; its path is the name"),
    },
    group="sera.benchmarks",
)
"""The benchmarks: a new one is a module and a line here."""


def is_own_folder(name: str) -> bool:
    """Whether a benchmark's name is the path of the user's own folder."""
    return name not in BENCHMARKS and (os.sep in name or os.path.isdir(name))


def resolve(name: str) -> tuple[str, str | None]:
    """The registered benchmark that a name stands for, and the folder if the name is a path, else None.

    >>> resolve("realsumm"), resolve("data/mine")
    (('realsumm', None), ('folder', 'data/mine'))

    InputError if the name is neither.
    """
    if name in BENCHMARKS:
        return name, None
    if is_own_folder(name):
        return "folder", name
    problem = f"{unknown('benchmark', name, BENCHMARKS)}"
    raise InputError(problem, remedy="Name a benchmark of your own by the path of its folder.")
