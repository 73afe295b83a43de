"""The tables of ROUGE-K's paper (Takeshita et al. 2024) by its numbers, from the records of any data.

`sera.evaluation.papers.keyword_analysis` has the analyses. ROUGE is the paper's here, whatever the settings
of a study: the paper computes it with SacreROUGE (Deutsch & Roth 2020), which runs ROUGE-1.5.5 with stems,
with stop words, and over all references together (``-m -f A``). It bears the paper's names, `R-1` and so on.
So does R-K, ROUGE-K by the rules of the authors' code, which are those of the paper's own numbers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from types import MappingProxyType

import numpy as np
import pandas as pd

from sera.errors import InputError
from sera.evaluation.correlation.correlate import Scores
from sera.evaluation.pairs.systems import compare_systems
from sera.evaluation.papers.keyword_analysis import (
    LENGTH,
    by_single_reference,
    correlations,
    keyword_matches,
    lengths,
    recall_by,
    spread,
    system_means,
)
from sera.io import tsv
from sera.io.preferences import decided, read_choices
from sera.io.records import Candidate, Reference, Source
from sera.metrics import metric
from sera.metrics.rouge_k import RougeK
from sera.metrics.scoring import score

PAPERS_ROUGE = {"R-1": "ROUGE-1-F", "R-2": "ROUGE-2-F", "R-L": "ROUGE-L-F"}
"""The paper's names of ROUGE, with the metric of each; its settings are `ROUGE_SETTINGS`."""

ROUGE_SETTINGS = {"stem": True, "stop": False, "multi": "pooled"}
SINGLY = ("R-1 (avg)", "R-1 (max)")
AUTHORS_KEYWORDS = "R-K"
AUTHORS_SETTINGS = {"second": "title-always", "matching": "substring"}
"""The settings of the authors' code. With the title always, their Table 4 has its numbers of references."""

PREFERENCE_COLUMNS = ["topic", "better", "worse"]
MARK_COLUMNS = ["topic", "metric", "keyword", "wrong"]

_BY_AUTHORS = AUTHORS_SETTINGS["second"]


def papers_scores(
    candidates: Sequence[Candidate], references: Sequence[Reference], sources: Sequence[Source]
) -> pd.DataFrame:
    """Scores in 0..1 by the paper's metrics: `PAPERS_ROUGE`, `AUTHORS_KEYWORDS`, and `SINGLY`.

    `SINGLY` is R-1 by each reference alone, its mean and its highest.
    """
    metrics = {name: metric(of, **ROUGE_SETTINGS) for name, of in PAPERS_ROUGE.items()}
    metrics[AUTHORS_KEYWORDS] = _authors_metric()
    names = {id(each): name for name, each in metrics.items()}
    scored = score(
        list(metrics.values()), candidates, references, sources, label=lambda each: names[id(each)]
    )
    singly = by_single_reference(metrics["R-1"], candidates, references)
    singly["metric"] = singly["metric"].str.replace(metrics["R-1"].name, "R-1", regex=False)
    return pd.concat([scored, singly], ignore_index=True)


def _authors_metric() -> RougeK:
    made = metric("ROUGE-K", **AUTHORS_SETTINGS)
    assert isinstance(made, RougeK)
    return made


def keyword_statistics(
    metric: RougeK, references: Sequence[Reference], sources: Sequence[Source], split: str = ""
) -> pd.DataFrame:
    """The paper's Table 4 for some topics: a row for the second text of ``metric``, and one for the authors'.

    Columns: split, second (see `RougeK`), documents (number), document_words and summary_words (mean number
    of words between blanks, of articles and of references), compression (the first by the second), texts
    (mean number of texts compared, with a title that is used), keywords (mean number, of all topics),
    keyword_words (mean number of words of a keyword), undefined (number of topics without a keyword). Means
    of nothing are NaN. InputError if a topic of ``sources`` has no reference.
    """
    of_topics: dict[str, list[Reference]] = {source.topic: [] for source in sources}
    for reference in references:
        of_topics.setdefault(reference.topic, []).append(reference)
    if lone := next((topic for topic, found in of_topics.items() if not found), None):
        raise InputError(f"topic {lone!r} has no reference", remedy="Add one, or remove the topic.")
    document = _mean(_words(source.sentences) for source in sources)
    summary = _mean(_words(reference.sentences) for reference in references)
    rows = []
    for second in dict.fromkeys([metric.second, _BY_AUTHORS]):
        chosen = replace(metric, second=second)
        found = [chosen.keywords(of_topics[source.topic], source) for source in sources]
        texts = (
            len(of_topics[source.topic]) + _has_second(second, source, len(of_topics[source.topic]))
            for source in sources
        )
        rows.append(
            (
                *(split, second, len(sources), document, summary, document / summary if summary else np.nan),
                *(_mean(texts), _mean(map(len, found)), _mean(len(one) for of in found for one in of)),
                sum(not keywords for keywords in found),
            )
        )
    columns = ["split", "second", "documents", "document_words", "summary_words", "compression"]
    return pd.DataFrame(rows, columns=[*columns, "texts", "keywords", "keyword_words", "undefined"])


