"""Tables as TSV for programs, Markdown for reading and LaTeX for papers."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from sera import names
from sera.evaluation.correlation.coefficients import CORRELATIONS
from sera.evaluation.correlation.correlate import WHY
from sera.io import tsv
from sera.io.files import writing

UNDEFINED = "undefined"
SYMBOLS = {"pearson": "r", "spearman": "ρ", "kendall": "τ", "ndcg": "NDCG", "ndcg_10": "NDCG@10"}
"""The symbols of coefficients in headings."""

# endings of columns, as a heading
_PARTS = {name: name for name in ("study", "change", "without")} | {"failure": "fails", "s3": "S3", "5": "5%"}
_MINUS = "−"

NAMED = ("topic", "system", "metric", "against", "other", "judgement", "benchmark", "study")
"""The columns that hold names."""

TEXTS = (
    *(*NAMED, "better", "keyword", "split", "second", "level", "coefficient", "table", "hypothesis", "ties"),
    *("controls", "claim", "section", "verdict", "verdict_paper", "words", "compared", "holds", "kind"),
    *("resampled", "searched", "question", "contrast", WHY),
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
    found = {name: cells[name] if name in texts else _values(cells, name, path) for name in cells.columns}
    return pd.DataFrame(found).reset_index(drop=True)


def _values(cells: pd.DataFrame, column: str, path: str | PathLike[str]) -> pd.Series:
    written = cells[column]
    known = written[written != UNDEFINED]
    if len(known) and known.isin(["True", "False"]).all():
        values = written.map({"True": True, "False": False})
        return values.astype(bool) if len(known) == len(written) else values
    if len(known) and len(known) == len(written) and known.str.fullmatch("-?[0-9]{1,18}").all():
        return written.map(int).astype("int64")
    return tsv.numbers(cells, column, path, undefined=[UNDEFINED], finite=False)


FORMS = ("md", "tex")
"""The forms in which a table is written beside its TSV: Markdown and LaTeX."""


def write_table(
    stem: str | PathLike[str],
    table: pd.DataFrame,
    *,
    caption: str,
    benchmark: str,
    forms: Collection[str] = FORMS,
    comparison: bool = False,
) -> None:
    """Write a table of results as ``<stem>.tsv``, and in the ``forms``, of `FORMS`.

    The last column of the TSV is ``benchmark``, so that the file names its source wherever it goes. A
    ``comparison`` is a table of `study.published.tables.beside`, whose forms leave out counts. InputError if
    ``benchmark`` cannot be a name (`sera.names.check`).
    """
    names.check("benchmark", benchmark)
    write_tsv(f"{stem}.tsv", table.assign(benchmark=benchmark))
    write_readable(stem, readable_comparison(table) if comparison else printed(table), caption, forms)


def write_readable(
    stem: str | PathLike[str], cells: pd.DataFrame, caption: str, forms: Collection[str] = FORMS
) -> None:
    """Write a table of text as ``<stem>.md`` and ``<stem>.tex``, escaped so that names show as they are.

    The LaTeX needs the package booktabs; a long table also needs longtable. LaTeX before 2020 needs textcomp
    if a name has a quote.
    """
    if "md" in forms:
        shown = cells.map(markdown).rename(columns=markdown)
        with writing(f"{stem}.md") as stream:
            stream.write(f"{markdown(caption)}\n\n{shown.to_markdown(index=False, disable_numparse=True)}\n")
    if "tex" in forms:
        with writing(f"{stem}.tex") as stream:
            stream.write(_latex(cells, caption, label=f"tab:{Path(stem).name}"))


def compact(table: pd.DataFrame) -> str:
    """A comparison without intervals, narrow enough for a terminal of 80 columns."""
    cells = readable_comparison(table)
    parts = ("", " paper", " diff.") if has_published(table) else ("",)
    named = ["metric", *(["against"] if "against" in cells else [])]
    shown = [f"{SYMBOLS[name]}{part}" for name in CORRELATIONS for part in parts]
    cells = cells[[*named, *shown]]
    cells.columns = [
        column.removeprefix("ρ ").removeprefix("τ ").removeprefix("r ") for column in cells.columns
    ]
    return aligned(cells, justify="right", formatters={"metric": "{:<14}".format})


# Characters that are Markdown's syntax always, and those that are syntax only in pairs.
_MARKDOWN = re.compile(r"[\\`|<\[\]]|(?<![^\W_])_|_(?![^\W_])|&(?=#?\w+;)")
_PAIRED = re.compile(r"[*~$]")


def markdown(text: str) -> str:
    """A text escaped so that Markdown shows it as it is, in the cell of a table too."""
    paired = {mark for mark in "*~$" if text.count(mark) > 1}
    text = _MARKDOWN.sub(r"\\\g<0>", text)
    return _PAIRED.sub(lambda found: f"\\{found[0]}" if found[0] in paired else found[0], text)


def aligned(table: pd.DataFrame, **settings: Any) -> str:
    """A table as aligned lines for a terminal; wide letters count as two columns."""
    with pd.option_context("display.unicode.east_asian_width", True):
        return table.to_string(index=False, **settings)


_LONG = 45  # lines that fit on a page of LaTeX
_LATEX = {
    **{character: f"\\{character}" for character in "_%&#${}"},
    **{"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"},
    **{"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", "`": r"\textasciigrave{}"},
    '"': r"{\ttfamily\char34 }",  # other fonts print a curly quote
    **{"ρ": r"$\rho$", "τ": r"$\tau$", "μ": r"$\mu$", "·": r"$\cdot$", _MINUS: "$-$"},
    **{"ß": r"\ss{}", "æ": r"\ae{}", "Æ": r"\AE{}", "ø": r"\o{}", "Ø": r"\O{}", "œ": r"\oe{}"},
    **{"Œ": r"\OE{}", "ł": r"\l{}", "Ł": r"\L{}", "ı": r"\i{}", "…": r"\ldots{}", "–": r"\textendash{}"},
    **{"—": r"\textemdash{}", "‘": r"\textquoteleft{}", "’": r"\textquoteright{}"},
    **{"“": r"\textquotedblleft{}", "”": r"\textquotedblright{}"},
}
_ACCENTS = {
    **{"\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0304": "=", "\u0306": "u"},
    **{"\u0307": ".", "\u0308": '"', "\u030a": "r", "\u030b": "H", "\u030c": "v", "\u0327": "c"},
}
_LIGATURE = re.compile("(?<=-)(?=-)|(?<=')(?=')")
_PEARSON = re.compile(r"(?<![\w-])r(?![\w-])")


def _escaped(text: str, named: bool = False) -> str:
    """A text escaped for LaTeX; unless it is a name, a single r is Pearson's and ' is an apostrophe."""
    if named:
        parts = [part.split("'") for part in _LIGATURE.split(text)]
        return "{}".join(r"\textquotesingle{}".join(map(_letters, part)) for part in parts)
    return "$r$".join("{}".join(map(_letters, _LIGATURE.split(part))) for part in _PEARSON.split(text))


def _letters(text: str) -> str:
    return "".join(map(_letter, text))


def _letter(letter: str) -> str:
    """A letter as LaTeX prints it; one that the ordinary fonts lack becomes its number in Unicode."""
    if letter in _LATEX:
        return _LATEX[letter]
    if letter.isascii():
        return letter
    base, accent = (*unicodedata.normalize("NFD", letter), "")[:2]
    if base.isascii() and base.isalpha() and unicodedata.normalize("NFC", base + accent) == letter:
        if accent in _ACCENTS:
            base = rf"\{base}" if base in "ij" else base
            return rf"\{_ACCENTS[accent]}{{{base}}}"
    return rf"\texttt{{U+{ord(letter):04X}}}"


def _latex(cells: pd.DataFrame, caption: str, label: str) -> str:
    # words are aligned left, numbers right
    is_words = re.compile(rf"(?!{UNDEFINED}$|[^a-zA-Z]+ to [^a-zA-Z]+$).*[a-zA-Z]")
    alignment = "".join("l" if any(map(is_words.match, cells[column])) else "r" for column in cells.columns)
    named = [column in NAMED for column in cells.columns]
    head = " & ".join(map(_escaped, cells.columns)) + r" \\"
    rows = [" & ".join(map(_escaped, row, named)) + r" \\" for row in cells.to_numpy(dtype=object)]
    # at the start of a row, [ and * would be an argument of the command before
    rows = ["{}" + row if row[0] in "[*" else row for row in rows]
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


def readable_comparison(table: pd.DataFrame) -> pd.DataFrame:
    """A comparison as text: the coefficients with their intervals and, if known, the paper's numbers."""
    columns = {"metric": table["metric"]}
    if table["against"].nunique() > 1:
        columns["against"] = table["against"]
    for name in CORRELATIONS:
        symbol = SYMBOLS[name]
        columns[symbol] = table[name].map(_number)
        columns[f"{symbol} interval"] = _intervals(table, name)
        if not has_published(table):
            continue
        columns[f"{symbol} paper"] = table[f"{name}_paper"].map(_number)
        columns[f"{symbol} diff."] = [_number(value, sign="+z") for value in table[f"{name}_difference"]]
    if WHY in table and table[WHY].any():
        columns[WHY.replace("_", " ")] = table[WHY]
    return pd.DataFrame(columns)


