"""Pages of results: each is one file that needs no network, and a list of parts of one template.

``base.html.j2`` has what all pages share, ``macros.html.j2`` the forms of tables and figures, and
``page.html.j2`` the parts of a page on judged metrics. A package with a page of its own extends one of these.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import jinja2
import pandas as pd

from sera.evaluation.coefficients import CORRELATIONS
from sera.evaluation.tables import SYMBOLS
from sera.io.files import writing
from sera.metrics.copied_phrases import CopiedPhrases
from sera.reporting.overview import means_by_system

TEMPLATE = Path(__file__).with_name("page.html.j2")

_DEFAULTS: dict[str, Any] = {
    **dict.fromkeys(("paper", "synthetic", "with_files", "settings", "signatures", "similarity"), False),
    **{"marks": {}, "notes": (), "apart": (), "symbols": {name: SYMBOLS[name] for name in CORRELATIONS}},
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
    environment.filters |= {"number": number, "signed": partial(number, sign="+"), "best": best_in_words}
    environment.filters["negative"] = is_negative
    return environment.get_template(template.name).render({**_DEFAULTS, **content, "parts": parts})


def marked_page(found: Iterable[CopiedPhrases], least: int) -> str:
    """The page of `sera research mark`: each summary with its copied phrases marked, and their number."""
    summaries = [
        (one, [list(_pieces(*pair)) for pair in zip(one.candidate.sentences, one.marks, strict=True)])
        for one in found
    ]
    content = {"title": "Copied phrases", "heading": "Copied phrases", "least": least, "found": summaries}
    return render([Part("summaries", "The summaries")], content, TEMPLATE.with_name("marked.html.j2"))


def _pieces(sentence: str, marks: Iterable[tuple[int, int]]) -> Iterator[tuple[str, bool]]:
    """The parts of a sentence in their order, each with whether it is marked."""
    place = 0
    for start, end in marks:
        yield from ((sentence[place:start], False), (sentence[start:end], True))
        place = end
    yield sentence[place:], False


def in_words(judgements: Sequence[str]) -> str:
    """The names of judgements for a heading.

    >>> in_words(["fluency", "coherence", "style"])
    'fluency and 2 more judgements'
    """
    if len(judgements) < 3:
        return " and ".join(judgements)
    return f"{judgements[0]} and {len(judgements) - 1} more judgements"


def rows(table: pd.DataFrame, verdicts: pd.DataFrame | None = None) -> list[dict[str, Any]]:
    """A table of correlations for the template: a row per metric, SERA's first.

    ``verdicts`` compares a table with published values: the same rows, a column per coefficient. The page's
    ``marks`` have the sign of each verdict.
    """
    parts = {"value": "", "low": "_low", "high": "_high"}
    if verdicts is not None:
        parts |= {"paper": "_paper", "difference": "_difference"}
    found = []
    for place, row in table.iterrows():
        cells = {name: {part: row[f"{name}{end}"] for part, end in parts.items()} for name in CORRELATIONS}
        if verdicts is not None:
            for name, cell in cells.items():
                cell["verdict"] = verdicts.loc[place, name]
        ours = row["metric"].startswith("SERA")
        found.append({"metric": row["metric"], "against": row["against"], "cells": cells, "ours": ours})
    return sorted(found, key=lambda row: not row["ours"])


def system_means(scores: pd.DataFrame, shown: Sequence[str], systems: Sequence[str]) -> dict[str, Any]:
    """The mean scores of every system by some metrics, sorted by the first one from the best."""
    means = means_by_system(scores[scores["metric"].isin(shown)])
    shown = [name for name in dict.fromkeys(shown) if name in means]
    means = means[shown].sort_values(shown[0], ascending=False, kind="stable")
    found = [
        {"system": name, "counts": name in systems, "values": list(values)}
        for name, values in zip(means.index, means.to_numpy(), strict=True)
    ]
    return {"metrics": shown, "rows": found}


def picture(path: str | PathLike[str], alt: str, note: str = "", *, full: bool = False) -> dict[str, Any]:
    """A figure for the template: its two layouts as images, the text that states its result, and a note.

    The narrow layout is the file with ``_narrow`` in its name, if there is one. ``full`` asks for a wide
    screen before the wide layout is shown.
    """
    path = Path(path)
    narrow = path.with_name(f"{path.stem}_narrow.svg")
    return {
        "name": path.stem,
        "folder": path.parent.name,
        "wide": _image(path),
        "narrow": _image(narrow) if narrow.is_file() else None,
        "alt": alt,
        "note": note,
        "full": full,
    }


_SIZE = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')
_UNSEEN = re.compile(
    r"<\?xml.*?\?>|<!DOCTYPE[^>]*>|<metadata>.*?</metadata>|(?<=\") transform=\"rotate\(-0 [^\"]*\"", re.S
)
_NAMED, _ID, _STYLE = re.compile(r"#([\w.-]+)"), re.compile(r' id="([^"]*)"'), re.compile(r' style="([^"]*)"')
_LONG_NUMBER, _STEP = re.compile(r"-?\d+\.\d{3,}"), re.compile(r" ?([MLCQz]) ?(?=[\d\"-])")
_EMPTY = re.compile(r"<g/>|<g></g>|<g>(<[^<]*/>|<text[^<]*</text>)</g>")


def _image(path: Path) -> dict[str, Any]:
    """An SVG file as the address of an image, since ids of several files would clash in one page; its size.

    The size is in points; the page needs it to keep the place of an image before it is drawn.
    """
    text = path.read_text(encoding="utf-8")
    size = _SIZE.search(text, 0, 2000)
    width, height = (round(float(number)) for number in size.groups()) if size else (1, 1)
    address = f"data:image/svg+xml;base64,{b64encode(compact(text).encode()).decode()}"
    return {"address": address, "width": width, "height": height}


def compact(svg: str) -> str:
    """A figure of matplotlib in about a fifth of the bytes, which looks the same; its texts stay as they are.

    Equal styles become one class, and coordinates have two decimals, a hundredth of a point.
    """
    svg = _UNSEEN.sub("", svg)
    named = set(_ID.findall(svg)) & set(_NAMED.findall(svg))
    short = {name: f"i{number}" for number, name in enumerate(sorted(named))}
    classes: dict[str, str] = {}

    def class_of(found: re.Match[str]) -> str:
        return f' class="{classes.setdefault(found[1], f"c{len(classes)}")}"'

    def tag(found: re.Match[str]) -> str:
        text = _ID.sub(lambda own: f' id="{short[own[1]]}"' if own[1] in short else "", found[0])
        text = _NAMED.sub(lambda one: f"#{short.get(one[1], one[1])}", text)
        text = _LONG_NUMBER.sub(lambda one: f"{float(one[0]):.2f}".rstrip("0").rstrip("."), text)
        text = _STYLE.sub(class_of, text.replace("\n", ""))
        return _STEP.sub(r"\1", text) if text.startswith("<path") else text

    svg = re.sub(r">\s*\n\s*<", "><", re.sub(r"<[^>]+>", tag, svg))
    while (shorter := _EMPTY.sub(r"\1", svg)) != svg:
        svg = shorter
    rules = "".join(f".{name}{{{style}}}" for style, name in classes.items())
    return svg.strip().replace("</style>", f"{rules}</style>", 1)


def number(value: float | None, digits: int = 3, sign: str = "") -> str:
    """A number with a true minus, and with the ``sign`` "+" a true plus; ``–`` if it is undefined."""
    return "–" if value is None or pd.isna(value) else f"{value:{sign}z.{digits}f}".replace("-", "−")


def is_negative(one: Mapping[str, Any]) -> bool:
    """Whether the metrics of `sera.reporting.overview.best_metrics` rank systems the other way round.

    >>> is_negative({"metrics": ["M"], "falling": [], "value": -1.0})
    True
    >>> is_negative({"metrics": ["JS-2"], "falling": ["JS-2"], "value": -1.0})
    False
    """
    lower_is_better = len(one["falling"]) == len(one["metrics"])
    return bool(one["value"] > 0 if lower_is_better else one["value"] < 0)


def best_in_words(one: Mapping[str, Any] | None, most: int = 4, over: str = "topics") -> str:
    """The metrics of `sera.reporting.overview.best_metrics` in words, ``most`` of them by name.

    ``over`` names what the interval resamples.

    >>> best_in_words({"metrics": ["A", "B"], "falling": ["B"], "value": 1.0, "low": None, "high": None})
    'A and B (lower is better), tied at 1.000'
    """
    if one is None:
        return "undefined"
    value = number(one["value"])
    names = [f"{name} (lower is better)" if name in one["falling"] else name for name in one["metrics"]]
    if len(names) == 1:
        if one["low"] is None:
            return f"{names[0]}, {value}"
        return f"{names[0]}, {value} ({number(one['low'], 2)} to {number(one['high'], 2)} over {over})"
    if len(names) <= most:
        return f"{', '.join(names[:-1])} and {names[-1]}, tied at {value}"
    return f"{len(names)} metrics, tied at {value}: {', '.join(names[:most])} and {len(names) - most} more"
