"""S3: human judgements predicted from other metrics (Peyrard, Botschen & Gurevych 2017).

A model is a support vector regression with an RBF kernel over the scores by `BEST` (the paper's S3-best, six
metrics) or by the available metrics of `FULL` (S3-full). `sera.metrics.s3.training` trains one. Its file
holds numbers and settings as JSON, so opening it runs no code:

    f(x) = intercept + sum over support vectors v of coefficient * exp(-gamma * |x - v|^2)
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from os import PathLike
from typing import Any, ClassVar

import numpy as np

from sera.errors import InputError
from sera.io.files import read_json, writing
from sera.metrics.base import Metric, Text, signature
from sera.metrics.configure import Resources, equip, in_language
from sera.metrics.framenet import FrameNet
from sera.metrics.s3.words import CITATION
from sera.settings import can, check_declared, shown
from sera.text.languages import ENGLISH, of_language, signed
from sera.vectors.word_vectors import WordVectors

MODEL_FORMAT = "sera S3 model"
MODEL_VERSION = 1

BEST = ("ROUGE-1-R", "ROUGE-2-R", "ROUGE-WE-1-R", "ROUGE-WE-2-R", "JS-ref-1", "JS-ref-2")
"""The features of S3-best (footnote 3): the paper's choice, made on its own data."""

_ARTICLE = tuple(f"{family}-{n}" for family in ("TF*IDF", "Cov", "KL", "JS") for n in (1, 2))
FULL = (*BEST, "ROUGE-L-R", "AVG_SIM", "Frame-1", "Frame-2", *_ARTICLE, "Red-1", "Red-2")
"""The features of S3-full (section 3.1)."""

MODELS = {"S3-best": BEST, "S3-full": FULL}
"""The models to train, with their features."""

AS_RELEASED = ("JS-ref-1", "JS-ref-2", "ROUGE-1-R", "ROUGE-WE-1-R", "ROUGE-2-R", "ROUGE-WE-2-R")
"""The features of the released models, in the order of their support vectors."""

RELEASED = dict.fromkeys(("S3-pyr-released", "S3-resp-released"), AS_RELEASED)
"""The models that the authors released (`sera.metrics.s3.released`), with their features."""

_REMEDY = "Train it again, or name another file."


def features_of(names: Iterable[str], resources: Resources, language: str = ENGLISH) -> list[Metric]:
    """Features by name with S3's settings: ROUGE with stemming, without removal of stop words."""
    names = list(names)
    return equip(names, in_language(names, {"ROUGE": {"stem": True, "stop": False}}, language), resources)


def values(
    features: Sequence[Metric], candidate: Text, references: Sequence[Text], source: Text | None = None
) -> list[float]:
    """The scores of a candidate by several features; metrics of one family are computed together."""
    scores = dict.fromkeys(range(len(features)), math.nan)
    families: dict[type[Metric], list[int]] = {}
    for number, each in enumerate(features):
        if each.needs_source and source is None:
            each.score(candidate, references)  # raises the error
        families.setdefault(type(each), []).append(number)
    for family, numbers in families.items():
        found = family.score_together([features[number] for number in numbers], candidate, references, source)
        scores.update(zip(numbers, found, strict=True))
    return list(scores.values())


def feature_signature(one: Metric) -> str:
    """A feature's signature without the version of this package."""
    return one.signature.rpartition("|")[0]


