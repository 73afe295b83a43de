"""The journal and the publisher of the articles of a collection.

The corpus step keeps an article's text alone. This reads the collection again, for the articles that the
corpus has, and leaves the corpus as it is.
"""

from __future__ import annotations

from collections.abc import Collection as Ids
from collections.abc import Iterator
from pathlib import Path

from sera.corpora import jats
from sera.corpora.articles import Collection, Entry
from sera.io import tsv
from sera.io.files import writing
from sera.progress import progress

_COLUMNS = ("document", "journal", "publisher")


def published(folder: str | Path, part: str, documents: Ids[str]) -> Iterator[tuple[str, str, str]]:
    """Id, journal and publisher of the ``documents`` that were read from a part of a collection.

    Journal and publisher are empty if the article names none. What cannot be read was no document, so it is
    passed over. Raises InputError as `Collection.read`.
    """
    rows = Collection(folder).read(part, lambda xml, id: [(id, *jats.read_journal(xml))])
    for row in progress(rows, f"journals of {part} read"):
        if not isinstance(row, Entry) and row[0] in documents:
            yield row


def write_journals(folder: str | Path, part: str, documents: Ids[str], path: str | Path) -> None:
    """Write the rows of `published` as a TSV with the header ``document journal publisher``."""
    with writing(path) as table:
        table.write("\t".join(_COLUMNS) + "\n")
        for row in published(folder, part, documents):
            table.write("\t".join(tsv.cell(each) for each in row) + "\n")


def read_journals(path: str | Path) -> dict[str, str]:
    """The journal of each document of a file of `write_journals`, by the document's id."""
    rows = tsv.read(path, _COLUMNS)
    return dict(zip(rows["document"], rows["journal"], strict=True))
