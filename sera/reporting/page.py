"""Pages of results: each is one file that needs no network, and a list of parts of one template.

``base.html.j2`` has what all pages share, ``macros.html.j2`` the forms of tables and figures, and
``page.html.j2`` the parts of a page on judged metrics. A package with a page of its own extends one of these.
"""

import re
import string
from collections.abc import Mapping, Sequence
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

import jinja2
import pandas as pd

from sera.evaluation.coefficients import CORRELATIONS
from sera.evaluation.tables import SYMBOLS
from sera.io.files import writing
from sera.reporting.overview import means_by_system

TEMPLATE = Path(__file__).with_name("page.html.j2")

_DEFAULTS: dict[str, Any] = {
    **dict.fromkeys(("paper", "with_files", "settings", "signatures"), False),
    "marks": {},
    "again": {},
    "notes": (),
    "apart": (),
    "symbols": {name: SYMBOLS[name] for name in CORRELATIONS},
}


class Part(NamedTuple):
    """A section of a page: its id, which names a block of the template, its heading, its link at the top.

    A ``folded`` section opens when its heading is pressed or its link is followed.
    """

    id: str
    heading: str
    link: str = ""
    folded: bool = False


def write_page(path: str | PathLike[str], text: str) -> None:
    """Write a page, whole or not at all."""
    with writing(path) as stream:
        stream.write(text)


def render(parts: Sequence[Part], content: Mapping[str, Any], template: Path = TEMPLATE) -> str:
    """A page of these parts, in their order; ``content`` has what the template's blocks show."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader([template.parent, TEMPLATE.parent]),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"number": number, "signed": partial(number, sign="+")}
    return environment.get_template(template.name).render({**_DEFAULTS, **content, "parts": parts})


def list_judgements(judgements: Sequence[str]) -> str:
    """The names of judgements for a heading: ``fluency and 2 more judgements``."""
    if len(judgements) < 3:
        return " and ".join(judgements)
    return f"{judgements[0]} and {len(judgements) - 1} more judgements"


def rows(table: pd.DataFrame, verdicts: pd.DataFrame | None = None) -> list[dict[str, Any]]:
    """A table of correlations for the template: a row per metric.

    ``verdicts`` compares a table with published values: the same rows, a column per coefficient. The page's
    ``marks`` have the sign of each verdict.
    """
    parts = {"value": "", "low": "_low", "high": "_high"}
    if verdicts is not None:
        parts |= {"paper": "_paper", "difference": "_difference"}
    lines = []
    for place, row in table.iterrows():
        cells = {name: {part: row[f"{name}{end}"] for part, end in parts.items()} for name in CORRELATIONS}
        if verdicts is not None:
            for name, cell in cells.items():
                cell["verdict"] = verdicts.loc[place, name]
        ours = row["metric"].startswith("SERA")
        lines.append({"metric": row["metric"], "against": row["against"], "cells": cells, "ours": ours})
    return lines


def system_means(
    scores: pd.DataFrame, shown: Sequence[str], systems: Sequence[str], *, lowest: bool = False
) -> dict[str, Any]:
    """The mean scores of every system by some metrics, sorted by the first one from the best.

    ``lowest``: whether the lowest mean by the first one is the best.
    """
    means = means_by_system(scores[scores["metric"].isin(shown)])
    shown = [name for name in dict.fromkeys(shown) if name in means]
    means = means[shown].sort_values(shown[0], ascending=lowest, kind="stable")
    lines = [
        {"system": name, "counts": name in systems, "values": list(values)}
        for name, values in zip(means.index, means.to_numpy(), strict=True)
    ]
    return {"metrics": shown, "rows": lines}


def picture(path: str | PathLike[str], alt: str, note: str = "") -> dict[str, Any]:
    """A figure for the template: an SVG file as the address of an image, its text, and a note.

    It is an image, since ids of several files would clash in one page. An inch has 96 pixels, and letters are
    as large as they were drawn.
    """
    path = Path(path)
    text = _NOT_DRAWN.sub("", path.read_text(encoding="utf-8")).partition("<svg")[2]
    points = re.findall(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', text)[0]
    width, height = (round(float(size) * 4 / 3) for size in points)
    facts = {"name": path.stem, "folder": path.parent.name, "width": width, "height": height}
    drawing = f'<svg font-family="DejaVu Sans, Arial, sans-serif"{text}'
    address = f"data:image/svg+xml,{quote(drawing, safe=_PLAIN)}"
    return facts | {"address": address, "alt": alt, "note": note}


# what draws nothing: comments, indents, ids without a reference, each text's font, third decimals, turns by 0
_IN_TAG = r' id="[\w.]+_\d+"|; font-family:[^;"]*|(?<=\.\d\d)\d+| transform="rotate\(-0 [^"]*"'
_NOT_DRAWN = re.compile(rf"<!--.*?-->|\n *|(?:{_IN_TAG})(?=[^<>]*>)")
_PLAIN = "".join({*string.printable} - {*"%#&'"})  # the letters of an address between single quotes


def number(value: float | None, digits: int = 3, sign: str = "") -> str:
    """A number with a true minus; ``–`` if it is undefined.

    With the ``sign`` "+", every number shows its sign, so that an interval from −0.004 reads as one with 0.
    """
    if value is None or pd.isna(value):
        return "–"
    return f"{value + 0.0:{sign or 'z'}.{digits}f}".replace("-", "−")