@dataclass(frozen=True, eq=False)
class Model:
    """A trained model.

    name:             S3-best, S3-full, or one of `RELEASED`
    features:         names of the features, in the order of the columns of ``support_vectors``
    settings:         the signature of each feature at training, without version
    support_vectors:  (vector, feature)
    coefficients:     (vector,)
    trained:          a description of the training, for readers of the file
    """

    name: str
    features: tuple[str, ...]
    settings: tuple[str, ...]
    gamma: float
    intercept: float
    support_vectors: np.ndarray
    coefficients: np.ndarray
    trained: dict[str, Any] = field(default_factory=dict)

    def predict(self, rows: np.ndarray) -> np.ndarray:
        """The scores of summaries, (summary,), from ``rows``, (summary, feature); NaN if a feature is NaN."""
        from scipy.spatial.distance import cdist  # slow to import; the workflow needs `FULL` alone

        rows = np.asarray(rows, float).reshape(-1, len(self.features))
        known = ~np.isnan(rows).any(axis=1)
        scores = np.full(len(rows), math.nan)
        kernel = np.exp(-self.gamma * cdist(rows[known], self.support_vectors, "sqeuclidean"))
        scores[known] = kernel @ self.coefficients + self.intercept
        return scores

    @property
    def digest(self) -> str:
        """Eight hexadecimal digits that identify the model."""
        hashed = hashlib.sha256(repr((self.settings, self.gamma, self.intercept)).encode())
        hashed.update(self.coefficients.tobytes() + self.support_vectors.tobytes())
        return hashed.hexdigest()[:8]

    def save(self, path: str | PathLike[str]) -> None:
        """Write the model as JSON, a support vector per line, all numbers to their last digit."""
        head = {
            "format": MODEL_FORMAT,
            "version": MODEL_VERSION,
            "name": self.name,
            "trained": self.trained,
            "features": [{"name": n, "settings": s} for n, s in zip(self.features, self.settings)],
            "gamma": self.gamma,
            "intercept": self.intercept,
        }
        parts = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in head.items()]
        for key, array in (("coefficients", self.coefficients), ("support_vectors", self.support_vectors)):
            lines = ",\n  ".join(map(json.dumps, array.tolist()))
            parts.append(f'"{key}": [\n  {lines}\n ]')
        with writing(path) as stream:
            stream.write("{\n " + ",\n ".join(parts) + "\n}\n")


def load(path: str | PathLike[str]) -> Model:
    """Read a model; InputError, with line or key, for anything that `Model.save` would not write."""
    try:
        return _checked(read_json(path, "an S3 model"))
    except _Wrong as error:
        raise InputError(str(error), path=path, remedy=_REMEDY) from None


class _Wrong(Exception):
    pass


def _checked(content: Any) -> Model:
    if not isinstance(content, dict) or content.get("format") != MODEL_FORMAT:
        raise _Wrong("is not an S3 model")
    if content.get("version") != MODEL_VERSION:
        raise _Wrong(f"version: is {shown(content.get('version'))}, not {MODEL_VERSION}")
    name, trained, features = content.get("name"), content.get("trained"), content.get("features")
    known = MODELS | RELEASED
    if not isinstance(name, str) or name not in known:
        raise _Wrong(f"name: {shown(name)} is none of {', '.join(known)}")
    if not isinstance(trained, dict):
        raise _Wrong("trained: is no object")
    if not isinstance(features, list) or not features:
        raise _Wrong("features: is no list of features")
    for number, one in enumerate(features):
        if not isinstance(one, dict) or not (
            isinstance(one.get("settings"), str) and one.get("name") in known[name]
        ):
            raise _Wrong(f"features[{number}]: is no feature of {name} with its settings")
    names = tuple(one["name"] for one in features)
    if len(set(names)) < len(names):
        raise _Wrong("features: one stands twice")
    coefficients = _numbers(content.get("coefficients"), "coefficients")
    vectors = content.get("support_vectors")
    if not isinstance(vectors, list) or len(vectors) != len(coefficients):
        raise _Wrong(f"support_vectors: is no list of {len(coefficients)} vectors, one a coefficient")
    rows = []
    for number, vector in enumerate(vectors):
        rows.append(_numbers(vector, f"support_vectors[{number}]"))
        if len(rows[-1]) != len(names):
            raise _Wrong(f"support_vectors[{number}]: has {len(rows[-1])} numbers, not {len(names)}")
    gamma, intercept = (_numbers([content.get(key)], key)[0] for key in ("gamma", "intercept"))
    if gamma <= 0:
        raise _Wrong(f"gamma: is {gamma}, not above 0")
    return Model(
        name,
        names,
        tuple(one["settings"] for one in features),
        gamma,
        intercept,
        np.array(rows, float).reshape(-1, len(names)),
        np.array(coefficients, float),
        trained,
    )


