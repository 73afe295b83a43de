"""What a file is that is not in the form that was expected, from its first line."""

from __future__ import annotations

import json
from collections.abc import Sequence

BYTE_ORDER_MARK = b"\xef\xbb\xbf"

_BEGINNINGS = (
    (b"%PDF-", "a PDF file"),
    (b"PK\x03\x04", "a ZIP archive, as Excel (.xlsx) and Word (.docx) write"),
    (b"\xd0\xcf\x11\xe0", "an Excel or Word file of the old format"),
    (b"\x1f\x8b", "compressed with gzip, but its name does not end in .gz"),
    (b"\xff\xfe", "UTF-16 text, not UTF-8"),
    (b"\xfe\xff", "UTF-16 text, not UTF-8"),
)
_SEPARATORS = {",": "commas (CSV)", ";": "semicolons (CSV)", "\t": "tabs (TSV)"}


def of_bytes(line: bytes) -> str | None:
    """What a file is by the bytes that begin its first line; None for what may be UTF-8 text.

    >>> of_bytes(b"%PDF-1.7")
    'a PDF file'
    """
    return next((kind for beginning, kind in _BEGINNINGS if line.startswith(beginning)), None)


def of_line(line: str, columns: Sequence[str]) -> str | None:
    """What a text file is by its first line; None if this is not clear.

    ``columns`` are those of a table that would hold the same: a line is the header of a table if it has at
    least one of them between separators.

    >>> of_line("topic;system;score", ["topic", "system"])
    'a table with semicolons (CSV)'
    """
    start = line.strip()
    if start.startswith("<"):
        return "HTML or XML"
    if start.startswith("["):
        return _array(start)
    if start.startswith("{"):
        return "JSON over several lines" if start == "{" else "JSONL"
    for separator, name in _SEPARATORS.items():
        cells = [cell.strip(" \"'").casefold() for cell in start.split(separator)]
        if len(cells) > 1 and set(cells) & {column.casefold() for column in columns}:
            return f"a table with {name}"
    return None


def _array(start: str) -> str | None:
    """A whole array in one line is one only if it holds objects: `[]` may be a wrong record."""
    try:
        items = json.loads(start)
    except (ValueError, RecursionError):
        items = [{}]  # it goes on in the next line
    return "a JSON array" if isinstance(items, list) and items and isinstance(items[0], dict) else None
