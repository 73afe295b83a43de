"""Tables as TSV for programs, Markdown for reading and LaTeX for papers."""

import re
from collections.abc import Collection, Mapping, Sequence
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd

from sera import names, resources
from sera.evaluation.coefficients import CORRELATIONS
from sera.evaluation.correlate import WHY
from sera.io import tsv
from sera.io.files import writing

UNDEFINED = tsv.UNDEFINED
SYMBOLS = {"pearson": "r", "spearman": "ρ", "kendall": "τ", "ndcg": "NDCG", "ndcg_10": "NDCG@10"}
"""The symbols of coefficients in headings."""

# endings of columns, as a heading
_PARTS = {name: name for name in ("study", "change", "without", "paper")}
_PARTS |= {"difference": "diff.", "failure": "fails", "s3": "S3", "5": "5%"}
_MINUS = "−"

TEXTS = (
    *("topic", "system", "metric", "against", "other", "judgement", "benchmark", "study"),
    *("better", "keyword", "split", "second", "level", "coefficient", "table", "hypothesis", "ties"),
    *("controls", "claim", "section", "verdict", "verdict_paper", "words", "compared", "holds", "kind"),
    *("resampled", "searched", "question", "contrast", "dimension", "reads", "baseline", WHY),
    *("release", "kind_of_text", "left_out"),
)
"""The columns of tables that hold text; all others hold numbers or truth values."""


def write_tsv(path: str | PathLike[str], table: pd.DataFrame) -> None:
    """Write a table as TSV, with numbers to six decimals and ``undefined`` for undefined values."""
    tsv.write(path, table, undefined=UNDEFINED, decimals=6)


def read_tsv(
    path: str | PathLike[str],
    comment: str | None = None,
    *,
    columns: Sequence[str] = (),
    texts: Collection[str] = TEXTS,
) -> pd.DataFrame:
    """Read a table that `write_tsv` wrote, with at least ``columns``; ``comment`` begins a comment line.

    The columns ``texts`` stay text. In all others ``undefined`` becomes NaN; a column becomes whole numbers
    or truth values if all its cells are. InputError as in `sera.io.tsv.read` and `sera.io.tsv.numbers`.
    """
    cells = tsv.read(path, columns, comment=comment)
    for name in [name for name in cells.columns if name not in texts]:
        written = cells[name]
        if len(cells) and written.isin(["True", "False", UNDEFINED]).all():
            cells[name] = written.map({"True": True, "False": False}).infer_objects()
            continue
        cells[name] = tsv.numbers(cells, name, path, undefined=[UNDEFINED], finite=False)
        if len(cells) and written.str.fullmatch("-?[0-9]{1,15}").all():
            cells[name] = cells[name].astype("int64")
    return cells.reset_index(drop=True)


FORMS = ("md", "tex")
"""The forms in which a table is written beside its TSV: Markdown and LaTeX."""


def write_table(
    stem: str | PathLike[str],
    table: pd.DataFrame,
    *,
    caption: str,
    benchmark: str,
    forms: Collection[str] = FORMS,
    cells: pd.DataFrame | None = None,
) -> None:
    """Write a table of results as ``<stem>.tsv``, and in the ``forms``, of `FORMS`.

    The last column of the TSV is ``benchmark``, a name (`sera.names.check`). The forms have the ``cells``, a
    table of text, by default of `format_table`.
    """
    names.check("benchmark", benchmark)
    write_tsv(f"{stem}.tsv", table.assign(benchmark=benchmark))
    write_readable(stem, format_table(table) if cells is None else cells, caption, forms)


def write_tables(
    folder: str | PathLike[str],
    tables: Mapping[str, pd.DataFrame],
    benchmark: str,
    *,
    notes: Mapping[str, Sequence[str]] = MappingProxyType({}),
    over: str = "topics",
    forms: Collection[str] = FORMS,
) -> None:
    """Write tables by name (`write_table`), with the `caption` of each and the notes on it."""
    for name, table in tables.items():
        title = caption(name, benchmark, over=over, notes=notes.get(name, ()))
        write_table(Path(folder, name), table, caption=title, benchmark=benchmark, forms=forms)


def write_readable(
    stem: str | PathLike[str], cells: pd.DataFrame, caption: str, forms: Collection[str] = FORMS
) -> None:
    """Write a table of text as ``<stem>.md`` and ``<stem>.tex``, escaped so that names show as they are.

    The LaTeX needs the package booktabs; a long table also needs longtable.
    """
    if "md" in forms:
        texts = cells.map(markdown).rename(columns=markdown)
        with writing(f"{stem}.md") as stream:
            stream.write(f"{markdown(caption)}\n\n{texts.to_markdown(index=False, disable_numparse=True)}\n")
    if "tex" in forms:
        with writing(f"{stem}.tex") as stream:
            stream.write(_latex(cells, caption, label=f"tab:{Path(stem).name}"))


# Characters that are Markdown's syntax always, and those that are syntax only in pairs.
_MARKDOWN = re.compile(r"[\\`|<\[\]]|(?<![^\W_])_|_(?![^\W_])|&(?=#?\w+;)")
_PAIRED = re.compile(r"[*~$]")


def markdown(text: str) -> str:
    """A text escaped so that Markdown shows it as it is, in the cell of a table too."""
    paired = {mark for mark in "*~$" if text.count(mark) > 1}
    text = _MARKDOWN.sub(r"\\\g<0>", text)
    return _PAIRED.sub(lambda found: f"\\{found[0]}" if found[0] in paired else found[0], text)