def _numbers(values: Any, key: str) -> list[float]:
    if not isinstance(values, list):
        raise _Wrong(f"{key}: is no list of numbers")
    for number, value in enumerate(values):
        finite = type(value) is float and math.isfinite(value)
        if not finite and not (type(value) is int and abs(value) < 1e300):
            place = key if key in ("gamma", "intercept") else f"{key}[{number}]"
            raise _Wrong(f"{place}: {shown(value)} is not a finite number")
    return list(map(float, values))


@dataclass(frozen=True)
class S3(Metric):
    """S3-best or S3-full by a trained ``model``, with the vectors, the frames and the ``language`` of its
    training.

    Scores are on the scale of the judgements of its training. Without a model it can be named, not scored.
    """

    kind: str
    model: Model | None = None
    vectors: WordVectors | None = None
    frames: FrameNet | None = None
    language: str = of_language()

    undefined: ClassVar[str] = "a feature of the model is undefined"
    citation: ClassVar[str] = CITATION

    def __post_init__(self) -> None:
        if not isinstance(self.kind, str) or self.kind not in MODELS:
            raise InputError(f"there is no {shown(self.kind)}", remedy=f"There are {', '.join(MODELS)}.")
        can("model", self.model, "predict", "what sera.metrics.s3.model.load gives")
        can("vectors", self.vectors, "rows", "sera.vectors.word_vectors.WordVectors")
        can("frames", self.frames, "tokens", "FrameNet(folder)")
        check_declared(self)
        if self.model is None:
            return
        if self.model.name != self.kind:
            raise InputError(f"the model is one of {self.model.name}, not of {self.kind}")
        resources = Resources(vectors=self.vectors, frames=self.frames)
        features = features_of(self.model.features, resources, self.language)
        for one, trained in zip(features, self.model.settings):
            if feature_signature(one) != trained:
                raise InputError(
                    f"the model was trained with {trained}, and here is {feature_signature(one)}",
                    remedy="Give the word vectors, the FrameNet release and the language of its training (a "
                    "study's settings vectors, framenet and language; --vectors, --framenet, --language), "
                    "or train it again.",
                )
        object.__setattr__(self, "_features", features)

    @property
    def name(self) -> str:
        return self.kind

    @property
    def signature(self) -> str:
        if self.model is None:
            return signature(self.name, model=None, **signed(self.language))
        digest = self.model.digest
        return signature(self.name, features=len(self.model.features), model=digest, **signed(self.language))

    def ready(self) -> None:
        if self.model is None:
            raise InputError(
                f"{self.name} needs a trained model",
                remedy="Name one: --model FILE on the command line, model=... in Python; "
                "`sera research s3 train` makes one.",
            )
        for one in self._features:  # type: ignore[attr-defined]
            one.ready()

    @classmethod
    def score_together(
        cls,
        metrics: Sequence[Metric],
        candidate: Text,
        references: Sequence[Text],
        source: Text | None = None,
    ) -> list[float]:
        """Scores on the scale of the training scores; NaN where a feature is undefined."""
        scores = []
        for one in metrics:
            assert isinstance(one, S3)
            one.ready()
            assert one.model is not None
            features: list[Metric] = one._features  # type: ignore[attr-defined]
            row = values(features, candidate, references, source)
            scores.append(float(one.model.predict(np.array([row]))[0]))
        return scores

    @classmethod
    def parse(cls, name: str, **settings: Any) -> S3:
        if name not in MODELS:
            raise ValueError(name)
        return cls(name, **settings)

    @classmethod
    def names(cls) -> list[str]:
        return list(MODELS)

    @classmethod
    def describe(cls, name: str) -> str:
        which = "the paper's six best features" if name == "S3-best" else "all features that can be had"
        return f"human judgements predicted from {which}, by a trained model"
