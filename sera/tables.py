"""Tables as TSV for programs, Markdown for reading and LaTeX for papers."""

from __future__ import annotations

import re
from os import PathLike
from pathlib import Path
from typing import Any

import pandas as pd

from sera import tsv
from sera.coefficients import CORRELATIONS
from sera.files import writing

UNDEFINED = "undefined"
SYMBOLS = {"pearson": "r", "spearman": "ρ", "kendall": "τ", "ndcg": "NDCG", "ndcg_10": "NDCG@10"}
"""What coefficients are called in headings."""

_PARTS = {"failure": "fails", "s3": "S3", "without": "without", "5": "5%"}  # of a coefficient, as a heading
_MINUS = "−"


def write_tsv(path: str | PathLike[str], table: pd.DataFrame) -> None:
    """Write a table as TSV, numbers to six decimals; what is undefined reads ``undefined``."""
    tsv.write(path, table, undefined=UNDEFINED, decimals=6)


def read_tsv(path: str | PathLike[str], comment: str | None = None) -> pd.DataFrame:
    """Read a table that `write_tsv` wrote; ``undefined`` becomes NaN; ``comment`` begins a comment."""
    return pd.read_csv(path, sep="\t", na_values=[UNDEFINED], keep_default_na=False, comment=comment)


def write_comparison(stem: str | PathLike[str], table: pd.DataFrame, *, caption: str, benchmark: str) -> None:
    """Write a table of `sera.paper.beside` as `write_table` does, but for reading without the counts."""
    write_tsv(f"{stem}.tsv", table.assign(benchmark=benchmark))
    write_readable(stem, readable(table), caption)


def write_table(stem: str | PathLike[str], table: pd.DataFrame, *, caption: str, benchmark: str) -> None:
    """Write a table of results as ``<stem>.tsv``, ``.md`` and ``.tex``.

    The TSV has a last column ``benchmark``, so that it says what it was made from wherever it goes.
    """
    write_tsv(f"{stem}.tsv", table.assign(benchmark=benchmark))
    write_readable(stem, printed(table), caption)


def write_readable(stem: str | PathLike[str], cells: pd.DataFrame, caption: str) -> None:
    """Write a table whose cells are text as ``<stem>.md`` and ``.tex``.

    The LaTeX needs the packages booktabs and, if the table is long, longtable.
    """
    with writing(f"{stem}.md") as stream:
        stream.write(f"{caption}\n\n{cells.to_markdown(index=False, disable_numparse=True)}\n")
    with writing(f"{stem}.tex") as stream:
        stream.write(_latex(cells, caption, label=f"tab:{Path(stem).name}"))


def compact(table: pd.DataFrame) -> str:
    """A comparison without intervals, narrow enough for a terminal of 80 columns."""
    cells = readable(table)
    parts = ("", " paper", " diff.") if _compared(table) else ("",)
    named = ["metric", *(["against"] if "against" in cells else [])]
    shown = [f"{SYMBOLS[name]}{part}" for name in CORRELATIONS for part in parts]
    cells = cells[[*named, *shown]]
    cells.columns = [
        column.removeprefix("ρ ").removeprefix("τ ").removeprefix("r ") for column in cells.columns
    ]
    return cells.to_string(index=False, justify="right", formatters={"metric": "{:<14}".format})


_LONG = 45  # lines that fit on a page of LaTeX
_LATEX = str.maketrans(
    {
        **{character: f"\\{character}" for character in "_%&#${}"},
        **{"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"},
        **{"ρ": r"$\rho$", "τ": r"$\tau$", "μ": r"$\mu$", "·": r"$\cdot$", _MINUS: "$-$"},
    }
)


def _escaped(text: str) -> str:
    """Text as LaTeX prints it; an r by itself is Pearson's."""
    return re.sub(r"(?<![\w-])r(?![\w-])", "$r$", text.translate(_LATEX))