def align_table(table: pd.DataFrame, **settings: Any) -> str:
    """A table as aligned lines for a terminal; wide letters count as two columns."""
    with pd.option_context("display.unicode.east_asian_width", True):
        return table.to_string(index=False, **settings)


_LONG = 45  # lines that fit on a page of LaTeX
_LATEX = str.maketrans(
    {
        **{character: f"\\{character}" for character in "_%&#${}"},
        **{"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"},
        **{"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}"},
        **{"ρ": r"$\rho$", "τ": r"$\tau$", "μ": r"$\mu$", "·": r"$\cdot$", _MINUS: "$-$"},
    }
)


def _latex(cells: pd.DataFrame, caption: str, label: str) -> str:
    # words are aligned left, numbers right
    is_words = re.compile(rf"(?!{UNDEFINED}$|[^a-zA-Z]+ to [^a-zA-Z]+$).*[a-zA-Z]")
    latex_cells = cells.map(lambda cell: cell.translate(_LATEX))
    text = latex_cells.rename(columns=lambda name: name.translate(_LATEX)).to_latex(
        index=False,
        longtable=len(cells) > _LONG,
        column_format="".join("l" if any(map(is_words.match, cells[name])) else "r" for name in cells),
        caption=caption.translate(_LATEX),
        label=label,
    )
    # at the start of a row, [ and * would be an argument of the command before
    return re.sub(r"(?m)^(?=[\[*])", "{}", text)


def has_published(table: pd.DataFrame) -> bool:
    """Whether a table of correlations has published numbers; only the paper's data do."""
    return any(f"{name}_paper" in table and table[f"{name}_paper"].notna().any() for name in CORRELATIONS)


def format_table(table: pd.DataFrame) -> pd.DataFrame:
    """All columns of a table as text: numbers to three decimals, each interval in a column after its value.

    Truth values become yes or no.
    """
    columns = {}
    for name in table.columns:
        if name == WHY and not table[WHY].any():
            continue
        base, _, part = name.rpartition("_")
        if pd.api.types.is_bool_dtype(table[name]) or not pd.api.types.is_numeric_dtype(table[name]):
            columns[name.replace("_", " ")] = [_word(value) for value in table[name]]
        elif base in SYMBOLS and part in _PARTS:
            sign = "+z" if part == "difference" else "z"
            columns[f"{SYMBOLS[base]} {_PARTS[part]}"] = [_number(value, sign=sign) for value in table[name]]
        elif part not in ("low", "high"):
            digits = 0 if pd.api.types.is_integer_dtype(table[name]) else 3
            heading = SYMBOLS.get(name, name.replace("_", " "))
            columns[heading] = [_number(value, digits) for value in table[name]]
            if f"{name}_low" in table:
                columns[f"{heading} interval"] = _intervals(table, name)
    return pd.DataFrame(columns)


def _word(value: Any) -> str:
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    return UNDEFINED if pd.isna(value) else str(value)


def _intervals(table: pd.DataFrame, name: str) -> list[str]:
    return [
        "" if pd.isna(low) else f"{_number(low, 2)} to {_number(high, 2)}"
        for low, high in zip(table[f"{name}_low"], table[f"{name}_high"], strict=True)
    ]


def _number(value: float, digits: int = 3, sign: str = "z") -> str:
    # the format's z drops the minus of a value that rounds to zero
    return UNDEFINED if pd.isna(value) else f"{value:{sign}.{digits}f}".replace("-", _MINUS)


CAPTIONS = {item: texts for item, *texts in (line.split("\t") for line in resources.lines("captions.tsv"))}
"""The captions of each table and figure: that of a comparison, and another one where nothing is compared."""


def readable_table4(table: pd.DataFrame) -> pd.DataFrame:
    """A table of `beside_table4` as text: the paper's value in brackets, – where there is none of ours."""
    columns = {"split": table["split"], "second text": table["second"]}
    words = ("document_words", "summary_words", "compression")
    for name in ("documents", *words, "texts", "keywords", "keyword_words"):
        theirs = table.get(f"{name}_paper", pd.Series(np.nan, table.index))
        cells = zip(table[name].map(_short), theirs, strict=True)
        columns[name.replace("_", " ")] = [
            ours if pd.isna(paper) else f"{ours} ({_short(paper)})" for ours, paper in cells
        ]
    return pd.DataFrame(columns)


def _short(value: float) -> str:
    return "–" if pd.isna(value) else f"{value:.2f}".removesuffix("0").removesuffix(".0")


def caption(
    item: str,
    benchmark: str,
    judgement: str = "Pyramid",
    *,
    compared: bool = True,
    over: str = "topics",
    notes: Sequence[str] = (),
) -> str:
    """The caption of a table or figure, with the benchmark that it was made from.

    ``compared`` is false if the paper has no numbers beside it. ``over`` names what the intervals resample.
    Each of the ``notes`` is a sentence after it.
    """
    words = CAPTIONS[item][0 if compared else -1]
    warning = "SYNTHETIC data, not comparable with the paper. " if "(synthetic)" in benchmark else ""
    text = f"{warning}{words.format(judgement=judgement, over=over)} Benchmark: {benchmark}."
    return " ".join([text, *(f"{note}." for note in notes)])
