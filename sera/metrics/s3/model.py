"""S3: human judgements predicted from other metrics (Peyrard, Botschen & Gurevych 2017).

A model is a support vector regression with an RBF kernel over the scores by `BEST` (the paper's S3-best, six
metrics) or by the available metrics of `FULL` (S3-full). `sera.metrics.s3.training` trains one. Its file
holds numbers and settings as JSON, so opening it runs no code:

    f(x) = intercept + sum over support vectors v of coefficient * exp(-gamma * |x - v|^2)
"""

import hashlib
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike
from typing import Any, ClassVar

import numpy as np

from sera.errors import InputError
from sera.io.files import read_json, writing
from sera.metrics.base import Metric, Text, signature
from sera.metrics.configure import Resources, equip, in_language
from sera.metrics.frames import FrameNet
from sera.metrics.s3.features import MODELS
from sera.metrics.s3.words import CITATION
from sera.text.languages import ENGLISH, language_setting
from sera.vectors.word_vectors import WordVectors

MODEL_FORMAT = "sera S3 model"
MODEL_VERSION = 1


def features_of(names: Iterable[str], resources: Resources, language: str = ENGLISH) -> list[Metric]:
    """Features by name with S3's settings: ROUGE with stemming, without removal of stop words."""
    names = list(names)
    return equip(names, in_language(names, {"ROUGE": {"stem": True, "stop": False}}, language), resources)


def values(
    features: Sequence[Metric], candidate: Text, references: Sequence[Text], source: Text | None = None
) -> list[float]:
    """The scores of a candidate by several features; metrics of one family are computed together."""
    families: dict[type[Metric], list[Metric]] = {}
    for each in features:
        if each.needs_source and source is None:
            each.score(candidate, references)  # raises the error
        families.setdefault(type(each), []).append(each)
    scores: dict[Metric, float] = {}
    for family, some in families.items():
        scores |= zip(some, family.score_together(some, candidate, references, source), strict=True)
    return [scores[each] for each in features]


def feature_signature(one: Metric) -> str:
    """A feature's signature without the version of this package."""
    return one.signature.rpartition("|")[0]


@dataclass(frozen=True, eq=False)
class Model:
    """A trained model.

    name:             S3-best, S3-full, or that of a released one (`sera.metrics.s3.released`)
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
    """Read what `Model.save` wrote; InputError for another file."""
    content = read_json(path, "an S3 model")
    known = isinstance(content, dict) and (content.get("format"), content.get("version"))
    if known != (MODEL_FORMAT, MODEL_VERSION):
        problem = f"is not an S3 model in version {MODEL_VERSION}"
        raise InputError(problem, path=path, remedy="Train it again, or name another file.")
    features = content["features"]
    return Model(
        content["name"],
        tuple(each["name"] for each in features),
        tuple(each["settings"] for each in features),
        content["gamma"],
        content["intercept"],
        np.array(content["support_vectors"], float).reshape(-1, len(features)),
        np.array(content["coefficients"], float),
        content["trained"],
    )


def open_model(files: Mapping[str, Any], texts: Iterable[Any]) -> Model:
    """The trained model in the file ``model``."""
    return load(files["model"])


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
    language: str = language_setting()

    pattern: ClassVar[str] = f"(?P<kind>{'|'.join(MODELS)})"
    listed: ClassVar = tuple(MODELS)
    needed: ClassVar = {
        "model": (
            "needs a trained model",
            "Name one: --model FILE on the command line, model=... in Python; `sera research s3` makes one.",
        )
    }
    undefined: ClassVar[str] = "a feature of the model is undefined"
    citation: ClassVar[str] = CITATION

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.model is None:
            return
        if self.model.name != self.kind:
            problem = f"the model is one of {self.model.name}, not of {self.kind}"
            raise InputError(problem, remedy=f"Give a model of {self.kind}.")
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
    def signature(self) -> str:
        if self.model is None:
            return signature(self.name, model=None, **self.sign_texts())
        digest = self.model.digest
        return signature(self.name, features=len(self.model.features), model=digest, **self.sign_texts())

    def ready(self) -> None:
        super().ready()
        for one in self._features:  # type: ignore[attr-defined]
            one.ready()

    def score_one(self, candidate: Text, references: Sequence[Text], source: Text | None = None) -> float:
        """The score on the scale of the training scores; NaN where a feature is undefined."""
        self.ready()
        assert self.model is not None
        row = values(self._features, candidate, references, source)  # type: ignore[attr-defined]
        return float(self.model.predict(np.array([row]))[0])

    @classmethod
    def describe(cls, name: str) -> str:
        which = "the paper's six best features" if name == "S3-best" else "all features that can be had"
        return f"human judgements predicted from {which}, by a trained model"
