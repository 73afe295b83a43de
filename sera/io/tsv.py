"""Read and write tables as tab-separated text (TSV) or CSV: all other modules use this one.

A line is a row, and tabs separate its cells. If the header begins with a quote, as R writes it, or has commas
or semicolons in place of tabs, cells may be quoted as in CSV, and may have line breaks then. In any other
table a quote is an ordinary character, and no cell has a tab.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import IO, TYPE_CHECKING, Any

from sera import names
from sera.errors import Faults, InputError, Path
from sera.io.files import file_form, json_form, lines, writing
from sera.registry import listed_found

if TYPE_CHECKING:
    import pandas as pd

UNDEFINED = "undefined"
"""The text of an undefined value in tables of results."""

# A setting of the whole process: its default of 131,072 characters is less than some texts have. Every system
# takes this number, and some no greater one.
csv.field_size_limit(2**31 - 1)

_BREAKS = re.compile("[\t\n\r]")
_NUMBER = re.compile(r"\s*[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,6})?\s*")


def read(
    path: Path,
    columns: Sequence[str] = (),
    *,
    comment: str | None = None,
    named: Sequence[str] = (),
) -> pd.DataFrame:
    """Read a table, TSV or CSV, with every cell as text; the index holds each row's line, from 1.

    columns:  columns that must be there; others may be there too
    comment:  lines before the header that begin with this text are skipped, and so are later ones whose
              number of cells is not that of the header; blank lines are skipped anywhere
    named:    columns whose cells are names (`names.check`)

    Raises InputError for an empty file, for a column that is missing or there twice, for a name that is not
    allowed, and, with up to ten lines, for rows with too many or too few cells.
    """
    import pandas as pd  # slow to import

    (_, header), *body = rows(path, columns, comment)
    numbers, cells = [number for number, _ in body], [row for _, row in body]
    table = pd.DataFrame(cells, columns=header, index=numbers, dtype=object)
    check_names(table, named, path)
    return table


def iterate(
    path: Path, columns: Sequence[str], *, optional: Sequence[str] = (), comment: str | None = None
) -> Iterator[tuple[int, list[str]]]:
    """Each row's line, from 1, and its cells of these columns; for tables that would fill the memory.

    Cells of an ``optional`` column that is not there are empty; for ``comment`` see `read`. Errors as in
    `read`, after the other rows.
    """
    content = rows(path, columns, comment)
    _, header = next(content)
    places = [header.index(each) if each in header else -1 for each in (*columns, *optional)]
    for number, cells in content:
        yield number, [cells[place] if place >= 0 else "" for place in places]


def rows(
    path: Path, columns: Sequence[str], comment: str | None = None, *, known: Sequence[str] = ()
) -> Iterator[tuple[int, list[str]]]:
    """The lines and cells of the header and of all rows that are not blank; errors as in `read`.

    If names are ``known`` by which the columns may go too, none of the columns must be there.
    """
    expected = ", ".join(columns)
    place = 0

    def texts() -> Iterator[str]:
        nonlocal place
        for place, line in lines(path, f"a table (TSV or CSV) with the columns {expected}"):
            yield line + "\n"

    source = texts()
    content = (line for line in source if line.strip() and not (comment and line.startswith(comment)))
    if not (first := next(content, "")):
        remedy = f"Give it the columns {expected}." if columns else None
        raise InputError("is not a table: it is empty", path=path, remedy=remedy)
    form: dict[str, Any] = {"delimiter": _separator(first, [*columns, *known])}
    if form["delimiter"] == "\t" and not first.startswith('"'):
        form["quoting"] = csv.QUOTE_NONE
    header: list[str] = []
    previous: list[str] = []
    last = place - 1  # the line of the row before
    faults = Faults()
    try:
        for cells in csv.reader(chain([first], source), strict=True, **form):
            last, before, previous = place, previous, cells
            if not header:
                header = cells
                check_header(path, place, header, columns, is_open=bool(known))
            elif not "".join(cells).strip():
                continue
            elif len(cells) != len(header):
                if comment and cells[0].startswith(comment):
                    continue
                problem = f"has {len(cells)} cell{'s' if len(cells) > 1 else ''}, not {len(header)}"
                remedy = f"Give each row the cells {', '.join(header)}."
                if "quoting" in form and any(cell.strip('"') != cell for cell in (*before, *cells)):
                    problem += "; its quotes are characters like others, since the header has none"
                    remedy = "Put the cells of the header in quotes too, or remove the quotes."
                faults.append(InputError(problem, path=path, line=place, remedy=remedy))
                continue
            yield place, cells
    except csv.Error as error:
        if "new-line" in str(error):
            problem = "has a carriage return (\\r) in a cell without quotes"
            remedy = "Remove it, or save the table as CSV with quotes around the cell."
        else:
            problem, place = f"is not CSV: {error} in the row that begins here", last + 1
            remedy = "Correct the quotes: each is closed before the cell ends."
        raise InputError(problem, path=path, line=place, remedy=remedy) from None
    faults.raise_all()


def check_names(table: pd.DataFrame, columns: Iterable[str], path: Path) -> None:
    """InputError, with its line, for a cell of these columns that is not an allowed name (`names.check`)."""
    for column in columns:
        for line, name in table[column].drop_duplicates().items():
            names.check(column, name, path=path, line=int(line))


def check_header(
    path: Path, line: int, header: list[str], columns: Sequence[str], *, is_open: bool = False
) -> None:
    """InputError for a column that is missing, unless ``is_open``, or there twice, and for JSON."""
    missing = [column for column in columns if column not in header]
    if missing and (form := json_form(header[0])):
        remedy = f"Give it the columns {', '.join(columns)}, or end the name of records in .jsonl."
        raise InputError(f"is {form}, not a table", path=path, remedy=remedy)
    if missing and not is_open:
        problem = f"has no column {' or '.join(missing)}; it has {listed_found(header)}"
        raise InputError(problem, path=path, remedy=f"Give it the columns {', '.join(columns)}.")
    if twice := [name for place, name in enumerate(header) if name in header[:place]]:
        problem = f"has the column {twice[0][:60]!r} twice"
        raise InputError(problem, path=path, line=line, remedy="Rename one of the two.")


def _separator(header: str, columns: Sequence[str]) -> str:
    """What separates the cells of a header: a tab, or what parts one of the columns from others."""
    for separator in "\t,;":
        cells = [cell.strip(" \"'\n").casefold() for cell in header.split(separator)]
        if len(cells) > 1 and set(cells) & {column.casefold() for column in columns}:
            return separator
    return "\t"


def numbers(
    table: pd.DataFrame, column: str, path: Path, *, undefined: Sequence[str] = (), finite: bool = True
) -> pd.Series:
    """A column of a table from `read` as float64; the texts ``undefined``, in any case, become NaN.

    Raises InputError, with up to ten lines, for a cell that is not a number and, if ``finite``, for an
    infinity (``inf``, ``-inf``).
    """
    import pandas as pd  # slow to import

    texts = table[column]
    is_undefined = texts.str.lower().isin([text.lower() for text in undefined])
    usable = ~is_undefined & texts.str.fullmatch(_NUMBER.pattern) | texts.isin(["inf", "-inf"])
    values = pd.to_numeric(texts.where(usable), errors="coerce").astype(float)
    infinite = values.abs() == float("inf")
    wrong = ~is_undefined & (~usable | values.isna() | (infinite if finite else False))
    instead = next((f"{text} if it is undefined" for text in undefined if text), "leave the line out")
    faults = Faults()
    for line, text in texts[wrong].items():
        problem = f"{column} {text[:60]!r} is not a number{_comma_in(text)}"
        remedy = f"Write a number, or {instead}."
        faults.append(InputError(problem, path=path, line=line, remedy=remedy))
    faults.raise_all()
    return values


def _comma_in(text: str) -> str:
    is_number = "," in text and _NUMBER.fullmatch(text.replace(",", ".", 1))
    return ": it has a decimal comma, not a point" if is_number else ""


def write(path: Path, table: pd.DataFrame, *, undefined: str = "", decimals: int | None = None) -> None:
    """Write a table, complete or not at all, as CSV if the file's name ends in ``.csv``; see `write_to`."""
    separator = "," if is_csv(path) else "\t"
    with writing(path) as stream:
        write_to(stream, table, undefined=undefined, decimals=decimals, separator=separator)


