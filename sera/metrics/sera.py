"""SERA: Summarization Evaluation by Relevance Analysis (Cohan & Goharian 2016, section 3).

Candidate and references are submitted as queries to one index; the more their rankings, cut off at
rank n, have in common, the better the candidate. Two measures (`overlap`, plain or discounted) and three
formulations of the query (`sera.retrieval.queries`) give the paper's variants: ``SERA-5``, ``SERA-NP-10``,
``SERA-KW-5``, ``SERA-DIS-5``, ``SERA-DIS-NP-10``, ``SERA-DIS-KW-5``; any cut-off may stand at the end.

Two variants are not the paper's: ``SERA-POS-5`` has GeSERA's queries of nouns, verbs and adjectives, and
``SERA-RBO-10`` compares rankings by rank-biased overlap (`rank_biased_overlap`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from os import PathLike
from pathlib import Path
from typing import Any, ClassVar

from sera.errors import InputError
from sera.metrics.base import Metric, Text, parts_of, sentences_of, signature
from sera.retrieval.engines import MU, open_engine
from sera.retrieval.queries import FORMULATIONS, TEXTBLOB, check_index, formulations, query_id
from sera.retrieval.runs import read_first_zero, read_run, read_run_settings
from sera.retrieval.search import documents, formulate_queries, rank_documents, search_settings
from sera.settings import Setting, check_given, one_of, truth, whole
from sera.text.languages import ENGLISH, LANGUAGES

PAPER_CUTOFFS = (5, 10)  # those of Table 2
LARGEST_SHARE = 0.1
"""Share of the index's documents above which a cut-off is large.

