"""Tables as TSV for programs, Markdown for reading and LaTeX for papers."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

import pandas as pd

from sera.correlation import COEFFICIENTS
from sera.files import writing

UNDEFINED = "undefined"
_SYMBOLS = {"pearson": "r", "spearman": "ρ", "kendall": "τ"}
_LATEX_SYMBOLS = {"pearson": "$r$", "spearman": r"$\rho$", "kendall": r"$\tau$"}


def write_tsv(path: str | PathLike[str], table: pd.DataFrame) -> None:
    """Write a table as TSV, numbers to six decimals; what is undefined reads ``undefined``."""
    with writing(path) as stream:
        table.to_csv(
            stream, sep="\t", index=False, float_format="%.6f", na_rep=UNDEFINED, lineterminator="\n"
        )


def read_tsv(path: str | PathLike[str], comment: str | None = None) -> pd.DataFrame:
    """Read a table that `write_tsv` wrote; ``undefined`` becomes NaN; ``comment`` begins a comment."""
    return pd.read_csv(path, sep="\t", na_values=[UNDEFINED], keep_default_na=False, comment=comment)


def write_comparison(stem: str | PathLike[str], table: pd.DataFrame, *, caption: str, benchmark: str) -> None:
    """Write a table of `sera.paper.beside` as ``<stem>.tsv``, ``.md`` and ``.tex``.

    The TSV has a last column ``benchmark``, so that it says what it was made from wherever it goes.
    """
    stem = Path(stem)
    write_tsv(stem.with_suffix(".tsv"), table.assign(benchmark=benchmark))
    with writing(stem.with_suffix(".md")) as stream:
        stream.write(f"{caption}\n\n{markdown(table)}\n")
    with writing(stem.with_suffix(".tex")) as stream:
        stream.write(latex(table, caption, label=f"tab:{stem.name}"))


def markdown(table: pd.DataFrame) -> str:
    """A comparison in Markdown: a coefficient's value and interval, the paper's, the difference."""
    return readable(table).to_markdown(index=False, disable_numparse=True)


def compact(table: pd.DataFrame) -> str:
    """A comparison without intervals, narrow enough for a terminal of 80 columns."""
    cells = readable(table)
    cells = cells[
        ["metric", *(f"{s}{column}" for s in _SYMBOLS.values() for column in ("", " paper", " diff."))]
    ]
    cells.columns = [
        column.removeprefix("ρ ").removeprefix("τ ").removeprefix("r ") for column in cells.columns
    ]
    return cells.to_string(index=False, justify="right", formatters={"metric": "{:<14}".format})


def latex(table: pd.DataFrame, caption: str, label: str) -> str:
    """A comparison as a LaTeX table; needs the package booktabs."""
    cells = readable(table, _LATEX_SYMBOLS, minus="$-$")
    alignment = "".join("l" if column in ("metric", "against") else "r" for column in cells.columns)
    lines = [
        r"\begin{table}",
        r"\centering\footnotesize",
        rf"\caption{{{caption}}}",
        rf"\label{{{label}}}",
        rf"\begin{{tabular}}{{{alignment}}}",
        r"\toprule",
        " & ".join(cells.columns).replace("%", r"\%") + r" \\",
        r"\midrule",
        *(" & ".join(row) + r" \\" for row in cells.to_numpy(dtype=str)),
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def readable(table: pd.DataFrame, symbols: dict[str, str] = _SYMBOLS, minus: str = "−") -> pd.DataFrame:
    """The columns of a comparison that a reader compares, as text."""

    def number(value: float, digits: int = 3, sign: str = "z") -> str:
        # the format's z: what rounds to zero has no minus
        return UNDEFINED if pd.isna(value) else f"{value:{sign}.{digits}f}".replace("-", minus)

    columns = {"metric": table["metric"]}
    if table["against"].nunique() > 1:
        columns["against"] = table["against"]
    for name in COEFFICIENTS:
        symbol = symbols[name]
        columns[symbol] = table[name].map(number)
        columns[f"{symbol} 95%"] = [
            "" if pd.isna(low) else f"{number(low, 2)} to {number(high, 2)}"
            for low, high in zip(table[f"{name}_low"], table[f"{name}_high"], strict=True)
        ]
        columns[f"{symbol} paper"] = table[f"{name}_paper"].map(number)
        columns[f"{symbol} diff."] = [number(value, sign="+z") for value in table[f"{name}_difference"]]
    return pd.DataFrame(columns)
