"""What an index on an Elasticsearch server says of itself: its corpus, its state and its seal.

The seal is in the metadata of the index: for each of its shards how many documents it has, and the number
that the server gave the last change. Every later change of a document has a higher number; merges, moves of
shards and restarts change neither.
"""

from __future__ import annotations

import re
from typing import Any

from elasticsearch import Elasticsearch, NotFoundError

from sera.errors import InputError
from sera.retrieval.engines.elasticsearch_client import Busy, part_of

FORMAT = "sera elasticsearch index"
VERSION = 1

MANIFEST = "manifest.json"
FACTS = {
    "format": str,
    "version": int,
    "analyzer": str,
    "mu": float,
    "fingerprint": str,
    "documents": int,
    "mean_idf": float,
}
SEAL = "seal"  # beside the facts in the metadata of an index on the server
NAME = re.compile(r"[a-z0-9][a-z0-9_.-]{0,199}")


def state_of(client: Elasticsearch, index: str, shards: int) -> list[list[int]]:
    """For each shard, how many documents it has and the number of its last change.

    InputError if there are deleted documents, which a server counts in its statistics until it merges them
    away; Busy if shards are away.
    """
    answer = client.indices.stats(index=index, metric="docs", level="shards")
    copies = part_of(answer, dict, "indices").get(index, {})
    state = []
    for number in range(shards):
        started = [copy for copy in _copies(copies, number) if _is_started(copy)]
        if not started:
            raise Busy(
                InputError(
                    f"a part of the index {index} is away on the Elasticsearch server",
                    remedy="Look at the server's health.",
                )
            )
        if part_of(started[0], int, "docs", "deleted"):
            raise InputError(
                f"the index {index} was changed since it was loaded: documents were replaced or deleted",
                remedy=_DELETE,
            )
        count = part_of(started[0], int, "docs", "count")
        state.append([count, part_of(started[0], int, "seq_no", "max_seq_no")])
    return state


def _copies(index: Any, number: int) -> list[Any]:
    copies = index.get("shards") if isinstance(index, dict) else None
    return part_of(copies, list, str(number)) if isinstance(copies, dict) and str(number) in copies else []


def _is_started(copy: Any) -> bool:
    """Whether this is a shard's first copy, and ready."""
    routing = part_of(copy, dict, "routing")
    return routing.get("primary") is True and routing.get("state") == "STARTED"


_DELETE = "Delete it on the server and load the corpus again."


def check_seal(client: Elasticsearch, index: str, meta: dict[str, Any]) -> None:
    """InputError if an index is not sealed, or was changed since it was."""
    seal = meta.get(SEAL)
    if not isinstance(seal, list):
        raise InputError(
            f"the index {index} was not loaded to its end", remedy="Load the corpus again: it goes on."
        )
    if state_of(client, index, len(seal)) != seal:
        raise InputError(f"the index {index} was changed since it was loaded", remedy=_DELETE)


def indexes_behind(client: Elasticsearch, name: str) -> dict[str, dict[str, Any]]:
    """The indexes behind a name, an alias or an index's own, with their metadata; empty if there is none."""
    try:
        mappings = client.indices.get_mapping(index=name)
    except NotFoundError:
        return {}
    metadata = {}
    for index, of_index in part_of(mappings, dict).items():
        meta = part_of(of_index, dict, "mappings").get("_meta", {})
        metadata[index] = meta if isinstance(meta, dict) else {}
    return metadata


def facts_of(indexes: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The metadata without the seals."""
    return {
        index: {name: value for name, value in meta.items() if name != SEAL}
        for index, meta in indexes.items()
    }