def has_published(table: pd.DataFrame) -> bool:
    """Whether a table of `study.published.tables.beside` has published numbers; only the paper's data do."""
    return any(f"{name}_paper" in table and table[f"{name}_paper"].notna().any() for name in CORRELATIONS)


def printed(table: pd.DataFrame) -> pd.DataFrame:
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
            columns[f"{SYMBOLS[base]} {_PARTS[part]}"] = [_number(value) for value in table[name]]
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


CAPTIONS = {
    "table2": "Table 2. Correlation of ROUGE and SERA with {judgement} scores over systems: reproduced with "
    "its interval over {over}, as published, and the difference.",
    "table3": "Table 3. Correlation of SERA with ROUGE-2-F and ROUGE-3-F over systems: reproduced with its "
    "interval over {over}, as published, and the difference.",
    "system_level": "Correlation with judgements over the systems' means, with intervals over {over}.",
    "summary_level": "Correlation with judgements over the systems of a topic, mean over topics, with "
    "intervals over {over}; the share of topics on which a metric fails.",
    "global_level": "Correlation with judgements over all summaries, with intervals over {over}.",
    "differences": "Differences between two metrics' correlations with judgements, and their significance. "
    "Williams' test is of r alone.",
    "discrimination": "Share of the pairs of systems that a metric and the judgement distinguish (Wilcoxon's "
    "signed-rank test over topics, p of at most 0.05 after Holm's correction; uncorrected: before it).",
    "top_systems": "Correlation with judgements over the means of the best systems alone.",
    "s3_table1": "Correlation with judgements at the summary level, as in Table 1 of Peyrard et al. (2017).",
    "s3_table3": "Share of topics on which a metric fails, as in Table 3 of Peyrard et al. (2017).",
    "s3_distribution": "Number of topics on which the correlation of a metric with judgements is above a "
    "value, in absolute values, as section 4.3 of Peyrard et al. (2017) describes.",
    "pairwise": "Pairs of systems, or of summaries, that metrics and judgements rank alike: accuracy with "
    "intervals over {over}, soft pairwise accuracy, close pairs, tie-calibrated accuracy (acc_eq).",
    "clusters": "Ranks of metrics by their correlation with judgements over the systems' means, and clusters "
    "that a paired permutation test does not distinguish (one-sided, p of at most 0.05, uncorrected).",
    "power": "An extrapolation by resampling: the chance that a test finds a difference of 0.05 between two "
    "metrics' correlations over the systems' means, and the least difference found with a chance of 0.8.",
    "partial": "Correlation with judgements that takes out length and extractiveness of the summaries.",
    "judges": "Agreement of judges: Krippendorff's alpha, with intervals over topics.",
    "ceilings": "Correlation of a judge with the mean of the others, mean over judges, with intervals over "
    "{over}, and over judges.",
    "system_level_judges": "Correlation with judgements over the systems' means, with intervals over {over}, "
    "and over judges.",
    "preferences": "Share of people's preferences between two summaries of a topic in which a metric prefers "
    "the same one, with intervals over what the column resampled names; with_ties counts ties as a third "
    "answer.",
    "strengths": "Strengths of systems by people's preferences (Bradley and Terry's model, with Davidson's "
    "ties): natural logarithms, mean 0.",
    "table_claims": "The paper's sentences on Tables 2 and 3 and on Figure 1, each above 0 if it holds: by "
    "this study's correlations with {judgement}, and by the printed ones.",
    "spectrum": "Correlation with judgements over sampled summaries of the whole range of a metric's scores, "
    "mean over topics, with intervals over topics.",
    "studies": "The correlations of Table 2 in this study and in further studies of the run, and the change.",
    "truth": "Correlation with the true Pyramid scores, by the drift of the candidates' wording and the "
    "number of articles indexed (0: the metric does not search).",
    "truth_figure": "Correlation (Spearman's ρ) of metrics with the true score, {judgement}.",
    "pyramid_threshold": "Correlation with {judgement} by the share of a nugget that has to be there.",
    "rougek_keywords": "The keywords of each topic, by the metric that finds them.",
    "rougek_errors": "Keywords that people marked as wrong: mean number a topic, and share.",
    "rougek_table3": "Agreement of metrics with preferences: the share of pairs whose preferred summary "
    "has the better score.",
    "rougek_table4": "Sizes of the data, and number and length of the keywords of ROUGE-K.",
    "rougek_table5": "Mean scores of the systems by ROUGE and ROUGE-K, and mean number of words of their "
    "summaries.",
    "rougek_table6": "Pearson's r between scores and the number of words, over summaries.",
    "rougek_table7": "Pearson's r between ROUGE-K and other metrics, over summaries.",
    "rougek_table8": "How far systems are apart: standard deviation of their mean scores.",
    "rougek_table8_pairs": "Differences of the systems' mean scores, and their significance (permutation "
    "test over topics; p of at most 0.05 after Holm's correction over the pairs of systems).",
    "rougek_table9": "Share of keywords found, by whether they stand in the article.",
    "rougek_figure2": "Share of keywords found, by their length in words.",
    "figure1": "Figure 1. Spearman correlation of SERA with {judgement} by rank cut-off.",
    "figure1_pearson": "Twin of Figure 1: Pearson correlation of SERA with {judgement} by rank cut-off.",
    "figure1_kendall": "Twin of Figure 1: Kendall correlation of SERA with {judgement} by rank cut-off.",
    "comparison": "Correlation of ROUGE and SERA with {judgement} over systems: what was reproduced with its "
    "interval over {over}, and what was published.",
    "scatter": "Systems by {judgement} and by other metrics, means over topics; each point is a system.",
    "moulin_rouge": "Systems by the content and the abstraction of their summaries, means over topics; lines "
    "join equal scores of MOULIN ROUGE, and each number is a system.",
    "metrics": "How far metrics rank the systems alike: Spearman correlation between any two of them.",
    "sensitivity": "What choices do to Spearman's correlation with {judgement}.",
    "claims": "The paper's claims: what its own table and this project's settings decide, and the share of "
    "the universes in which each holds, with its interval over topics.",
    "null": "Each claim beside permuted judgements: median effect and share of the universes, with p and "
    "Holm's correction (Simonsohn, Simmons & Nelson 2020).",
    "exchange": "SERA's mean correlation with {judgement} less ROUGE's, beside exchanges of their scores: "
    "median effect and share of the universes, with p for SERA and for the contrary and Holm's correction "
    "(after Deutsch, Dror & Roth 2021).",
    "choices": "The paper's claims by the value of each choice: the share of its universes in which each "
    "holds, and the mean effect.",
    "variance": "The share of the variance of each claim's effect that a choice explains by itself (epsilon "
    "squared).",
    "systems": "When a single system leaves: the mean correlation with {judgement} of ROUGE's and of SERA's "
    "variants with it, the change without it, the share of the universes in which it carries the "
    "correlation, and the share that decide otherwise whether SERA is ahead.",
    "outliers": "Mean correlation with {judgement} in the universes that have outlying systems, with these "
    "and without.",
    "agreement": "Agreement of a metric's rankings of the systems under two settings that differ in one "
    "choice: the mean correlation, its 5th percentile, and the share with the same best system.",
    "index_sizes": "Mean correlation with {judgement} of SERA's twelve variants and of ROUGE's 21, by the "
    "articles in the index: mean and standard deviation over draws.",
    "index_kinds": "How far the mean correlation with {judgement} of SERA's variants differs between two "
    "kinds of articles in the index, at the same number, with intervals over topics and draws.",
    "index_curve": "An extrapolation, by two models that are assumed: the mean correlation with {judgement} "
    "of SERA's variants in an index of more articles than there are, its change from all articles, and how "
    "far it is ahead of ROUGE's, with intervals over topics and draws.",
}


