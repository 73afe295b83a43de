"""Read a score table in one of its formats, TSV, CSV, JSONL or Parquet, and write one piece by piece."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

from sera.errors import Faults, InputError
from sera.io import tsv
from sera.io.fields import Fields
from sera.io.files import kind_of_line, lines, mistaken, opened, parse_json, writing
from sera.io.record_index import parquet_rows, pyarrow

if TYPE_CHECKING:
    import pandas as pd

AnyPath = str | PathLike[str]
_Columns = dict[str, list[Any]]


def format_of(path: AnyPath) -> str:
    """The format that the name of a file asks for: ``.csv``, ``.jsonl``, ``.parquet``, otherwise TSV.

    >>> format_of("scores.jsonl.gz"), format_of("-")
    ('jsonl', 'tsv')
    """
    name = fspath(path).removesuffix(".gz")
    return next((each for each in SCORE_FORMATS if name.endswith(f".{each}")), "tsv")


def check_format(form: str, path: AnyPath) -> None:
    """InputError if a file of the format cannot be written here: Parquet needs pyarrow."""
    if form == "parquet":
        pyarrow("parquet", path)


def read_in_format(path: AnyPath, columns: Sequence[str], optional: Sequence[str] = ()) -> pd.DataFrame:
    """Read a table whose last column has scores, in the format of its name, with every cell as text.

    The index holds each row's line, in Parquet its number from 1. An undefined score reads ``nan``. The other
    ``columns`` hold names. In JSONL and Parquet, a row has an empty text for an ``optional`` field that it
    lacks, and all other fields are left out.

    Raises InputError as `tsv.read` does, and in JSONL and Parquet, with up to ten lines, for a row without
    one of the columns or with a value of another type there.
    """
    form = format_of(path)
    if form in ("tsv", "csv"):
        return tsv.read(path, columns, named=columns[:-1])
    import pandas as pd  # writing scores does without it

    rows: list[list[str]] = []
    numbers: list[int] = []
    faults = Faults()
    remedy = f"Give each row the fields {', '.join(columns)}."
    for number, given in (_parquet_rows if form == "parquet" else _jsonl_rows)(path, columns):
        try:
            row = given if isinstance(given, dict) else parse_json(given, path=path, line=number)
            rows.append(_cells(Fields(row, path, number, remedy=remedy), columns, optional))
            numbers.append(number)
        except InputError as error:
            faults.append(error)
    faults.raise_all()
    table = pd.DataFrame(rows, columns=[*columns, *optional], index=numbers, dtype=object)
    tsv.check_names(table, columns[:-1], path)
    return table.drop(columns=[name for name in optional if not table[name].any()])


def _jsonl_rows(path: AnyPath, columns: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Each line that is not blank, with its number."""
    what = f"scores, one JSON object a line with the fields {', '.join(columns)}"
    first = True
    for number, line in lines(path, what):
        if line.strip():
            if first and not line.startswith("{") and (other := kind_of_line(line, columns)):
                raise mistaken(path, other, what)
            first = False
            yield number, line


def _parquet_rows(path: AnyPath, columns: Sequence[str]) -> Iterator[tuple[int, dict[str, Any]]]:
    opened(path).close()  # a missing file has the same error in all formats
    return enumerate(parquet_rows(path, "scores", _AT_ONCE), 1)


_AT_ONCE = 1 << 14  # rows of a Parquet file in memory


def _cells(row: Fields, columns: Sequence[str], optional: Sequence[str]) -> list[str]:
    """The cells of a row as text; InputError for a field that is missing or of another type."""
    *named, scored = columns
    texts = [row.text(name) for name in named]
    score = row.values.get(scored, "")
    texts.append("nan" if score is None or score != score else repr(row.number(scored)))
    return texts + ["" if row.values.get(name) is None else row.text(name) for name in optional]


def write_in_format(path: AnyPath, tables: Iterable[_Columns], form: str) -> None:
    """Write the pieces of a score table, lists by the names of the same columns, complete or not at all.

    ``form`` is one of `SCORE_FORMATS`. An undefined score reads ``nan`` in TSV and CSV, ``null`` in JSONL and
    NaN in Parquet. Raises InputError for Parquet without pyarrow, and for a cell that TSV cannot hold.
    """
    SCORE_FORMATS[form](path, iter(tables))


def _write_tsv(path: AnyPath, tables: Iterator[_Columns]) -> None:
    with writing(path) as stream:
        for number, table in enumerate(tables):
            tsv.write_columns(stream, table, undefined="nan", header=number == 0)


def _write_csv(path: AnyPath, tables: Iterator[_Columns]) -> None:
    with writing(path) as stream:
        rows = csv.writer(stream, lineterminator="\n")
        for number, table in enumerate(tables):
            if number == 0:
                rows.writerow(table)
            rows.writerows(zip(*table.values(), strict=True))  # NaN reads nan


def _write_jsonl(path: AnyPath, tables: Iterator[_Columns]) -> None:
    with writing(path) as stream:
        for table in tables:
            for row in zip(*table.values(), strict=True):
                cells = dict(zip(table, row, strict=True))
                if cells["score"] != cells["score"]:
                    cells["score"] = None
                if not cells.get(NOTE, True):
                    del cells[NOTE]
                stream.write(json.dumps(cells, ensure_ascii=False) + "\n")


def _write_parquet(path: AnyPath, tables: Iterator[_Columns]) -> None:
    arrow, parquet = pyarrow("lib", path), pyarrow("parquet", path)
    first = next(tables)
    text, number = arrow.string(), arrow.float64()
    schema = arrow.schema([(name, number if name == "score" else text) for name in first])
    with writing(path, binary=True) as stream, parquet.ParquetWriter(stream, schema) as writer:
        for table in chain([first], tables):
            # from_pandas: NaN is a null
            arrays = [
                arrow.array(cells, kind, from_pandas=True)
                for cells, kind in zip(table.values(), schema.types, strict=True)
            ]
            writer.write_table(arrow.Table.from_arrays(arrays, schema=schema))


SCORE_FORMATS: dict[str, Callable[[AnyPath, Iterator[_Columns]], None]] = {
    "tsv": _write_tsv,
    "csv": _write_csv,
    "jsonl": _write_jsonl,
    "parquet": _write_parquet,
}


NOTE = "note"
