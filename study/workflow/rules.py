"""What the rules share: the environment and logs of jobs, resources, parameters, outputs."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from snakemake.io import get_wildcard_names, strip_wildcard_constraints

from sera.summarizers import parameters_of_paper
from study.workflow.code import code


def set_environment(root: str) -> None:
    """Make jobs import the library of the checkout at ``root``, not an installed copy, and use one thread.

    Sums of floats depend on the number of threads; with one thread, results are the same everywhere.
    """
    os.environ["PYTHONPATH"] = os.pathsep.join(
        [root, f"{root}/plugins/sera-guided", *filter(None, [os.environ.get("PYTHONPATH")])]
    )
    for library in ("OMP", "OPENBLAS", "MKL", "NUMEXPR"):
        os.environ[f"{library}_NUM_THREADS"] = "1"


def complete(rules: Iterable[Any], out: str, prefix: str = "") -> None:
    """Give each step a log, measurements, an environment and the parameter ``code`` where its rule sets none.

    Rules are Snakemake's own objects; ``prefix`` is what a module puts before their names. The log of the
    rule ``search`` is ``<out>/logs/search.log``; a rule with wildcards has a log for each of their values,
    such as ``<out>/logs/extract_corpus/{package}.log``. Measurements are in ``<out>/benchmarks``.
    """
    for rule in rules:
        if rule.norun or not rule.output:
            continue
        wildcards = re.findall(r"{\w+}", strip_wildcard_constraints(str(rule.output[0])))
        name = "/".join([rule.name.removeprefix(prefix), *filter(None, ["-".join(wildcards)])])
        rule.log_modifier = rule.benchmark_modifier = rule.output_modifier
        if not rule.log:
            rule.set_log(f"{out}/logs/{name}.log")
        if not rule.benchmark:
            rule.benchmark = f"{out}/benchmarks/{name}.tsv"
        if not rule.conda_env:
            rule.conda_env = "../envs/study.yaml"
        if "code" not in rule.params.keys():
            rule.set_params(code=code(Path(rule.script).stem))


def parameters_of(system: str, summarizers: str, own: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """A system's parameters: its ``own``, before those of its paper if ``summarizers`` is ``papers``."""
    return {**(parameters_of_paper(system) if summarizers == "papers" else {}), **own.get(system, {})}


def growing(amount: int) -> Callable[..., int]:
    """A resource that grows with each attempt of a job, where the profile's default does not fit."""
    return lambda wildcards, attempt: amount * attempt


def literally(value: Any) -> Callable[..., Any]:
    """A parameter with a text whose braces are not wildcards, such as the name of a benchmark's folder."""
    return lambda wildcards: value


def making(folder: str, rules: Iterable[Any], but: Sequence[Any] = ()) -> list[Any]:
    """The rules that make files in a folder, ``but`` some; rules are Snakemake's own objects."""
    inside = f"{folder}/"
    chosen = (rule for rule in rules if rule not in but)
    return [rule for rule in chosen if any(str(output).startswith(inside) for output in rule.output)]


def steps(rules: Iterable[Any], values: Mapping[str, Sequence[Any]]) -> list[str]:
    """Every output of rules, sorted; their wildcards have the declared values that the rules accept.

    ``rules`` are Snakemake's own objects. ``values`` has the values of a wildcard by its name; of wildcards
    that occur together, tuples of values by the names with a comma between them, as in "cleaning,words".
    Raises KeyError for wildcards without values.
    """
    return sorted({path for rule in rules for output in rule.output for path in _expanded(output, values)})


def _expanded(output: Any, values: Mapping[str, Sequence[Any]]) -> list[str]:
    pattern = strip_wildcard_constraints(str(output))
    names = sorted(get_wildcard_names(pattern))
    if not names:
        return [pattern]
    together = ",".join(names)
    found = values[together] if len(names) > 1 else [(value,) for value in values[together]]
    paths = [pattern.format(**dict(zip(names, each, strict=True))) for each in found]
    return [path for path in paths if output.match(path)]


def made_unless(fault: str, results: Callable[[], Any]) -> Callable[[Any], Any]:
    """The input of a target: the results, or the end of the program with the fault in a line."""

    def made(wildcards: Any) -> Any:
        if fault:
            raise SystemExit(f"Error: {fault}")
        return results()

    return made
