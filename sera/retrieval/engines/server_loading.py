"""Load a corpus into an index on a search server.

`load` loads a corpus into an index of its own. When the index is complete, it is sealed, and the alias
``<name>`` is set to it. A receipt remains on disk: a folder whose ``manifest.json`` describes alias and
corpus but holds no hosts or credentials.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from os import PathLike
from typing import Any

import numpy as np

from sera.errors import InputError
from sera.files import MANIFEST
from sera.progress import progress
from sera.records import Document, iterate
from sera.retrieval.engines.index_format import digest
from sera.retrieval.engines.search_server import (
    PASSING,
    Busy,
    Product,
    Refused,
    Server,
    Strange,
    connect,
    part_of,
)
from sera.retrieval.engines.server_state import (
    INDEX_NAME,
    RECEIPT_VERSION,
    SEAL,
    check_seal,
    facts_of,
    indexes_behind,
    state_of,
)
from sera.text import analysis
from sera.whole_folders import writing_folder

_Folder = str | PathLike[str]

_BULK_DOCUMENTS, _BULK_CHARACTERS = 500, 4_000_000  # the most in one request
_MOST_SHARDS = 1024  # the server's own limit for an index
_TURNS = 5  # attempts to set the alias to one index


class Documents:
    """The documents of JSONL files in order; it can be iterated several times."""

    def __init__(self, paths: Iterable[_Folder]) -> None:
        self._paths = list(paths)

    def __iter__(self) -> Iterator[Document]:
        for path in self._paths:
            yield from iterate(path, Document)


def load(
    documents: Iterable[Document],
    folder: _Folder,
    product: Product,
    *,
    name: str,
    analyzer: str = "english",
    mu: float = 2000.0,
    shards: int | None = None,
    patience: float | None = None,
    node: Any = None,
) -> None:
    """Load documents into the server's index ``name`` and write its receipt into a folder.

    documents:  they are read twice, first for the facts of the corpus and then to send them, so a generator
                is refused; see `Documents`
    folder:     the receipt; an older one there is replaced
    product:    the kind of server
    analyzer:   ``english``, ``german`` or ``standard``
    mu:         the smoothing parameter, above 0; it belongs to the index, since the server computes with it
    shards:     the number of the index's shards; by default the value of ELASTICSEARCH_SHARDS (or
                OPENSEARCH_SHARDS), or 1. Rankings and scores do not depend on it
    patience:   seconds for which a request is repeated while the server is away or busy; by default
                `limits.WAIT`
    node:       the class of the client's connections; by default the product's

    The index on the server has a name made from corpus and settings, and a document in it is never written
    twice. An interrupted load is therefore resumed, simultaneous loads of the same corpus share the work, and
    nothing is sent to an index that is complete. The alias ``name`` is set to the new index when that is
    complete; the old index is then deleted. Memory is bounded, except for the ids and the vocabulary.

    Raises InputError if that variable is no number, if two documents have the same id, if the server
    refuses a request or does not answer, and if the index exists and has changed since it was loaded.
    """
    if not INDEX_NAME.fullmatch(name):
        raise InputError(
            f"{name!r} cannot be the name of an index",
            remedy="Give a name of small letters, digits, '_', '-' and '.' that begins with a letter or "
            f"digit, by --name or {product.variable('INDEX')}.",
        )
    if iter(documents) is documents:
        raise InputError("the documents can be read only once", remedy="Give a list, or Documents.")
    if not (0 < mu < math.inf and 0 < np.float32(mu) < np.inf):
        raise InputError(f"the smoothing parameter mu is {mu}", remedy="Give a number above 0, usually 2000.")
    shards = _shards_of_environment(product) if shards is None else shards
    with writing_folder(folder, replaces=product.receipt_format) as target:
        facts = _loaded(documents, connect(product, patience, node), name, analyzer, mu, shards)
        text = json.dumps({"name": name, **facts}, indent=1) + "\n"
        (target / MANIFEST).write_text(text, encoding="utf-8", newline="\n")


def _shards_of_environment(product: Product) -> int:
    """The value of the variable for the number of shards, 1 to `_MOST_SHARDS`; 1 if it is not set."""
    text = os.environ.get(product.variable("SHARDS"), "").strip() or "1"
    if not re.fullmatch("[0-9]{1,4}", text) or not 1 <= int(text) <= _MOST_SHARDS:
        raise InputError(
            f"{product.variable('SHARDS')} is not a whole number from 1 to {_MOST_SHARDS}",
            remedy="Correct it, or unset it for one shard.",
        )
    return int(text)


def _loaded(
    documents: Iterable[Document],
    server: Server,
    name: str,
    analyzer: str,
    mu: float,
    shards: int,
) -> dict[str, Any]:
    """Load the missing documents and set the alias; returns the facts of the corpus."""
    server.patiently(lambda: _check_free(server, name))
    facts = _facts(documents, server.product.receipt_format, analyzer, mu)
    identity = json.dumps([facts, shards], sort_keys=True)
    index = f"{name}-{hashlib.sha256(identity.encode()).hexdigest()[:16]}"
    server.patiently(lambda: _create(server, index, facts, shards))
    there = server.patiently(lambda: indexes_behind(server, index))
    if facts_of(there) != {index: facts} or SEAL not in there[index]:
        if server.patiently(lambda: _count(server, index)) != facts["documents"]:
            _send(server, index, documents)
        count = server.patiently(lambda: _count(server, index))
        there = server.patiently(lambda: indexes_behind(server, index))
        if count != facts["documents"] or facts_of(there) != {index: facts}:
            raise InputError(
                f"the index {index} holds {count} documents, not the {facts['documents']} of the corpus, "
                "or was made by something else",
                remedy="Delete it on the server and load again.",
            )
        server.patiently(lambda: _seal(server, index, facts, shards))
        there = server.patiently(lambda: indexes_behind(server, index))
    server.patiently(lambda: check_seal(server, index, there.get(index, {})))
    server.patiently(lambda: _finish(server, index))
    server.patiently(lambda: _switch(server, name, index))
    return facts


def _facts(documents: Iterable[Document], form: str, analyzer: str, mu: float) -> dict[str, Any]:
    """The facts of the corpus for the index's metadata, with the embedded engine's fingerprint."""
    analysed = analysis.analyzer(analyzer)
    seen: set[str] = set()
    fingerprint = hashlib.sha256()
    frequencies: Counter[str] = Counter()
    for document in progress(documents, "documents read"):
        if document.id in seen:
            raise InputError(f"the document {document.id!r} is there twice", remedy="Give each its own id.")
        seen.add(document.id)
        content = document.content
        fingerprint.update(digest(document.id, content))
        frequencies.update(set(analysed.tokens(content)))
    for term in analysed.stop_terms():  # as the embedded engine does
        frequencies.pop(term, None)
    # The number of terms for each frequency. The sum is exact, so it is the same on any machine and in the
    # embedded engine.
    terms = Counter(frequencies.values())
    total = math.fsum(number * math.log(len(seen) / frequency) for frequency, number in terms.items())
    return {
        "format": form,
        "version": RECEIPT_VERSION,
        "analyzer": analyzer,
        "mu": float(mu),
        "fingerprint": fingerprint.hexdigest(),
        "documents": len(seen),
        "mean_idf": total / len(frequencies) if frequencies else 0.0,
    }


def _create(server: Server, index: str, facts: dict[str, Any], shards: int) -> None:
    """Create the index if it does not exist. It stores no text, so the articles cannot be read from it."""
    settings = {
        "number_of_shards": shards,
        "refresh_interval": "-1",
        "similarity": {"dirichlet": {"type": "LMDirichlet", "mu": facts["mu"]}},
    }
    mappings = {
        "_meta": facts,
        "_source": {"enabled": False},
        "dynamic": "strict",
        "properties": {
            "text": {"type": "text", "analyzer": facts["analyzer"], "similarity": "dirichlet"},
            "number": {"type": "integer"},  # place in the corpus, for ties
        },
    }
    try:
        server.ask("PUT", index, body={"settings": settings, "mappings": mappings})
    except Refused as error:
        if server.reason_of(error.body)[0] != "resource_already_exists_exception":
            raise


def _send(server: Server, index: str, documents: Iterable[Document]) -> None:
    """Send all documents in batches; the server skips those that it has already."""
    batch: dict[str, dict[str, Any]] = {}
    characters = 0
    for number, document in enumerate(progress(documents, "documents loaded")):
        # UTF-8 has no lone surrogates; neither they nor the replacement character are part of a term.
        text = document.content.encode("utf-8", "replace").decode()
        if batch and (len(batch) == _BULK_DOCUMENTS or characters + len(text) > _BULK_CHARACTERS):
            server.patiently(lambda: _store(server, index, batch))
            characters = 0
        batch[document.id] = {"text": text, "number": number}
        characters += len(text)
    if batch:
        server.patiently(lambda: _store(server, index, batch))


def _store(server: Server, index: str, batch: dict[str, dict[str, Any]]) -> None:
    """Store the batch and remove the stored documents from it; raises Busy if some were not stored."""
    operations = [line for id, source in batch.items() for line in ({"create": {"_id": id}}, source)]
    for item in part_of(server.ask("PUT", index, "_bulk", body=operations), list, "items"):
        id, status = part_of(item, str, "create", "_id"), part_of(item, int, "create", "status")
        if id not in batch:
            raise Strange("is of a document that was not sent")
        if status in (200, 201, 409):  # 409: the index has it already
            del batch[id]
        elif status not in PASSING:
            refused = server.fault(Refused(status, item["create"]))
            raise InputError(f"the document {id!r}: {refused.problem}", remedy=refused.remedy)
    if batch:
        raise Busy


def _count(server: Server, index: str) -> int:
    """The number of documents in the index; raises Busy if shards are away."""
    server.ask("POST", index, "_refresh")
    answer = server.ask("POST", index, "_count")
    if part_of(answer, int, "_shards", "failed"):
        raise Busy
    return part_of(answer, int, "count")


def _seal(server: Server, index: str, facts: dict[str, Any], shards: int) -> None:
    """Write the state of a complete index into its metadata, as its seal."""
    state = state_of(server, index, shards)
    server.ask("PUT", index, "_mapping", body={"_meta": {**facts, SEAL: state}})


def _finish(server: Server, index: str) -> None:
    server.ask("PUT", index, "_settings", body={"refresh_interval": None})  # the server's own


def _check_free(server: Server, name: str) -> None:
    for index, meta in indexes_behind(server, name).items():
        if not index.startswith(f"{name}-") or meta.get("format") != server.product.receipt_format:
            raise InputError(
                f"the name {name} belongs to the index {index}, which holds no SERA corpus",
                remedy="Choose another name.",
            )


def _switch(server: Server, name: str, index: str) -> None:
    """Set the alias to the index in one step and delete the index that it named before."""
    _check_free(server, name)
    before = now = set(indexes_behind(server, name))
    for _ in range(_TURNS):
        if now == {index}:
            break
        away = [{"remove": {"index": f"{name}-*", "alias": name}}] if now else []
        actions = [*away, {"add": {"index": index, "alias": name}}]
        server.ask("POST", "_aliases", body={"actions": actions})
        now = set(indexes_behind(server, name))
        if len(now) == 1:
            break  # two loads that end together may both have added their index; otherwise the last one wins
    else:
        raise Busy
    for old in sorted(before - now - {index}):
        try:
            server.ask("DELETE", old)
        except Refused as error:
            if error.status != 404:
                raise
