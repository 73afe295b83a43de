"""Training of S3 (Peyrard, Botschen & Gurevych 2017, sections 3.2 and 4.2), and leave-one-topic-out scores.

The regression is scikit-learn's SVR as in the released model: RBF kernel, C = 1, epsilon = 0.1, gamma = 1 /
number of features, without scaling of features. Judgements are shifted so that the mean of every topic is
the mean of all. Training uses the summaries with defined features and a defined judgement.
"""

import re
from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd

from sera.errors import InputError
from sera.extras import extra_for
from sera.io.records import Candidate, Reference, Source
from sera.io.scores import SCORE_COLUMNS
from sera.metrics import family_of, has_language
from sera.metrics.base import Metric
from sera.metrics.configure import Resources, families_with
from sera.metrics.s3.features import FULL, MODELS
from sera.metrics.s3.model import Model, feature_signature, features_of
from sera.metrics.scoring import canonical_name, score
from sera.progress import progress
from sera.registry import listed
from sera.text.languages import ENGLISH
from sera.vectors.word_vectors import NAME_VECTORS

C, EPSILON = 1.0, 0.1

_KEYS = ["topic", "system"]


def available(resources: Resources, *, sources: bool = False, language: str = ENGLISH) -> list[Metric]:
    """The features that are available with the given resources in a language, in the order of `FULL`."""
    families = families_with(resources, sources=sources)
    if language != ENGLISH:
        families = [family for family in families if has_language(family)]
    return features_of([name for name in FULL if family_of(name) in families], resources, language)


def feature_scores(
    features: Sequence[Metric],
    candidates: Iterable[Candidate],
    references: Iterable[Reference],
    sources: Iterable[Source] = (),
) -> pd.DataFrame:
    """The scores of summaries by features, under their names alone: S3 fixes the features' settings."""
    return score(features, candidates, references, sources, label=canonical_name)


def impossible(
    table: pd.DataFrame, judgements: pd.DataFrame | None, judgement: str | None = None
) -> dict[str, str]:
    """The models that `leave_one_topic_out` cannot train, each with the reason."""
    if judgements is None:
        return dict.fromkeys(MODELS, "there are no judgements to learn from")
    reasons = {}
    for name in MODELS:
        try:
            _to_leave_out(table, judgements, judgement, name)
        except InputError as error:
            reasons[name] = str(error)
    return reasons


def train(
    name: str,
    features: Sequence[Metric],
    table: pd.DataFrame,
    judgements: pd.DataFrame,
    judgement: str | None = None,
) -> Model:
    """Train a model, S3-best or S3-full, on a table of features (`feature_scores`) and judgements.

    ``judgements`` has topic, system, judgement and score; ``judgement`` names the one to learn, and may be
    left out if there is only one. Features of ``table`` that are not in ``features`` are ignored. InputError
    if S3-best or the table lacks one of the features, and if there is nothing to train on.
    """
    settings = {one.name: feature_signature(one) for one in features}
    used = chosen_features(name, settings)
    rows = _Rows(table, used, judgements, judgement)
    topics = set(rows.topics[rows.known])
    trained = {"judgement": rows.judgement, "summaries": int(rows.known.sum()), "topics": len(topics)}
    signatures = tuple(settings[each] for each in used)
    return Model(name, used, signatures, *rows.fitted(rows.known), {**trained, "C": C, "epsilon": EPSILON})


def leave_one_topic_out(
    table: pd.DataFrame,
    judgements: pd.DataFrame,
    judgement: str | None = None,
    names: Sequence[str] = tuple(MODELS),
) -> pd.DataFrame:
    """Score each topic's summaries by models trained on all other topics: a score table.

    S3-full uses the features with any value in ``table``, S3-best those that the paper names, so no data of a
    topic affect its own scores. A summary with an undefined feature has an undefined score. InputError as in
    `train`, and for fewer than two topics with judgements and all features.
    """
    tables = []
    for name in names:
        rows = _to_leave_out(table, judgements, judgement, name)
        predicted = np.full(len(rows.topics), np.nan)
        for topic in progress(sorted(set(rows.topics)), f"topics scored by {name}"):
            here = rows.topics == topic
            model = Model(name, rows.features, (), *rows.fitted(rows.known & ~here))
            predicted[here] = model.predict(rows.values[here])
        tables.append(
            pd.DataFrame({"topic": rows.topics, "system": rows.systems, "metric": name, "score": predicted})
        )
    return pd.concat(tables, ignore_index=True)[SCORE_COLUMNS]


