"""`metric_function`: a metric of a function that scores one text."""

import inspect
import re
from collections.abc import Callable, Sequence
from typing import ClassVar

from sera import names
from sera.metrics import FAMILIES
from sera.metrics.base import Metric, Text, parts_of, signature
from sera.settings import real

Function = Callable[[str, list[str]], float]


class FunctionMetric(Metric):
    """A metric whose scores a function computes."""

    function: ClassVar[Function]

    @property
    def signature(self) -> str:
        return signature(self.name, function=f"{type(self).__module__}.{type(self).__qualname__}")

    def score_one(self, candidate: Text, references: Sequence[Text], source: Text | None = None) -> float:
        first, *others = ("\n".join(parts_of(text)) for text in (candidate, *references))
        score = type(self).function(first, others)
        real(f"the score by {self.name}", score)
        return score

    @classmethod
    def names(cls) -> list[str]:
        return [str(cls.name)]

    @classmethod
    def describe(cls, name: str) -> str:
        return (inspect.getdoc(cls) or "without a description").partition("\n")[0].rstrip(".")


def metric_function(name: str, *, falling: bool = False) -> Callable[[Function], type[FunctionMetric]]:
    """Make a metric, and a family of this name, of a function of a candidate and the list of its references.

    >>> @metric_function("Words")
    ... def words(candidate, references):
    ...     "Share of the words of a summary that are in a reference."
    ...     known = " ".join(references).split()
    ...     return sum(word in known for word in candidate.split()) / len(candidate.split())
    >>> from sera import metric
    >>> metric("Words").score("the kinase binds p53", ["p53 is bound by the kinase"])
    0.75

    falling:  whether lower scores are better

    The function gets each text as a string, with a newline between sentences that are given apart, and
    returns a number; NaN is an undefined score. This process knows the metric by its name, and others by an
    entry point of a package (docs/plugins.md). Raises InputError for a name that is another metric's.
    """
    names.check("metric", name)

    def made(function: Function) -> type[FunctionMetric]:
        own = {"name": name, "pattern": re.escape(name), "falling": falling}
        like = {key: getattr(function, key) for key in ("__module__", "__qualname__", "__doc__")}
        cls = type(function.__name__, (FunctionMetric,), {**own, **like, "function": staticmethod(function)})
        if name not in FAMILIES.installed:
            FAMILIES.add(name, cls)
        return cls

    return made
