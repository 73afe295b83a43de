"""The metrics of the models that the authors of S3 released (Peyrard, Botschen & Gurevych 2017).

S3-pyr-released predicts Pyramid scores, S3-resp-released responsiveness; both were trained on TAC 2008 and
2009. With ``language="de"``, S3-pyr-released is the German model, which was trained on the DBS corpus. The
German model of responsiveness has no support vector and predicts 0 for every summary, so S3-resp-released has
no German. The package has the models as JSON (``sera/resources/README.md``), which `convert` makes from the
authors' files.

The features are those of the released code, not of S3-best: words as in `sera.metrics.s3.words`, recall of
n-grams over all references together and not rounded, stemmed by Snowball for ROUGE-1 and ROUGE-2. A text
without n-grams has the JS divergence that the formula gives, half of ln 2, where JS-ref has ln 2. The models
were trained with the word vectors of Levy & Goldberg (2014), ``deps.words``, the German one with those of
Reimers et al. (2014). The released code has English stems and stop words written in; here, the German model
gets German ones. The release has no German features or scores to compare with.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib.resources import as_file, files
from os import PathLike
from typing import Any, ClassVar, TypeVar

import numpy as np

from sera.errors import InputError
from sera.metrics.base import Metric, Text, sentences_of, signature
from sera.metrics.s3.model import AS_RELEASED, RELEASED, Model, load
from sera.metrics.s3.pickled import read_regression
from sera.metrics.s3.words import CITATION, NgramCounts, kept_counts, ngram_counts, ngrams, stems
from sera.metrics.word_distributions import Sentences, js_divergence
from sera.metrics.word_vector_metrics import RougeWe
from sera.registry import listed
from sera.settings import can, check_declared, shown
from sera.text.languages import ENGLISH, of_language, signed
from sera.vectors.word_vectors import NAME_VECTORS, WordVectors

_Self = TypeVar("_Self", bound="ReleasedS3")

TRAINED_WITH = "deps.words"
"""The file of word vectors that the models were trained with (Levy & Goldberg 2014)."""


def convert(path: str | PathLike[str], name: str) -> Model:
    """The model in a file of the authors', under one of the names in `RELEASED`. Nothing of the file is run.

    InputError for a file with anything but a support vector regression of six features with an RBF kernel.
    """
    if name not in RELEASED:
        raise InputError(f"there is no {shown(name)}", remedy=f"There are {listed(RELEASED)}.")
    found = read_regression(path)

    def numbers(key: str, *shape: int) -> np.ndarray:
        """The numbers of an entry; -1 in the shape stands for any length."""
        array = np.asarray(found.get(key))
        fits = array.ndim == len(shape) and all(one in (-1, own) for one, own in zip(shape, array.shape))
        if not fits or array.dtype != np.float64 or not np.isfinite(array).all():
            raise _unfit(path, f"{key} is no array of finite numbers of the shape {shape}")
        return array

    if (found.get("_impl"), found.get("kernel"), found.get("_sparse")) != ("epsilon_svr", "rbf", False):
        raise _unfit(path, "it is no support vector regression with an RBF kernel")
    vectors = numbers("support_vectors_", -1, len(AS_RELEASED))
    gamma = float(numbers("_gamma"))
    if gamma <= 0:
        raise _unfit(path, "_gamma is not above 0")
    return Model(
        name,
        AS_RELEASED,
        ("as released",) * len(AS_RELEASED),
        gamma,
        float(numbers("intercept_", 1)[0]),
        vectors,
        numbers("dual_coef_", 1, len(vectors))[0],
        {"by": "Peyrard, Botschen and Gurevych 2017", "C": found.get("C"), "epsilon": found.get("epsilon")},
    )


def _unfit(path: str | PathLike[str], problem: str) -> InputError:
    return InputError(
        f"is no model of S3: {problem}", path=path, remedy="Give a model that the authors of S3 released."
    )


_FILES = {
    ("S3-pyr-released", ENGLISH): "s3_pyr_released.json",
    ("S3-resp-released", ENGLISH): "s3_resp_released.json",
    ("S3-pyr-released", "de"): "s3_pyr_released_de.json",
}


@cache
def released_model(name: str, language: str = ENGLISH) -> Model:
    """The model of the package, by a name in `RELEASED` and the language of its texts."""
    with as_file(files("sera.resources").joinpath(_FILES[name, language])) as path:
        return load(path)


def divergence(first: NgramCounts, second: NgramCounts) -> float:
    """`js_divergence` as released: half of ln 2 if one text has no n-grams, 0 if both have none."""
    if first.total and second.total:
        return js_divergence(first, second)
    return math.log(2) / 2 if first.total or second.total else 0.0


def recall(candidate: Sentences, references: Sequence[Sentences], n: int, language: str = ENGLISH) -> float:
    """The share of the references' n-grams of stems that the candidate has, 0 to 1; 0 if there are none.

    An n-gram counts for each reference as often as both have it. Stop words count.
    """
    mine = Counter(ngrams(stems(candidate, language), n))
    matched = total = 0
    for reference in references:
        theirs = Counter(ngrams(stems(reference, language), n))
        matched += (mine & theirs).total()
        total += theirs.total()
    return matched / total if total else 0.0


@lru_cache(maxsize=8)  # both models score one candidate after the other
def released_features(
    vectors: WordVectors,
    candidate: Sentences,
    references: tuple[Sentences, ...],
    language: str = ENGLISH,
) -> tuple[float, ...]:
    """The features of a candidate as the released code defines them, in the order of `AS_RELEASED`."""
    soft = RougeWe.score_together(
        [RougeWe(n, "R", vectors, language=language) for n in (1, 2)],
        list(candidate),
        list(map(list, references)),
    )
    js = []
    for n in (1, 2):
        mine = ngram_counts(candidate, n, language)
        each = (divergence(mine, kept_counts(one, n, language)) for one in references)
        js.append(math.fsum(each) / len(references))
    once, twice = (recall(candidate, references, n, language) for n in (1, 2))
    return (*js, once, soft[0], twice, soft[1])


@dataclass(frozen=True)
class ReleasedS3(Metric):
    """The base class of the two metrics, with word vectors, and the package's model unless another is given.

    Scores are near the range of the training scores, 0 to 1, but not limited to it.
    """

    vectors: WordVectors | None = field(default=None)
    converted: Model | None = field(default=None)

    language = ENGLISH
    kind: ClassVar[str]
    predicts: ClassVar[str]
    citation: ClassVar[str] = CITATION

    def __post_init__(self) -> None:
        can("vectors", self.vectors, "rows", "sera.vectors.word_vectors.WordVectors")
        can("converted", self.converted, "predict", "what sera.metrics.s3.released.convert gives")
        if self.converted is not None and self.converted.name != self.kind:
            raise InputError(f"the model is one of {self.converted.name}, not of {self.kind}")
        check_declared(self)

    @property
    def name(self) -> str:
        return self.kind

    @property
    def signature(self) -> str:
        named = self.vectors.name if self.vectors else None
        return signature(self.name, model=self._model.digest, vectors=named, **signed(self.language))

    @property
    def caution(self) -> str:
        if self.vectors is None:
            return ""
        if self.language != ENGLISH:
            return (
                "the model was trained on 73 summaries of the DBS corpus with the German word vectors of "
                f"Reimers et al. (2014, minimum count 5), and here are {self.vectors.name}"
            )
        if self.vectors.name.startswith(TRAINED_WITH):
            return ""
        return (
            f"the model was trained with the word vectors {TRAINED_WITH} (Levy & Goldberg 2014) on news, "
            f"and here are {self.vectors.name}"
        )

    @property
    def _model(self) -> Model:
        return self.converted or released_model(self.kind, self.language)

    def ready(self) -> None:
        if self.vectors is None:
            raise InputError(
                f"{self.name} compares words by their vectors, but none are given",
                remedy=f"{NAME_VECTORS}; its authors used {TRAINED_WITH}.",
            )

    @classmethod
    def score_together(
        cls,
        metrics: Sequence[Metric],
        candidate: Text,
        references: Sequence[Text],
        source: Text | None = None,
    ) -> list[float]:
        """Scores on the scale of the training scores; they can be below 0 and above 1."""
        summary, others = sentences_of(candidate), tuple(map(sentences_of, references))
        scores = []
        for one in metrics:
            assert isinstance(one, ReleasedS3)
            one.ready()
            assert one.vectors is not None
            row = released_features(one.vectors, summary, others, one.language)
            scores.append(float(one._model.predict(np.array([row]))[0]))
        return scores

    @classmethod
    def parse(cls: type[_Self], name: str, **settings: Any) -> _Self:
        if name != cls.kind:
            raise ValueError(name)
        return cls(**settings)

    @classmethod
    def names(cls) -> list[str]:
        return [cls.kind]

    @classmethod
    def describe(cls, name: str) -> str:
        return f"{cls.predicts} predicted by the model that the authors of S3 released"


@dataclass(frozen=True)
class ReleasedPyr(ReleasedS3):
    """The model of Pyramid scores for texts in ``language``, which chooses stems and stop words too."""

    language: str = of_language()

    kind = "S3-pyr-released"
    predicts = "Pyramid score"


class ReleasedResp(ReleasedS3):
    """The model of responsiveness."""

    kind = "S3-resp-released"
    predicts = "responsiveness"