_UPDATE = re.compile(r"d?\d{3,4}[a-z]?-[b-z]", re.IGNORECASE | re.ASCII)


def initial_topics(topics: Iterable[str]) -> list[str]:
    """The topics without NIST's update sets: ``D0801-A`` stays, ``D0801-B``, which follows it, goes.

    The paper uses only the initial summaries (section 4.1).
    """
    return [topic for topic in topics if not _UPDATE.fullmatch(topic)]


_LEARNT = re.compile(rf"(?:{'|'.join(MODELS)})\(judgement=(.*)\)", re.DOTALL)


def learnt_on(name: str, judgement: str) -> str:
    """The label of a model's scores beside those of models that were learnt on other judgements."""
    return f"{name}(judgement={judgement})"


def named_by_judgement(label: str) -> str:
    """The judgement in a label of `learnt_on`; empty for another label."""
    match = _LEARNT.fullmatch(label)
    return match[1] if match else ""


class _Rows:
    """The features and judgements of summaries, in the order of topic and system; NaN if missing."""

    def __init__(
        self, table: pd.DataFrame, features: tuple[str, ...], judgements: pd.DataFrame, judgement: str | None
    ) -> None:
        self.features, self.judgement = features, one_judgement(judgements, judgement)
        scores = table[table["metric"].isin(features)].pivot(index=_KEYS, columns="metric", values="score")
        wide = scores[list(features)].sort_index()
        judged = judgements[judgements["judgement"] == self.judgement].set_index(_KEYS)["score"]
        self.topics = wide.index.get_level_values("topic").to_numpy(object)
        self.systems = wide.index.get_level_values("system").to_numpy(object)
        self.values = wide.to_numpy(float)
        self.judgements = judged.reindex(wide.index).to_numpy(float)
        self.known = ~np.isnan(self.values).any(axis=1) & ~np.isnan(self.judgements)

    def fitted(self, rows: np.ndarray) -> tuple[float, float, np.ndarray, np.ndarray]:
        """gamma, intercept, support vectors and coefficients of a model of some rows, all known."""
        with extra_for("the training of S3"):
            from sklearn.svm import SVR  # slow to import

        values, judgements = self.values[rows], self.judgements[rows]
        if not len(values):
            problem = "there is no summary with a judgement and all features to train on"
            raise InputError(problem, remedy="Use the same names of topics and systems in both tables.")
        gamma = 1 / values.shape[1]
        fitted = SVR(kernel="rbf", C=C, epsilon=EPSILON, gamma=gamma)
        fitted.fit(values, _normalised(judgements, self.topics[rows]))
        return gamma, float(fitted.intercept_[0]), fitted.support_vectors_, fitted.dual_coef_[0]


def _to_leave_out(table: pd.DataFrame, judgements: pd.DataFrame, judgement: str | None, name: str) -> _Rows:
    """The data to train a model on; InputError for fewer than two topics."""
    there = set(table.dropna(subset=["score"])["metric"])
    rows = _Rows(table, chosen_features(name, there), judgements, judgement)
    if len(set(rows.topics[rows.known])) < 2:
        problem = "leaving one topic out needs two topics or more with judgements and all features"
        raise InputError(problem, remedy="Use the same names of topics and systems in both tables.")
    return rows


def chosen_features(name: str, there: Iterable[str]) -> tuple[str, ...]:
    """The features of a model, S3-best or S3-full, that are ``there``; InputError if they do not suffice."""
    there = set(there)
    missing = [each for each in MODELS[name] if each not in there]
    if missing and (name == "S3-best" or len(missing) == len(MODELS[name])):
        problem = f"{name} is made of {', '.join(MODELS[name])}, but there is no {', '.join(missing)}"
        raise InputError(problem, remedy=f"{NAME_VECTORS}; ROUGE-WE needs them.")
    return tuple(each for each in MODELS[name] if each in there)


def one_judgement(judgements: pd.DataFrame, judgement: str | None) -> str:
    """The named judgement, or the only one; InputError for an unknown name, or for several without a name."""
    kinds = sorted(set(judgements["judgement"]))
    if judgement is None and len(kinds) == 1:
        return kinds[0]
    if judgement is None or judgement not in kinds:
        raise InputError(
            "there are several judgements" if judgement is None else f"there is no judgement {judgement!r}",
            remedy=f"Name one of {listed(kinds) or '(none)'}.",
        )
    return judgement


def _normalised(judgements: np.ndarray, topics: np.ndarray) -> np.ndarray:
    means = pd.Series(judgements).groupby(topics).transform("mean").to_numpy()
    return judgements - means + judgements.mean()