_ALONE = {
    "table2": "Correlation of ROUGE and SERA with {judgement} over systems, with intervals over {over}.",
    "table3": "Correlation of SERA with ROUGE-2-F and ROUGE-3-F over systems, with intervals over {over}.",
    "figure1": "Spearman correlation of SERA with {judgement} by rank cut-off.",
    "figure1_pearson": "Pearson correlation of SERA with {judgement} by rank cut-off.",
    "figure1_kendall": "Kendall correlation of SERA with {judgement} by rank cut-off.",
    "comparison": "Correlation of metrics with {judgement} over systems, with intervals over {over}.",
}
"""The captions of tables and figures that are not compared with the paper's."""


def readable_table4(table: pd.DataFrame) -> pd.DataFrame:
    """A table of `beside_table4` as text: the paper's value in brackets, – where there is none of ours."""
    columns = {"split": table["split"], "second text": table["second"]}
    for name in (
        "documents",
        "document_words",
        "summary_words",
        "compression",
        "texts",
        "keywords",
        "keyword_words",
    ):
        theirs = table.get(f"{name}_paper", pd.Series(np.nan, table.index))
        cells = zip(table[name].map(_short), theirs, strict=True)
        columns[name.replace("_", " ")] = [
            ours if pd.isna(paper) else f"{ours} ({_short(paper)})" for ours, paper in cells
        ]
    return pd.DataFrame(columns)


def _short(value: float) -> str:
    return "–" if pd.isna(value) else f"{value:.2f}".removesuffix("0").removesuffix(".0")


def caption(
    item: str, benchmark: str, judgement: str = "Pyramid", *, compared: bool = True, over: str = "topics"
) -> str:
    """The caption of a table or figure, with the benchmark that it was made from.

    ``compared`` is false if the paper has no numbers beside it. ``over`` names what the intervals resample.
    """
    words = CAPTIONS[item] if compared else _ALONE.get(item, CAPTIONS[item])
    warning = "SYNTHETIC data, not comparable with the paper. " if "synthetic" in benchmark else ""
    return f"{warning}{words.format(judgement=judgement, over=over)} Benchmark: {benchmark}."


def in_title(benchmark: str) -> str:
    """A benchmark's label in the title of a figure, where a synthetic one has to be seen at once."""
    return benchmark.replace(" (synthetic)", ", SYNTHETIC")