def _latex(cells: pd.DataFrame, caption: str, label: str) -> str:
    # words stand left, numbers right
    is_words = re.compile(rf"(?!{UNDEFINED}$|[^a-zA-Z]+ to [^a-zA-Z]+$).*[a-zA-Z]")
    alignment = "".join("l" if any(map(is_words.match, cells[column])) else "r" for column in cells.columns)
    head, *rows = (
        " & ".join(map(_escaped, row)) + r" \\" for row in (cells.columns, *cells.to_numpy(dtype=str))
    )
    caption = rf"\caption{{{_escaped(caption)}}}"
    label = rf"\label{{{label}}}"
    if len(rows) > _LONG:
        lines = [
            r"{\footnotesize",
            rf"\begin{{longtable}}{{{alignment}}}",
            rf"{caption}{label} \\",
            *(r"\toprule", head, r"\midrule", r"\endfirsthead"),
            *(r"\toprule", head, r"\midrule", r"\endhead"),
            *(r"\bottomrule", r"\endfoot"),
            *rows,
            r"\end{longtable}}",
        ]
    else:
        lines = [
            *(r"\begin{table}", r"\centering\footnotesize", caption, label),
            rf"\begin{{tabular}}{{{alignment}}}",
            *(r"\toprule", head, r"\midrule", *rows, r"\bottomrule"),
            *(r"\end{tabular}", r"\end{table}"),
        ]
    return "\n".join(lines) + "\n"


def readable(table: pd.DataFrame) -> pd.DataFrame:
    """The columns of a comparison that a reader compares, as text."""
    columns = {"metric": table["metric"]}
    if table["against"].nunique() > 1:
        columns["against"] = table["against"]
    for name in CORRELATIONS:
        symbol = SYMBOLS[name]
        columns[symbol] = table[name].map(_number)
        columns[f"{symbol} interval"] = _intervals(table, name)
        if not _compared(table):
            continue
        columns[f"{symbol} paper"] = table[f"{name}_paper"].map(_number)
        columns[f"{symbol} diff."] = [_number(value, sign="+z") for value in table[f"{name}_difference"]]
    return pd.DataFrame(columns)


def _compared(table: pd.DataFrame) -> bool:
    """Whether the paper has numbers for it: not where the benchmark is another."""
    return bool(table[f"{CORRELATIONS[0]}_paper"].notna().any())


def printed(table: pd.DataFrame) -> pd.DataFrame:
    """All columns of a table as text: an interval after its value, numbers to three decimals.

    A truth value is yes or no.
    """
    columns = {}
    for name in table.columns:
        base, _, part = name.rpartition("_")
        if pd.api.types.is_bool_dtype(table[name]) or not pd.api.types.is_numeric_dtype(table[name]):
            columns[name.replace("_", " ")] = [_word(value) for value in table[name]]
        elif base in SYMBOLS and part in _PARTS:
            columns[f"{SYMBOLS[base]} {_PARTS[part]}"] = [_number(value) for value in table[name]]
        elif part not in ("low", "high"):
            digits = 0 if pd.api.types.is_integer_dtype(table[name]) else 3
            heading = SYMBOLS.get(name, name.replace("_", " "))
            columns[heading] = [_number(value, digits) for value in table[name]]
            if f"{name}_low" in table:
                columns[f"{heading} interval"] = _intervals(table, name)
    return pd.DataFrame(columns)


def _word(value: Any) -> str:
    return UNDEFINED if pd.isna(value) else {True: "yes", False: "no"}.get(value, str(value))


def _intervals(table: pd.DataFrame, name: str) -> list[str]:
    return [
        "" if pd.isna(low) else f"{_number(low, 2)} to {_number(high, 2)}"
        for low, high in zip(table[f"{name}_low"], table[f"{name}_high"], strict=True)
    ]


def _number(value: float, digits: int = 3, sign: str = "z") -> str:
    # the format's z: what rounds to zero has no minus
    return UNDEFINED if pd.isna(value) else f"{value:{sign}.{digits}f}".replace("-", _MINUS)