def _has_second(second: str, source: Source, references: int) -> bool:
    text = bool(source.title.strip()) or (second == "article" and bool(source.sentences))
    return text and (references == 1 or second == _BY_AUTHORS)


def _words(sentences: Iterable[str]) -> int:
    return sum(len(sentence.split()) for sentence in sentences)


def _mean(values: Iterable[float]) -> float:
    values = list(values)
    return float(np.mean(values)) if values else np.nan


def keyword_tables(
    metrics: Sequence[RougeK],
    scores: pd.DataFrame,
    candidates: Sequence[Candidate],
    references: Sequence[Reference],
    sources: Sequence[Source],
    *,
    systems: Collection[str] | None = None,
    seeds: Mapping[str, str] = MappingProxyType({}),
) -> dict[str, pd.DataFrame]:
    """Tables 5 to 9 and Figure 2 of the paper, by name: ``table5``, ``figure2``; see `keyword_analysis`.

    ``table8_pairs`` tests which systems differ (`compare_systems`), as the paper's text on Table 8 does
    without naming its test. Table 9 and Figure 2 have `AUTHORS_KEYWORDS` too, whose keywords are searched in
    the article as in a summary. Table 5 has the mean number of words too, as `LENGTH`. ``scores`` has those
    of ``metrics`` (the kinds of ROUGE-K), and may have others, which Tables 7 and 8 show too. Tables 6 to 8
    are over ``systems``; None for all. ``seeds`` names the system of the model of each seed: Tables 5
    and 8 have its mean over seeds. InputError if a topic has no source.
    """
    ours = [each.name for each in metrics]
    papers = papers_scores(candidates, references, sources)
    words = lengths(candidates)
    shown = [*PAPERS_ROUGE, AUTHORS_KEYWORDS, *ours]
    counted = pd.concat([papers, scores, words], ignore_index=True)
    if systems is not None:
        counted = counted[counted["system"].isin(systems)]
    others = [name for name in counted["metric"].unique() if name not in ("ROUGE-K", LENGTH, *SINGLY)]
    found = [(AUTHORS_KEYWORDS, _authors_metric()), *zip(ours, metrics, strict=True)]
    matches = pd.concat(
        [
            keyword_matches([each], candidates, references, sources).assign(metric=name)
            for name, each in found
        ],
        ignore_index=True,
    )
    return {
        "table5": system_means(pd.concat([papers, scores, words]), [*shown, *SINGLY, LENGTH], seeds),
        "table6": correlations(counted, shown, [LENGTH]),
        "table7": correlations(counted, ["ROUGE-K", AUTHORS_KEYWORDS], [*SINGLY, *others]),
        "table8": spread(counted[~counted["metric"].isin([LENGTH, *SINGLY])], seeds),
        "table8_pairs": compare_systems(Scores.of(counted), shown),
        "table9": recall_by(matches, "in_source"),
        "figure2": recall_by(matches, "length"),
    }


