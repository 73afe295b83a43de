"""Metrics of functions that score one text: `metric_function`, a function itself, or one in a file."""

import inspect
import re
import runpy
import sys
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from sera import names
from sera.errors import InputError, first_line
from sera.metrics import FAMILIES
from sera.metrics.base import Caution, Metric, Text, parts_of, signature
from sera.registry import listed_found
from sera.settings import real, shown

Function = TypeVar("Function", bound=Callable[..., float])


class FunctionMetric(Metric):
    """A metric whose scores a function computes."""

    function: ClassVar[Callable[..., float]]
    takes_source: ClassVar[bool]
    failures: ClassVar[dict[tuple[str, ...], str]]
    """What the function raised, by the sentences of the summary."""

    @property
    def signature(self) -> str:
        return signature(self.name, function=f"{type(self).__module__}.{type(self).__qualname__}")

    def score_one(self, candidate: Text, references: Sequence[Text], source: Text | None = None) -> float:
        """The function's number; NaN, with a `Caution` at the first time, where it raises an exception."""
        first, *others = ("\n".join(parts_of(text)) for text in (candidate, *references))
        article = (source and "\n".join(parts_of(source)),) if self.takes_source else ()
        try:
            score = type(self).function(first, others, *article)
        except Exception as error:  # whatever the code of others raises
            failure = f"the function raised {type(error).__name__}: {first_line(error)}"
            if isinstance(error, (AttributeError, TypeError)):
                failure += " (it receives a text, and a list of its references)"
            if not self.failures:
                topic, system = (getattr(candidate, name, None) for name in ("topic", "system"))
                what = f"of topic {topic!r} by {system!r}" if topic else shown(first)
                warnings.warn(
                    f"{self.name}: undefined for the summary {what}: {failure}", Caution, stacklevel=2
                )
            self.failures[parts_of(candidate)] = failure
            return float("nan")
        real(f"the score by {self.name}", score)
        return score

    def explain_undefined(self, candidate: Text) -> str:
        return self.failures.get(parts_of(candidate)) or "the function returned NaN"

    @classmethod
    def names(cls) -> list[str]:
        return [str(cls.name)]

    @classmethod
    def describe(cls, name: str) -> str:
        return (inspect.getdoc(cls) or "without a description").partition("\n")[0].rstrip(".")


def metric_function(name: str, *, falling: bool = False) -> Callable[[Function], Function]:
    """Make a metric, and a family of this name, of a function of a candidate and the list of its references.

    >>> @metric_function("Words")
    ... def words(candidate, references):
    ...     "Share of the words of a summary that are in a reference."
    ...     known = " ".join(references).split()
    ...     return sum(word in known for word in candidate.split()) / len(candidate.split())
    >>> from sera import metric
    >>> metric("Words").score("the kinase binds p53", ["p53 is bound by the kinase"])
    0.75
    >>> words("p53", ["p53"])
    1.0

    falling:  whether lower scores are better

    The function gets each text as a string, with a newline between sentences that are given apart, and
    returns a number. The score is undefined if it is NaN or if the function raises an exception, which the
    note of the score names.
    A function with a third parameter gets the article too, or None if the parameter has a default and there
    is no article. This process knows the metric by its name, and others by an entry point of a package
    (docs/plugins.md). Raises InputError for a name that is another metric's.
    """
    names.check("metric", name)

    def register(function: Function) -> Function:
        parameters = list(inspect.signature(function).parameters.values())
        own = {"name": name, "pattern": re.escape(name), "falling": falling, "failures": {}}
        own["takes_source"] = len(parameters) > 2
        own["needs_source"] = len(parameters) > 2 and parameters[2].default is inspect.Parameter.empty
        like = {key: getattr(function, key) for key in ("__module__", "__qualname__", "__doc__")}
        cls = type(function.__name__, (FunctionMetric,), {**own, **like, "function": staticmethod(function)})
        if name not in FAMILIES.installed:
            FAMILIES.add(name, cls)
        function.metric_family = cls  # type: ignore[attr-defined]
        return function

    return register


def name_function(function: Callable[..., float]) -> str:
    """The name of a function's metric: that of `metric_function`, or of the function, which becomes one."""
    if not hasattr(function, "metric_family"):
        metric_function(getattr(function, "__name__", type(function).__name__))(function)
    return str(function.metric_family.name)  # type: ignore[attr-defined]


_IN_FILE = re.compile(r"(.+\.py):(\w+)")


def name_function_in_file(text: str) -> str:
    """The name of the metric that a text such as ``my_metrics.py:overlap`` selects; any other text itself.

    Runs the file. Raises InputError for a file that is not there or fails, and for one without the function.
    """
    if not (match := _IN_FILE.fullmatch(text)):
        return text
    path, function = match.groups()
    folder = str(Path(path).resolve().parent)
    sys.path.insert(0, folder)  # the file may import others beside it
    try:
        found: dict[str, Any] = runpy.run_path(path)
    except FileNotFoundError:
        raise InputError("there is no such file of a metric", path=path, remedy="Check the path.") from None
    except Exception as error:  # whatever the code of others raises
        problem = f"cannot be run: {type(error).__name__}: {first_line(error)}"
        raise InputError(problem, path=path, remedy=f"Correct it: python {path}") from error
    finally:
        sys.path.remove(folder)
    if not callable(found.get(function)):
        functions = [name for name, value in found.items() if inspect.isfunction(value)]
        problem = f"has no function {function}; it has {listed_found(functions)}"
        raise InputError(problem, path=path, remedy=f"Write {path}:NAME with the name of one.")
    return name_function(found[function])
