"""Claims about coefficients as files: a sentence of a paper, its source, and a formula that decides it.

There is one kind of claim, for the study's multiverse, the matrix, ``python -m study claims`` and files of
users. The shipped files are named by `CLAIMS_OF_TABLE_2`, `MORE_CLAIMS` and `CLAIMS_OF_OTHERS`.
docs/multiverse.md describes the form of a file.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from sera.errors import InputError
from sera.evaluation.correlation.coefficients import CORRELATIONS
from sera.io.files import read_text
from sera.names import nearest_names
from study.claims.formulas import AbsentScores, CoefficientTable, Formula, FormulaError, read_formula

CLAIMS_OF_TABLE_2 = "claims_table_2.yaml"
"""The sentences of Cohan & Goharian (2016) on Table 2 that the multiverse decides."""

MORE_CLAIMS = "claims_more.yaml"
"""Their sentences on Table 3 and Figure 1, and more on Table 2."""

CLAIMS_OF_OTHERS = "claims_others.yaml"
"""Sentences of other papers."""

EFFECT_DIGITS = 12
"""Decimals of an effect; smaller differences are rounding errors."""

_TEXTS = ("name", "quote", "formula", "source", "section", "compared")
_LISTS = ("coefficients", "benchmarks")


@dataclass(frozen=True)
class Claim:
    """A claim: a sentence with its source, and a formula, above 0 if the claim holds by a coefficient.

    ``quote`` is a quotation, with … for omissions, and ``compared`` the formula in words. ``coefficients``
    are those by which the claim is made. ``benchmarks`` names the data of the sentence, for readers alone.
    """

    name: str
    quote: str
    formula: Formula
    source: str = ""
    section: str = ""
    compared: str = ""
    coefficients: tuple[str, ...] = CORRELATIONS
    benchmarks: tuple[str, ...] = ()

    def effect(self, table: CoefficientTable) -> np.ndarray:
        """The claim's effect, as `Formula.effect`: it holds above 0, a tie fails, and NaN is undefined."""
        return self.formula.effect(table)


def effect_or_reason(claim: Claim, table: CoefficientTable, undefined: str) -> tuple[np.ndarray, str]:
    """The effect, and why it is undefined: "" if it is defined, and NaN and the reason otherwise."""
    try:
        effect = claim.effect(table)
    except AbsentScores as error:
        return np.asarray(np.nan), str(error)
    why = f"{undefined}, or a divisor is 0" if " / " in claim.formula.text else undefined
    return effect, why if effect.ndim == 0 and np.isnan(effect) else ""


def shipped_claims(name: str) -> tuple[Claim, ...]:
    """The claims of a file in the package, such as `CLAIMS_OF_TABLE_2`."""
    return _claims(name, files("study.resources").joinpath(name).read_text(encoding="utf-8"))


def read_claims(path: str | PathLike[str], taken: Collection[str] = ()) -> tuple[Claim, ...]:
    """The claims of a file of a user's; InputError with the line for what cannot be read.

    ``taken`` are names that the file may not use, those of the claims that it is added to.
    """
    return _claims(Path(path), read_text(path, "claims, as YAML"), taken)


def _claims(path: str | Path, text: str, taken: Collection[str] = ()) -> tuple[Claim, ...]:
    file = _File(path)
    parts = file.mapping(file.root(text), ("claims", "source", "sets"), ("claims",))
    source = file.text(parts["source"], "source") if "source" in parts else ""
    sets = {}
    for name, node in file.mapping(parts["sets"]).items() if "sets" in parts else ():
        if not re.fullmatch(r"\w[\w ]*", name):
            raise file.fault(node, f"{name!r} cannot name a set", "Use letters and _.")
        sets[name] = file.text(node, f"the set {name}")
    found: dict[str, Claim] = {}
    for node in file.entries(parts["claims"], "claims"):
        claim = _claim(file, node, sets, source)
        if claim.name in (*taken, *found):
            remedy = "Name each claim differently, and not as one of the paper's that are shipped."
            raise file.fault(node, f"the name {claim.name!r} is taken", remedy)
        found[claim.name] = claim
    return tuple(found.values())