def agreement(
    scores: pd.DataFrame,
    preferences: pd.DataFrame,
    falling: Collection[str] = (),
    by: str = AUTHORS_KEYWORDS,
) -> pd.DataFrame:
    """How often a metric gives the preferred summary the better score, as in the paper's Table 3.

    ``preferences`` has the columns topic, better and worse (the two systems), a row for each preference of a
    person. For the metrics ``falling``, the lower score is the better one. Columns: metric, agreement (share
    in 0..1 of the preferences with two defined scores), preferences (their number), equal (those with equal
    scores, which do not agree), undefined (preferences without two defined scores), keywords_alone (share of
    the preferences with which the metric ``by`` agrees and this one does not, of those that both score; the
    paper's section 1). InputError for a summary without any row in ``scores``.
    """
    wide = scores.pivot(index=["topic", "system"], columns="metric", values="score")
    pairs = [
        pd.MultiIndex.from_frame(preferences[["topic", side]], names=wide.index.names)
        for side in ("better", "worse")
    ]
    for index in pairs:
        if len(absent := index.difference(wide.index)):
            topic, system = absent[0]
            raise InputError(
                f"there is no score of {system!r} for topic {topic!r}",
                remedy="Score its summary too, or remove its preferences.",
            )
    better, worse = (wide.reindex(index).reset_index(drop=True) for index in pairs)
    margins = (better - worse) * [-1 if name in falling else 1 for name in wide]
    agrees = (margins > 0).astype(float).where(margins.notna())
    columns = {
        "agreement": agrees.mean(),
        "preferences": agrees.count(),
        "equal": (margins == 0).sum(),
        "undefined": agrees.isna().sum(),
        "keywords_alone": (1 - agrees).mul(agrees[by], axis=0).mean(),
    }
    return pd.DataFrame(columns).loc[scores["metric"].unique()].reset_index()


def read_preferences(path: str | PathLike[str]) -> pd.DataFrame:
    """Read preferences: a TSV with the columns topic, better and worse; further columns are left out.

    A table of `sera.io.preferences` is read too, without its ties. InputError for a table without
    these columns or without a row, and with the line for a summary that is preferred to itself.
    """
    if "system_a" in tsv.read(path):
        return decided(read_choices(path)).reset_index(drop=True)
    table = tsv.read(path, PREFERENCE_COLUMNS, named=PREFERENCE_COLUMNS)
    if table.empty:
        raise InputError("holds no preference", path=path, remedy="Add a line for each preference.")
    same = table[table["better"] == table["worse"]]
    if len(same):
        raise InputError(
            f"{same['better'].iloc[0]!r} is preferred to itself",
            path=path,
            line=int(same.index[0]),
            remedy="Name two systems.",
        )
    return table[PREFERENCE_COLUMNS]


def keywords_to_mark(
    metrics: Sequence[RougeK], references: Sequence[Reference], sources: Sequence[Source]
) -> pd.DataFrame:
    """The keywords of each topic by each metric, for people to mark: topic, metric, keyword.

    A column ``wrong``, 1 or 0, makes it a table of marks (`read_marks`).
    """
    of_topics: dict[str, list[Reference]] = {}
    for reference in references:
        of_topics.setdefault(reference.topic, []).append(reference)
    rows = [
        (source.topic, each.name, " ".join(keyword))
        for source in sources
        if source.topic in of_topics
        for each in metrics
        for keyword in each.keywords(of_topics[source.topic], source)
    ]
    return pd.DataFrame(rows, columns=MARK_COLUMNS[:3])


def read_marks(path: str | PathLike[str]) -> pd.DataFrame:
    """Read people's marks: a TSV with topic, metric, keyword and wrong, which becomes true (1) or false (0).

    InputError for a table without these columns or without a row, and with the line for another value of
    wrong and for a keyword that stands twice.
    """
    table = tsv.read(path, MARK_COLUMNS, named=MARK_COLUMNS[:2])
    if table.empty:
        raise InputError("holds no mark", path=path, remedy="Add a line for each keyword.")
    for line, value in table["wrong"].items():
        if value not in ("0", "1"):
            raise InputError(
                f"wrong is {value[:60]!r}",
                path=path,
                line=int(str(line)),
                remedy="Write 1 for a wrong keyword and 0 for a right one.",
            )
    if (twice := table.duplicated(MARK_COLUMNS[:3])).any():
        row = table[twice].iloc[0]
        raise InputError(
            f"{row['metric']} has the keyword {row['keyword'][:60]!r} of topic {row['topic']!r} twice",
            path=path,
            line=int(table.index[twice][0]),
            remedy="Keep one of them.",
        )
    return table[MARK_COLUMNS].assign(wrong=table["wrong"] == "1")
