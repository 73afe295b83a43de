"""Metrics: declared here by family, imported when one of their names is used.

>>> from sera import metric
>>> metric("ROUGE-2-R").score("the cat sat", ["a cat sat down"])
1.0
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from sera.errors import InputError
from sera.metrics.base import Metric
from sera.registry import Registry, unknown

FAMILIES = Registry(
    "metric family",
    {
        "ROUGE": (
            "sera.metrics.rouge.measures:Rouge",
            "n-gram, subsequence and skip-bigram overlap (Lin 2004)",
        ),
        "SERA": (
            "sera.metrics.sera:Sera",
            "overlap of what candidate and references retrieve (Cohan & Goharian 2016)",
        ),
        "Pyramid": (
            "sera.metrics.pyramid:Pyramid",
            "weighted content units found (Nenkova & Passonneau 2004)",
        ),
        "MOULIN-ROUGE": (
            "sera.metrics.moulin_rouge:MoulinRouge",
            "content of the references in words of one's own (Nelson 2020)",
        ),
        "ROUGE-K": ("sera.metrics.rouge_k:RougeK", "keywords found (Takeshita et al. 2024)"),
        "JS-ref": (
            "sera.metrics.word_distributions:JsRef",
            "divergence from the references (Peyrard et al. 2017)",
        ),
        "JS": ("sera.metrics.word_distributions:Js", "divergence from the article (Louis & Nenkova 2013)"),
        "KL": ("sera.metrics.word_distributions:Kl", "divergence from the article (Peyrard et al. 2017)"),
        "TF*IDF": ("sera.metrics.word_distributions:TfIdf", "weight of what is said (Peyrard et al. 2017)"),
        "Cov": ("sera.metrics.word_distributions:Coverage", "coverage of the article (Peyrard et al. 2017)"),
        "Red": ("sera.metrics.word_distributions:Redundancy", "repetition (Peyrard et al. 2017)"),
        "ROUGE-WE": (
            "sera.metrics.word_vector_metrics:RougeWe",
            "overlap of n-grams with similar vectors (Ng & Abrecht 2015)",
            "vectors",
        ),
        "AVG_SIM": (
            "sera.metrics.word_vector_metrics:AvgSim",
            "similarity of mean word vectors (Peyrard et al. 2017)",
            "vectors",
        ),
        "Frame": ("sera.metrics.frames:Frame", "overlap of frames (Peyrard et al. 2017)", "frames"),
        "S3": ("sera.metrics.s3.model:S3", "learnt from human judgements (Peyrard et al. 2017)", "model"),
    },
)


def family_of(name: str) -> str:
    """The family that a metric's name belongs to: the longest family name that it starts with."""
    family = _family(name)
    if family is None:
        raise unknown("metric", name, catalogue_names())
    return family


def _family(name: str) -> str | None:
    if not isinstance(name, str):
        return None
    fitting = [family for family in FAMILIES if name == family or name.startswith(f"{family}-")]
    return max(fitting, key=len, default=None)


def is_metric(name: str) -> bool:
    """Whether a name is that of a metric, listed or not."""
    try:
        metric(name)
    except InputError:
        return False
    return True


def falling(names: Iterable[str]) -> list[str]:
    """Those of the metrics of which less is better; a metric that is not known here is taken to rise."""
    return [
        name
        for name in names
        if (family := _family(name)) and FAMILIES.load(family).falling and is_metric(name)
    ]


def metric(name: str, **settings: Any) -> Metric:
    """The metric of a canonical name, such as ``ROUGE-2-F``, ``SERA-DIS-NP-10`` or ``Pyramid``.

    ``settings`` are the family's own (see its class). Raises InputError for a name that is not known,
    with the nearest that are, and for a setting that the family does not have.
    """
    family = FAMILIES.load(family_of(name))
    try:
        return family.parse(name, **settings)
    except TypeError as error:
        raise InputError(f"{name}: {error}") from None
    except InputError:
        raise
    except ValueError:
        raise unknown("metric", name, family.names()) from None


def catalogue() -> Iterator[tuple[str, str]]:
    """Every listed metric's name and its description of one line."""
    for family in FAMILIES:
        loaded = FAMILIES.load(family)
        for name in loaded.names():
            yield name, loaded.describe(name)


def catalogue_names() -> list[str]:
    """Every listed metric's name."""
    return [name for name, _ in catalogue()]