def _claim(file: _File, node: yaml.Node, sets: Mapping[str, str], source: str) -> Claim:
    nodes = file.mapping(node, (*_TEXTS, *_LISTS), ("name", "quote", "formula"))
    texts = {key: file.text(nodes[key], key) for key in _TEXTS if key in nodes}
    lists = {
        key: tuple(file.text(each, f"an entry of {key}") for each in file.entries(nodes[key], key))
        for key in _LISTS
        if key in nodes
    }
    if not re.fullmatch("[a-z0-9]+(_[a-z0-9]+)*", name := texts["name"]):
        remedy = "Use small letters, digits and _ between them."
        raise file.fault(nodes["name"], f"{name!r} cannot name a claim", remedy)
    if not texts.setdefault("source", source):
        remedy = "Write `source:`, in the claim or for the whole file."
        raise file.fault(node, f"the claim {name} has no source", remedy)
    if unknown := set(lists.get("coefficients", ())) - set(CORRELATIONS):
        remedy = f"Use {', '.join(CORRELATIONS)}."
        raise file.fault(nodes["coefficients"], f"{min(unknown)!r} is not a coefficient", remedy)
    try:
        formula = read_formula(texts.pop("formula"), sets)
    except FormulaError as error:
        raise file.fault(nodes["formula"], error.problem, error.remedy) from None
    parts: dict[str, Any] = {"compared": formula.text, **texts, **lists}
    return Claim(formula=formula, **parts)


class _File:
    """Reads the nodes of a YAML file, which know their lines; nothing in it is built or expanded."""

    def __init__(self, path: str | Path) -> None:
        self._path = path

    def fault(self, node: yaml.Node, problem: str, remedy: str) -> InputError:
        return InputError(problem, path=self._path, line=node.start_mark.line + 1, remedy=remedy)

    def root(self, text: str) -> yaml.Node:
        try:
            return yaml.compose(text, Loader=yaml.SafeLoader) or yaml.compose("''")
        except (yaml.YAMLError, ValueError, RecursionError) as error:
            mark = getattr(error, "problem_mark", None)
            problem = " ".join(str(getattr(error, "problem", None) or error).split())[:200]
            line = mark.line + 1 if mark else None
            raise InputError(
                f"is not YAML: {problem}", path=self._path, line=line, remedy="Correct the YAML."
            ) from None

    def mapping(
        self, node: yaml.Node, keys: Sequence[str] = (), needed: Sequence[str] = ()
    ) -> dict[str, yaml.Node]:
        """The values by key; the keys have to be some of ``keys``, unless there are none."""
        if not isinstance(node, yaml.MappingNode):
            wanted = ", ".join(f"`{key}:`" for key in needed or ["a name"])
            raise self.fault(node, "keys with their values should be here", f"Write {wanted} with a value.")
        found: dict[str, yaml.Node] = {}
        for key, value in node.value:
            name = str(key.value)
            if keys and name not in keys:
                remedy = f"Use {', '.join(nearest_names(name, keys, most=1) or keys)}."
                raise self.fault(key, f"there is no key {name!r} here", remedy)
            if name in found:
                raise self.fault(key, f"has {name!r} twice", "Keep one of them.")
            found[name] = value
        if missing := [key for key in needed if key not in found]:
            raise self.fault(node, f"{missing[0]} is missing", f"Write `{missing[0]}:`.")
        return found

    def text(self, node: yaml.Node, what: str) -> str:
        text = " ".join(node.value.split()) if isinstance(node, yaml.ScalarNode) else ""
        if not text:
            raise self.fault(node, f"{what} is not a text", "Write a text.")
        return text

    def entries(self, node: yaml.Node, what: str) -> Sequence[yaml.Node]:
        if not isinstance(node, yaml.SequenceNode) or not node.value:
            raise self.fault(node, f"{what} is not a list with entries", "Write - before each entry.")
        return node.value
