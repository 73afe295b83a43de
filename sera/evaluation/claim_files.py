"""Claims about coefficients as files: a sentence of a paper, its source, and a formula that decides it.

There is one kind of claim, for the study's multiverse, the matrix, ``sera claims`` and files of users. The
shipped files are named by `CLAIMS_OF_TABLE_2`, `MORE_CLAIMS` and `CLAIMS_OF_OTHERS`. docs/claims.md describes
the form of a file.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from sera.errors import InputError
from sera.evaluation.coefficients import CORRELATIONS
from sera.evaluation.formulas import AbsentScores, CoefficientTable, Formula, FormulaError, read_formula
from sera.files import read_text
from sera.names import nearest_names

CLAIMS_OF_TABLE_2 = "claims_table_2.yaml"
"""The sentences of Cohan & Goharian (2016) on Table 2 that the multiverse decides."""

MORE_CLAIMS = "claims_more.yaml"
"""Their sentences on Table 3 and Figure 1, and more on Table 2."""

CLAIMS_OF_OTHERS = "claims_others.yaml"
"""Sentences of other papers."""

EFFECT_DIGITS = 12
"""Decimals of an effect; smaller differences are rounding errors."""

_OF_FILE = {"claims": "a list", "source": "a text", "sets": "names with their values"}
_OF_CLAIM = {
    "name": "a text",
    "quote": "a text",
    "formula": "a text",
    "source": "a text",
    "section": "a text",
    "compared": "a text",
    "coefficients": "a list",
    "benchmarks": "a list",
}
_NAME = re.compile("[a-z0-9]+(_[a-z0-9]+)*")
_CORRECT = "Correct the YAML."


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
    return effect, undefined if effect.ndim == 0 and np.isnan(effect) else ""


def shipped_claims(name: str) -> tuple[Claim, ...]:
    """The claims of a file in the package, such as `CLAIMS_OF_TABLE_2`."""
    return _claims(name, files("sera.resources").joinpath(name).read_text(encoding="utf-8"))


def read_claims(path: str | PathLike[str], taken: Collection[str] = ()) -> tuple[Claim, ...]:
    """The claims of a file of a user's; InputError with the line for what cannot be read.

    ``taken`` are names that the file may not use, those of claims beside which it stands.
    """
    return _claims(Path(path), read_text(path, "claims, as YAML"), taken)


def _claims(path: str | Path, text: str, taken: Collection[str] = ()) -> tuple[Claim, ...]:
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else None
        raise InputError(f"is not YAML: {error.problem}", path=path, line=line, remedy=_CORRECT) from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        problem = " ".join(str(error).split())[:200]
        raise InputError(f"is not YAML: {problem}", path=path, remedy=_CORRECT) from None
    if root is None:
        raise InputError("holds nothing", path=path, remedy="Write a list of claims under `claims:`.")
    of_file = _mapping(path, root, _OF_FILE, ("claims",))
    sets = dict(_sets(path, of_file["sets"])) if "sets" in of_file else {}
    source = _text(path, of_file["source"], "source") if "source" in of_file else ""
    found: list[Claim] = []
    for node in of_file["claims"].value:
        claim = _claim(path, node, sets, source)
        if claim.name in {*taken, *(each.name for each in found)}:
            raise InputError(
                f"the name {claim.name!r} is taken",
                path=path,
                line=_line(node),
                remedy="Name each claim differently, and not as one of the paper's that are shipped.",
            )
        found.append(claim)
    if not found:
        raise InputError("holds no claim", path=path, remedy="Write a list of claims under `claims:`.")
    return tuple(found)


def _claim(path: str | Path, node: Any, sets: Mapping[str, str], source: str) -> Claim:
    parts = _mapping(path, node, _OF_CLAIM, ("name", "quote", "formula"))
    texts = {key: _text(path, value, key) for key, value in parts.items() if _OF_CLAIM[key] == "a text"}
    lists = {key: _list(path, value, key) for key, value in parts.items() if _OF_CLAIM[key] == "a list"}
    if not _NAME.fullmatch(texts["name"]):
        raise InputError(
            f"the name {texts['name']!r} is no name of a claim",
            path=path,
            line=_line(parts["name"]),
            remedy="Use small letters, digits and _ between them.",
        )
    if not texts.setdefault("source", source):
        raise InputError(
            f"the claim {texts['name']} has no source",
            path=path,
            line=_line(node),
            remedy="Write `source:`, in the claim or for the whole file.",
        )
    for coefficient in lists.get("coefficients", ()):
        if coefficient not in CORRELATIONS:
            raise InputError(
                f"{coefficient!r} is no coefficient",
                path=path,
                line=_line(parts["coefficients"]),
                remedy=f"Use {', '.join(CORRELATIONS)}.",
            )
    try:
        formula = read_formula(texts.pop("formula"), sets)
    except FormulaError as error:
        raise InputError(
            error.problem, path=path, line=_line(parts["formula"]), remedy=error.remedy
        ) from None
    return Claim(
        texts["name"],
        texts["quote"],
        formula,
        texts["source"],
        texts.get("section", ""),
        texts.get("compared", formula.text),
        lists.get("coefficients", CORRELATIONS),
        lists.get("benchmarks", ()),
    )


def _mapping(path: str | Path, node: Any, keys: Mapping[str, str], needed: Sequence[str]) -> dict[str, Any]:
    """The values by key; each of the kind that ``keys`` names."""
    kinds = {"a text": yaml.ScalarNode, "a list": yaml.SequenceNode}
    if not isinstance(node, yaml.MappingNode):
        raise InputError(
            "names with their values should be here",
            path=path,
            line=_line(node),
            remedy=f"Write {', '.join(f'`{key}:`' for key in needed)} with their values.",
        )
    found: dict[str, Any] = {}
    for name, value in node.value:
        key = str(name.value)
        if key not in keys:
            nearest = nearest_names(key, list(keys))
            remedy = f"Use {nearest[0]}." if nearest else f"Use {', '.join(keys)}."
            raise InputError(f"there is no key {key!r} here", path=path, line=_line(name), remedy=remedy)
        if key in found:
            raise InputError(f"has {key!r} twice", path=path, line=_line(name), remedy="Keep one of them.")
        if not isinstance(value, kinds.get(keys[key], yaml.MappingNode)):
            raise InputError(f"{key} is not {keys[key]}", path=path, line=_line(value), remedy=_CORRECT)
        found[key] = value
    for key in needed:
        if key not in found:
            raise InputError(f"{key} is missing", path=path, line=_line(node), remedy=f"Write `{key}:`.")
    return found


def _sets(path: str | Path, node: Any) -> Iterator[tuple[str, str]]:
    for name, value in node.value:
        if not isinstance(name, yaml.ScalarNode) or not re.fullmatch(r"\w[\w ]*", name.value):
            raise InputError("is no name of a set", path=path, line=_line(name), remedy="Use letters and _.")
        yield name.value, _text(path, value, f"the set {name.value}")


def _text(path: str | Path, node: Any, what: str) -> str:
    text = " ".join(node.value.split()) if isinstance(node, yaml.ScalarNode) else ""
    if not text:
        raise InputError(f"{what} is no text", path=path, line=_line(node), remedy="Write a text.")
    return text


def _list(path: str | Path, node: Any, what: str) -> tuple[str, ...]:
    if not node.value:
        raise InputError(f"{what} is empty", path=path, line=_line(node), remedy="Name one, or leave it out.")
    return tuple(_text(path, each, f"an entry of {what}") for each in node.value)


def _line(node: Any) -> int:
    return int(node.start_mark.line) + 1
