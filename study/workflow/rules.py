"""What the rules share: the environment and logs of jobs, resources, parameters, outputs, the commit."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from snakemake.io import get_wildcard_names, strip_wildcard_constraints

from sera.summarizers import parameters_of_paper
from study.workflow.fingerprints import code


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


def commit(checkout: str) -> dict[str, Any]:
    """The ``commit`` of a checkout, whether it is ``modified``, and the ``repository`` it was cloned from.

    It is modified if tracked files differ from the commit. The repository is the `public_address` of the
    remote named origin. Each is None if git does not know it.
    """

    def git(*arguments: str) -> str | None:
        try:
            run = subprocess.run(["git", "-C", str(checkout), *arguments], capture_output=True, text=True)
        except OSError:
            return None
        return run.stdout.strip() if run.returncode == 0 else None

    top = git("rev-parse", "--show-toplevel")
    if not top or Path(top).resolve() != Path(checkout).resolve():  # a copy inside another repository
        return {"commit": None, "modified": None, "repository": None}
    changed = git("status", "--porcelain", "--untracked-files=no")
    return {
        "commit": git("rev-parse", "HEAD"),
        "modified": None if changed is None else bool(changed),
        "repository": public_address(git("remote", "get-url", "origin") or ""),
    }


def public_address(remote: str) -> str | None:
    """The address of a git remote without user, password and query, which may be secrets.

    None for a folder, which is an address on one machine only.
    """
    if short := re.fullmatch(r"(?:[^/@]*@)?([\w.-]{2,}):(?!//)(\S+)", remote):  # [user@]server:path
        return f"{short[1]}:{short[2]}"
    address = re.fullmatch(
        r"((?:https?|ssh|git)://)(?:[^/@]*@)?((?:[\w.-]+|\[[\w.:]+\])(?::\d+)?)([^?#]*)(?:[?#].*)?", remote
    )
    return "".join(address.groups()) if address and address[3][:1] in ("", "/") else None