Two rankings of the first n of N documents, drawn at random, have n / N of them in common.
"""


def overlap(
    candidate: Sequence[str], references: Sequence[Sequence[str]], cutoff: int, *, discounted: bool = False
) -> float:
    """SERA of one candidate, 0 to 1: the mean share of documents in common with each reference's ranking.

    Rankings are document ids, best first; both are cut off at rank ``cutoff``. The paper assumes that
    the candidate's list is the longer of the two; the longer one's length is the denominator here, so a
    candidate that retrieves little gains nothing by it. Two empty lists have nothing in common: 0.

    ``discounted`` is SERA-DIS: a common document at ranks j and k counts 1 / log(|j - k| + 2), and the sum is
    divided by the largest attainable one, n / log 2 for rankings of n documents, so that the base of the
    logarithm cancels and equal rankings score 1.
    """
    ranks = {document: rank for rank, document in enumerate(candidate[:cutoff])}
    total = 0.0
    for reference in references:
        reference = reference[:cutoff]
        longer = max(len(ranks), len(reference))
        if discounted:
            distances = [abs(ranks[d] - rank) for rank, d in enumerate(reference) if d in ranks]
            # math.fsum: the same sum whatever the order, so equal scores stay equal
            reward = math.fsum(map(_reward, distances))
        else:
            reward = float(sum(map(ranks.__contains__, reference)))
        total += reward / longer if longer else 0.0
    return total / len(references)


PERSISTENCE = 0.9
"""The probability p of rank-biased overlap that a reader goes on to the next rank."""


def rank_biased_overlap(
    first: Sequence[str], second: Sequence[str], persistence: float = PERSISTENCE
) -> float:
    """Rank-biased overlap of two rankings, 0 to 1, extrapolated from what is known of them.

    RBO_ext of Webber, Moffat & Zobel (2010), "A similarity measure for indefinite rankings", equation 32, for
    rankings of any lengths. Two empty ones have nothing in common: 0.
    """
    short, long = sorted((first, second), key=len)
    if not short:
        return 0.0
    seen: list[set[str]] = [set(), set()]
    common, total = 0, []
    for depth, document in enumerate(long, 1):
        for side, ranking in enumerate((short, long)):
            if depth <= len(ranking):
                seen[side].add(ranking[depth - 1])
                common += ranking[depth - 1] in seen[1 - side]
        if depth == len(short):
            common_short = common
        ratio = common / depth
        if depth > len(short):
            ratio += common_short * (depth - len(short)) / (len(short) * depth)
        total.append(ratio * persistence**depth)
    agreement = (common - common_short) / len(long) + common_short / len(short)
    return (1 - persistence) / persistence * math.fsum(total) + agreement * persistence ** len(long)


@cache
def _reward(distance: int) -> float:
    """What a common document counts whose ranks differ by this."""
    return math.log(2) / math.log(distance + 2)


class RunRankings:
    """Rankings that were kept: one TREC run a formulation, queries named by `query_id`.

    ``settings`` are what the rankings depend on, for the signature. ``zeros`` has, by formulation, the first
    rank at which a document has the score 0. Lucene returns it, since it has a term of the query, but its
    score does not order it. A document without such a term has no rank.
    """

    def __init__(
        self,
        runs: Mapping[str, Mapping[str, Sequence[str]]],
        settings: Mapping[str, Any] | None = None,
        zeros: Mapping[str, int] | None = None,
    ) -> None:
        self.runs, self.settings, self.zeros = runs, dict(settings or {}), dict(zeros or {})

    @classmethod
    def read(cls, paths: Iterable[str | PathLike[str]]) -> RunRankings:
        """Read runs from files named by their formulations, of one search, whose settings are beside them."""
        files: dict[str, str | PathLike[str]] = {}
        for path in paths:
            if (other := files.setdefault(Path(path).stem, path)) is not path:
                problem = f"is named by the same formulation as {other}"
                raise InputError(problem, path=path, remedy="Rename one of the two.")
        settings: dict[str, Any] = {}
        for path in files.values():
            own = read_run_settings(path)
            if own != (settings := settings or own):
                remedy = "Search for all formulations with the same settings."
                raise InputError("was made with other settings than the other runs", path=path, remedy=remedy)
        runs = {formulation: read_run(path) for formulation, path in files.items()}
        zeros = {formulation: read_first_zero(path) for formulation, path in files.items()}
        return cls(runs, settings, {each: rank for each, rank in zeros.items() if rank is not None})

    def of(self, texts: Sequence[Text], formulation: str, depth: int) -> list[Sequence[str]]:
        """For each text the ids of the documents that it retrieves as a query, best first."""
        if formulation not in self.runs:
            problem = f"no run was given for the query formulation {formulation!r}"
            raise InputError(problem, remedy=f"Give one of {', '.join(self.runs)}.")
        run = self.runs[formulation]
        # a query without a line in the run retrieved nothing
        return [run.get(query_id(text), ())[:depth] for text in texts]


_of_search = partial(Setting, of="rankings")
_PARSER = "tool that finds noun phrases, textblob or spacy:MODEL with an installed model"
_IDF = "idf above which an expression is a keyword"
_WHOSE = "language of the texts, which is that of the index too"
SEARCH = (
    _of_search("mu", float, MU, "Dirichlet smoothing parameter", low=0, above=True),
    _of_search("keyword_threshold", float, "collection", _IDF, words=("collection", "query")),
    _of_search("noun_phrases", str, TEXTBLOB, _PARSER),
    _of_search("query_stop", bool, True, "whether plain and NP queries leave stop words out"),
    _of_search("language", str, ENGLISH, _WHOSE, choices=tuple(LANGUAGES)),
)
"""The settings of the search that gives SERA its rankings."""

_FORMULATE = {
    "keyword_threshold": "threshold", "noun_phrases": "parser", "query_stop": "stop", "language": "language"
}  # fmt: skip
"""The options of `sera.retrieval.queries.formulate` by the names of the settings."""


class EngineRankings:
    """Rankings made on the spot by an engine (`sera.retrieval.engines`), each text searched for once.

    ``search`` are settings of `SEARCH` by name, such as ``mu=2000``; the others have their defaults.
    ``settings`` and ``zeros``, of the searches so far, are those of `RunRankings`.
    """

    def __init__(self, engine: Any, **search: Any) -> None:
        values = {each.name: each.default for each in SEARCH} | check_given("SERA", SEARCH, search)
        check_index(engine, values["language"])
        self.engine = engine
        self._how = {option: values[name] for name, option in _FORMULATE.items()}
        self.settings = search_settings(engine.analyzer, engine.documents, **values)
        self.zeros: dict[str, int] = {}
        self._kept: dict[tuple[Any, ...], list[str]] = {}

    def of(self, texts: Sequence[Text], formulation: str, depth: int) -> list[Sequence[str]]:
        """As of `RunRankings`."""
        read = sentences_of if formulation in ("np", "pos") else parts_of  # the former tag words
        keys = [(read(text), formulation, depth) for text in texts]
        missing = {key: key[0] for key in keys if key not in self._kept}
        if missing:
            queries = formulate_queries(formulation, missing, self.engine, **self._how)
            rankings = rank_documents(queries, self.engine, depth, mu=self.settings["mu"])
            self._kept.update(documents(rankings))
            zeros = (rank for hits in rankings.values() for rank, hit in enumerate(hits, 1) if hit.score == 0)
            if first := min(zeros, default=0):
                self.zeros[formulation] = min(first, self.zeros.get(formulation, first))
        return [self._kept[key] for key in keys]


def open_rankings(
    files: Mapping[str, Any], texts: Iterable[Any], **search: Any
) -> RunRankings | EngineRankings:
    """Kept ``runs``, which say how they were searched for, or else searches of an ``index``."""
    if runs := files.get("runs"):
        return RunRankings.read(runs)
    return EngineRankings(open_engine(files), **search)


@dataclass(frozen=True)
class Sera(Metric):
    """SERA at a cut-off, simple, discounted or rank-biased, with one formulation of the query.

    ``rankings`` are an index (`sera.index`), `EngineRankings` with other settings than the defaults, or
    `RunRankings`. A metric without them can be named and described, not scored.
    """

    cutoff: int
    discounted: bool = False
    formulation: str = "plain"
    rankings: EngineRankings | RunRankings | None = None
    rank_biased: bool = False

    citation: ClassVar[str] = (
        "Arman Cohan and Nazli Goharian. 2016. Revisiting Summarization Evaluation for Scientific Articles. "
        "LREC."
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "cutoff", whole("the cut-off of SERA", self.cutoff, 1, 10**6))
        truth("discounted", self.discounted)
        truth("rank_biased", self.rank_biased)
        if self.discounted and self.rank_biased:
            raise InputError("SERA is discounted and rank-biased", remedy="Choose one of the two.")
        one_of("formulation", self.formulation, tuple(_INFIX))
        if hasattr(self.rankings, "search"):  # an index
            object.__setattr__(self, "rankings", EngineRankings(self.rankings))
        super().__post_init__()

    @property
    def name(self) -> str:
        measure = "-DIS" if self.discounted else "-RBO" if self.rank_biased else ""
        middle = measure + _INFIX[self.formulation]
        return f"SERA{middle}-{self.cutoff}"

    @property
    def signature(self) -> str:
        settings = dict(self.rankings.settings) if self.rankings else {}
        settings = {key: value for key, value in settings.items() if self.has(self.name, key)}
        if self.rank_biased:
            settings["p"] = PERSISTENCE
        return signature(self.name, query=self.formulation, **settings)

    resource_settings: ClassVar[tuple[Setting, ...]] = SEARCH
    needed: ClassVar = {
        "rankings": (
            "compares what summaries retrieve and needs an index",
            "Name one: --index in the shell, rankings=sera.index(...) in Python.",
        )
    }

    @property
    def caution(self) -> str:
        """A warning if the index is small beside the cut-off, or if documents of score 0 are within it."""
        if self.rankings is None:
            return ""
        cautions = []
        number = self.rankings.settings.get("documents", math.inf)
        if self.cutoff > LARGEST_SHARE * number:
            cautions.append(
                f"the cut-off is more than a tenth of the {number} documents in the index, so that rankings "
                "have documents in common by chance"
            )
        if self.rankings.zeros.get(self.formulation, math.inf) <= self.cutoff:
            cautions.append(
                "some rankings have documents of score 0 within the cut-off, in the order of the index"
            )
        return "; ".join(cautions)

    @classmethod
    def has(cls, name: str, setting: str) -> bool:
        noun_phrases, keywords = "-NP-" in name, "-KW-" in name
        uses = {"noun_phrases": noun_phrases, "keyword_threshold": keywords, "query_stop": not keywords}
        return uses.get(setting, True)

    @classmethod
    def reads(cls, name: str, language: str, settings: Mapping[str, Any] | None = None) -> bool:
        parser = (settings or {}).get("noun_phrases", TEXTBLOB)
        return cls.parse(name).formulation in formulations(language, parser)

    @classmethod
    def score_together(
        cls, metrics: Sequence[Any], candidate: Text, references: Sequence[Text], source: Text | None = None
    ) -> list[float]:
        """Scores of range 0 to 1; all queries are ranked to the deepest cut-off."""
        scores = []
        depth = max(metric.cutoff for metric in metrics)
        for metric in metrics:
            metric.ready()
            first, *rest = metric.rankings.of([candidate, *references], metric.formulation, depth)
            if metric.rank_biased:
                tops = [ranking[: metric.cutoff] for ranking in (first, *rest)]
                scores.append(math.fsum(rank_biased_overlap(tops[0], each) for each in tops[1:]) / len(rest))
            else:
                scores.append(overlap(first, rest, metric.cutoff, discounted=metric.discounted))
        return scores

    @classmethod
    def parse(cls, name: str, **settings: Any) -> Sera:
        match = re.fullmatch(r"SERA(-DIS|-RBO)?(-NP|-KW|-POS)?-([1-9][0-9]{0,8})", name)
        if not match:
            raise ValueError(name)
        formulation = {infix: formulation for formulation, infix in _INFIX.items()}[match[2] or ""]
        rank_biased = match[1] == "-RBO"
        return cls(int(match[3]), match[1] == "-DIS", formulation, rank_biased=rank_biased, **settings)

    @classmethod
    def names(cls, cutoffs: Sequence[int] = ()) -> list[str]:
        """The variants at the paper's cut-offs and at these: Table 2's in its order, then the others."""
        kinds = [*(f"{d}{infix}" for d in ("", "-DIS") for infix in ("", "-KW", "-NP")), "-POS", "-RBO"]
        return [f"SERA{kind}-{cutoff}" for kind in kinds for cutoff in sorted({*PAPER_CUTOFFS, *cutoffs})]

    @classmethod
    def describe(cls, name: str) -> str:
        metric = cls.parse(name)
        kind = "rank-discounted overlap" if metric.discounted else "overlap"
        kind = "rank-biased overlap" if metric.rank_biased else kind
        return f"{kind} of the {metric.cutoff} documents retrieved ({FORMULATIONS[metric.formulation]})"


_INFIX = {"plain": "", "kw": "-KW", "np": "-NP", "pos": "-POS"}
