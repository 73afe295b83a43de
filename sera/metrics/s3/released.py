"""The metrics of the models that the authors of S3 released (Peyrard, Botschen & Gurevych 2017).

S3-pyr-released predicts Pyramid scores, S3-resp-released responsiveness; both were trained on TAC 2008 and
2009. With ``language="de"``, S3-pyr-released is the German model, which was trained on the DBS corpus. The
German model of responsiveness has no support vector and predicts 0 for every summary, so S3-resp-released has
no German. The package has the models as JSON (``sera/resources/README.md``).

The features are those of the released code, not of S3-best: words as in `sera.metrics.s3.words`, recall of
n-grams over all references together and not rounded, stemmed by Snowball for ROUGE-1 and ROUGE-2. A text
without n-grams has the JS divergence that the formula gives, half of ln 2, where JS-ref has ln 2. The models
were trained with the word vectors of Levy & Goldberg (2014), ``deps.words``, the German one with those of
Reimers et al. (2014). The released code has English stems and stop words written in; here, the German model
gets German ones. The release has no German features or scores to compare with.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib.resources import as_file, files
from typing import ClassVar

import numpy as np

from sera.metrics.base import Metric, Text, parts_of, signature
from sera.metrics.s3.model import Model, load
from sera.metrics.s3.words import CITATION, NgramCounts, ngram_counts, ngrams, stems
from sera.metrics.word_distributions import Sentences, js_divergence
from sera.metrics.word_vector_metrics import RougeWe
from sera.text.languages import ENGLISH, language_setting
from sera.vectors.word_vectors import NAME_VECTORS, WordVectors

TRAINED_WITH = "deps.words"
"""The file of word vectors that the models were trained with (Levy & Goldberg 2014)."""


_FILES = {
    ("S3-pyr-released", ENGLISH): "s3_pyr_released.json",
    ("S3-resp-released", ENGLISH): "s3_resp_released.json",
    ("S3-pyr-released", "de"): "s3_pyr_released_de.json",
}


@cache
def released_model(name: str, language: str = ENGLISH) -> Model:
    """The model of the package, by the name of a metric and the language of its texts."""
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
    vectors: WordVectors, candidate: Sentences, references: tuple[Sentences, ...], language: str = ENGLISH
) -> tuple[float, ...]:
    """The features of a candidate as the released code defines them, in the order of the support vectors.

    JS-ref-1, JS-ref-2, ROUGE-1-R, ROUGE-WE-1-R, ROUGE-2-R and ROUGE-WE-2-R.
    """
    soft = [RougeWe(n, "R", vectors, language=language).score_one(candidate, references) for n in (1, 2)]
    js = []
    for n in (1, 2):
        mine = ngram_counts(candidate, n, language)
        each = (divergence(mine, ngram_counts(one, n, language)) for one in references)
        js.append(math.fsum(each) / len(references))
    once, twice = (recall(candidate, references, n, language) for n in (1, 2))
    return (*js, once, soft[0], twice, soft[1])


@dataclass(frozen=True)
class ReleasedS3(Metric):
    """The base class of the two metrics, with word vectors.

    Scores are near the range of the training scores, 0 to 1, but not limited to it.
    """

    vectors: WordVectors | None = field(default=None)

    language = ENGLISH
    needed: ClassVar = {
        "vectors": (
            "compares words by their vectors, but none are given",
            f"{NAME_VECTORS}; its authors used {TRAINED_WITH}.",
        )
    }
    citation: ClassVar[str] = CITATION

    @property
    def signature(self) -> str:
        digest, vectors = released_model(self.name, self.language).digest, getattr(self.vectors, "name", None)
        return signature(self.name, model=digest, vectors=vectors, **self.sign_texts())

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

    def score_one(self, candidate: Text, references: Sequence[Text], source: Text | None = None) -> float:
        """The score on the scale of the training scores; it can be below 0 and above 1."""
        self.ready()
        assert self.vectors is not None
        others = tuple(map(parts_of, references))
        row = released_features(self.vectors, parts_of(candidate), others, self.language)
        return float(released_model(self.name, self.language).predict(np.array([row]))[0])


@dataclass(frozen=True)
class ReleasedPyr(ReleasedS3):
    """The model of Pyramid scores for texts in ``language``, which chooses stems and stop words too."""

    language: str = language_setting()

    pattern = "S3-pyr-released"
    listed = (pattern,)
    measures = "Pyramid score predicted by the model that the authors of S3 released"


class ReleasedResp(ReleasedS3):
    """The model of responsiveness."""

    pattern = "S3-resp-released"
    listed = (pattern,)
    measures = "responsiveness predicted by the model that the authors of S3 released"
