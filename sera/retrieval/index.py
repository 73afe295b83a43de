"""`index`: documents made into an index in a folder, or such an index opened, in one call from Python."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from os import PathLike
from typing import Any

import pandas as pd

from sera.errors import InputError
from sera.io.data_frames import no_column
from sera.io.records import Document, checked_documents
from sera.retrieval.engines import ENGINES, Engine
from sera.retrieval.engines.index_building import build_part
from sera.settings import shown

_REMEDY = "Give a data frame with the columns id and text, a mapping of ids to texts, or records."


def index(
    folder: str | PathLike[str],
    documents: pd.DataFrame | Mapping[str, str] | Iterable[Document] | None = None,
    *,
    analyzer: str = "english",
) -> Engine:
    """Open the index in ``folder``; with ``documents``, index these there first.

    ``documents``: a data frame with the columns ``id`` and ``text``, a mapping of ids to texts, or records
    (`sera.io.records.Document`). ``analyzer``: "english" (Lucene's, with stems and stop words) or "standard".
    An older index in the folder is replaced; any other folder that is there is refused.

    >>> pubmed = index("pubmed", {"d1": "A kinase phosphorylates p53.", "d2": "Fish swim in the sea."})
    >>> pubmed.documents
    2
    >>> pubmed.search(["p53"], 1)[0][0].document
    'd1'

    Raises InputError for documents in another form or without any text, for an id that is not a name or
    occurs twice, and for a folder that is not an index.
    """
    if documents is not None:
        build_part(checked_documents(_records(documents)), folder, analyzer=analyzer)
    engine: Engine = ENGINES.load("embedded")(folder)
    return engine


def _records(documents: Any) -> Iterator[Document]:
    if isinstance(documents, pd.DataFrame):
        for column in ("id", "text"):
            if column not in documents:
                raise no_column("documents", column, documents, _REMEDY)
        pairs: Iterable[tuple[Any, Any]] = zip(documents["id"], documents["text"])
    elif isinstance(documents, Mapping):
        pairs = documents.items()
    elif isinstance(documents, Iterable) and not isinstance(documents, str):
        for each in documents:
            if not isinstance(each, Document):
                raise InputError(f"a document is {shown(each)}", remedy=_REMEDY)
            yield each
        return
    else:
        raise InputError(f"the documents are {shown(documents)}", remedy=_REMEDY)
    for id, text in pairs:
        if not isinstance(text, str):
            raise InputError(f"the text of the document {shown(id)} is {shown(text)}", remedy=_REMEDY)
        yield Document(id=str(id), text=text)