def is_csv(path: Path) -> bool:
    """Whether the name of a table says that it is CSV; otherwise it is TSV."""
    return file_form(path) == ".csv"


def write_to(
    stream: IO[str],
    table: pd.DataFrame,
    *,
    undefined: str = "",
    decimals: int | None = None,
    separator: str = "\t",
) -> None:
    """Write a table's header and its rows.

    Numbers have ``decimals`` decimal places, or all digits if it is None; NaN is written as ``undefined``.
    Raises InputError for a cell with a tab or a line break in it, which would read as several cells.
    """
    import pandas as pd  # slow to import

    for column in table.columns:
        cells = table[column]
        words = () if pd.api.types.is_numeric_dtype(cells) else cells.dropna().unique()
        if broken := [each for each in (column, *words) if isinstance(each, str) and _BREAKS.search(each)]:
            problem = f"the cell {broken[0][:80]!r} has a tab or a line break in it"
            raise InputError(problem, remedy=names.NAME_REMEDY)
    table.to_csv(
        stream,
        sep=separator,
        index=False,
        float_format=None if decimals is None else f"%.{decimals}f",
        na_rep=undefined,
        lineterminator="\n",
        quoting=csv.QUOTE_NONE if separator == "\t" else csv.QUOTE_MINIMAL,
    )


def cell(text: str) -> str:
    """The text as a cell: white space is collapsed, and a text with unprintable characters is escaped."""
    text = " ".join(text.split())
    return text if text.isprintable() else text.encode("unicode_escape").decode("ascii")
